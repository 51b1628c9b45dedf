const BEGIN = '-----BEGIN ';

/** Splits PEM text into its blocks; text without any stays whole. Source: RFC 7468 §2. */
export const certificatesIn = (text: string): readonly string[] => {
  const [, ...blocks] = text.split(BEGIN);
  return blocks.length === 0 ? [text] : blocks.map((block) => `${BEGIN}${block.trim()}`);
};
