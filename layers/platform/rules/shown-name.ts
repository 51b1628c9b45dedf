const MAX_CHARACTERS = 80;
const NAMELESS = 'An application without a name';

/** Invisible characters, and those that change how the text around them looks (bidirectional controls). */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const BREAKS = /[\s\p{Z}]+/gu;
/** Stacked combining marks, which would cover neighbouring lines. */
const PILED_MARKS = /(\p{M}{2})\p{M}+/gu;

const visible = (name: string): string =>
  name.toWellFormed().replace(BREAKS, ' ').replace(UNSEEN, '').replace(PILED_MARKS, '$1').trim();

/**
 * A name that one person chose and another one is shown, as one line of visible text that cannot imitate other parts of
 * the page.
 *
 * @param nameless - shown where nothing of the name can be seen
 */
export const shownName = (name: string, nameless = NAMELESS): string => {
  const characters = [...visible(name)];
  if (characters.length === 0) return nameless;
  if (characters.length <= MAX_CHARACTERS) return characters.join('');
  return `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…`;
};

/** The whole name of a server for others than its owner; its slug where nothing of it can be seen. */
export const shownServerName = ({
  name,
  slug,
}: {
  readonly name: string;
  readonly slug: string;
}): string => visible(name) || slug;
