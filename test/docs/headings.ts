/** Markdown without what stands in code, where `](` and `#` mean nothing. */
export const proseOf = (markdown: string): string =>
  withoutBlocks(markdown).replace(/`[^`\n]*`/g, '``');

/** The headings of a document, as they read: without the marks of code and links. */
export const headingsOf = (markdown: string): readonly string[] =>
  [...withoutBlocks(markdown).matchAll(/^#{1,6} +(.+?) *#*$/gm)].map(([, heading = '']) =>
    heading.replaceAll('`', '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'),
  );

/**
 * What follows the `#` in links to headings: lower case, without marks, blanks as hyphens; a heading that
 * stands a second time has a number.
 *
 * Source: GitHub Docs, "Basic writing and formatting syntax", "Section links".
 */
export const anchorsOf = (markdown: string): ReadonlySet<string> => {
  const counts = new Map<string, number>();
  return new Set(
    headingsOf(markdown).map((heading) => {
      const plain = heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '')
        .replaceAll(' ', '-');
      const before = counts.get(plain) ?? 0;
      counts.set(plain, before + 1);
      return before === 0 ? plain : `${plain}-${before}`;
    }),
  );
};

const withoutBlocks = (markdown: string): string =>
  markdown.replace(/^( *)(```+|~~~+)[^\n]*\n[\s\S]*?\n\1\2[^\n]*$/gm, '');
