/**
 * A setting that is on or off.
 *
 * @param text - `true` or `false`; off if empty
 * @throws Error that says what is wrong, in words for the operator
 */
export const readSwitch = (text = ''): boolean => {
  if (text === 'true') return true;
  if (text === 'false' || text === '') return false;
  throw new Error('write true or false');
};
