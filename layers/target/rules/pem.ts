const BEGIN = '-----BEGIN ';

/** The blocks of a text in PEM, one after the other; a text without any as it is. Source: RFC 7468 §2. */
export const certificatesIn = (text: string): readonly string[] => {
  const [, ...blocks] = text.split(BEGIN);
  return blocks.length === 0 ? [text] : blocks.map((block) => `${BEGIN}${block.trim()}`);
};
