/**
 * @param text - `true` or `false`; off if empty
 * @throws Error whose message tells the operator what is wrong
 */
export const readSwitch = (text = ''): boolean => {
  if (text === 'true') return true;
  if (text === 'false' || text === '') return false;
  throw new Error('write true or false');
};
