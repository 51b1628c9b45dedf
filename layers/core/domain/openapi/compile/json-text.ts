/** A member of an object, its value written already. */
export type Member = readonly [name: string, text: string];

/** The text of an object with more members. */
export const withMembers = (object: string, members: readonly string[]): string => {
  if (members.length === 0) return object;
  return object === '{}' ? `{${members.join()}}` : `${object.slice(0, -1)},${members.join()}}`;
};

/** The text of an object whose members have different names. */
export const objectOf = (members: readonly Member[]): string => {
  let text = '';
  for (const [name, value] of members) {
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${value}`;
  }
  return `{${text}}`;
};
