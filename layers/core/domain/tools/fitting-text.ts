import type { TargetAnswer } from '../target.ts';

/**
 * Bytes that the text of a result may take on its way: escaped as JSON in the result, and once more in
 * what the function returns, which may hold 6 MB.
 */
export const MOST_RESULT_BYTES = 5.5 * 1024 * 1024;

/** Room for the note and the members around the text. */
const ROOM = 2048;

/**
 * The text of an answer under its heading, as much of it as fits. If something is missing, for either
 * reason, a note at the end says how much and how to ask for less.
 */
export const fittingText = (
  heading: string,
  text: string,
  { body, cut }: Pick<TargetAnswer, 'body' | 'cut'>,
): string => {
  const end = fittingLength(text, MOST_RESULT_BYTES - ROOM);
  if (end === text.length && !cut) return heading + text;

  const shown = text.slice(0, end);
  const shownBytes = end === text.length ? body.length : Buffer.byteLength(shown, 'utf8');
  const total = cut ? cut.totalBytes : body.length;
  return `${heading}${shown}\n\n${note(shownBytes, total)}`;
};

const note = (shownBytes: number, totalBytes: number | undefined): string => {
  const howMuch =
    totalBytes !== undefined && totalBytes > shownBytes
      ? `the first ${shownBytes} of ${totalBytes} bytes are shown, ${totalBytes - shownBytes} are missing`
      : `the first ${shownBytes} bytes are shown, how many are missing is not known`;
  return (
    `[The answer is too long and was cut here: ${howMuch}. To get less, use arguments of this tool that ` +
    `page, filter or limit the answer or select fields, if it has any, or ask for single items.]`
  );
};

/** How much of a text fits in so many bytes once it is escaped twice, whole characters only. */
const fittingLength = (text: string, most: number): number => {
  if (text.length * MOST_BYTES_EACH <= most) return text.length;
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const isPair = isHigh(code) && isLow(text.charCodeAt(index + 1));
    bytes += isPair ? 4 : bytesOf(code);
    if (bytes > most) return index;
    if (isPair) index += 1;
  }
  return text.length;
};

const MOST_BYTES_EACH = 7;

/** `"` is `\"`, then `\\\"`; a newline `\n`, then `\\n`; another control character `\u0001`, then `\\u0001`. */
const bytesOf = (code: number): number => {
  if (code === 0x22 || code === 0x5c) return 4;
  if (code < 0x20)
    return code === 9 || code === 10 || code === 13 || code === 8 || code === 12 ? 3 : 7;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code >= 0xd800 && code <= 0xdfff ? 7 : 3;
};

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;
