/** In a field that was reset, and in one that is emptied. */
export const ORIGINAL = 'As in the OpenAPI description';

/**
 * What an override says of a text whose field shows the tool's own.
 *
 * @param typed - undefined while nobody has changed the field
 * @param before - as the override has it
 * @param shown - as the tool has it
 * @returns undefined or empty where the description decides
 */
export const ownText = (
  typed: string | undefined,
  before: string | undefined,
  shown: string | undefined,
): string | undefined =>
  before === undefined && typed?.trim() === shown?.trim() ? undefined : (typed ?? before);

/** What puts the original text back into a field; undefined where it has it. */
export const resetOf = (
  shown: string | undefined,
  before: string | undefined,
  typed: string | undefined,
  set: (text: string) => void,
): (() => void) | undefined => {
  if (ownText(typed, before, shown) === undefined || typed === '') return undefined;
  // What an override has replaced is not known before the next version is made.
  return () => set(before === undefined ? (shown ?? '') : '');
};
