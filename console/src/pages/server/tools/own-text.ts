/** Placeholder of a field that was reset or emptied. */
export const ORIGINAL = 'As in the OpenAPI description';

/**
 * The override of a text whose field shows the tool's own text.
 * @param typed - undefined while nobody has changed the field
 * @param before - the text in the present override
 * @param shown - the text of the tool
 * @returns undefined or empty if the description decides
 */
export const ownText = (
  typed: string | undefined,
  before: string | undefined,
  shown: string | undefined,
): string | undefined =>
  before === undefined && typed?.trim() === shown?.trim() ? undefined : (typed ?? before);

/** Puts the original text back into a field; undefined if the field has it already. */
export const resetOf = (
  shown: string | undefined,
  before: string | undefined,
  typed: string | undefined,
  set: (text: string) => void,
): (() => void) | undefined => {
  if (ownText(typed, before, shown) === undefined || typed === '') return undefined;
  // The original of an overridden text is unknown until the next version is made: the field is emptied.
  return () => set(before === undefined ? (shown ?? '') : '');
};
