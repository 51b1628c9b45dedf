/** Escapes a text for XML. Control characters become references by number, as AWS sends them. */
const escapeXml = (text: string): string =>
  text.replace(
    // eslint-disable-next-line no-control-regex -- keys may hold any character
    /[&<>"\u0000-\u001f\u007f]/g,
    (character) => `&#x${character.charCodeAt(0).toString(16)};`,
  );

type XmlContent = string | number | boolean | readonly XmlElement[];
export type XmlElement = readonly [name: string, content: XmlContent | undefined];

/** Writes a document. Elements whose content is undefined are left out. */
export const xml = (root: string, children: readonly XmlElement[], namespace?: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n` +
  `<${root}${namespace ? ` xmlns="${namespace}"` : ''}>${elements(children)}</${root}>`;

const elements = (children: readonly XmlElement[]): string =>
  children
    .filter(([, content]) => content !== undefined)
    .map(([name, content]) => `<${name}>${inner(content ?? '')}</${name}>`)
    .join('');

const inner = (content: XmlContent): string =>
  typeof content === 'object' ? elements(content) : escapeXml(String(content));
