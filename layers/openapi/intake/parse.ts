import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { Json } from '../../platform/rules/json/json.ts';
import { finding, type Warnings } from './findings.ts';
import { parseLooseJson, parseYaml } from './yaml.ts';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

/** A tree that may still hold anything: `checkTree` comes next. */
interface Parsed {
  readonly tree: Json;
  readonly text: string;
  /** JSON to the letter: nobody has looked for keys that stand twice in it. */
  readonly isJson?: true;
}

/**
 * Reads JSON or YAML. Of keys that stand twice the last one counts, in YAML with a warning. JSON with a
 * comma too many or with `#` comments is still YAML, and accepted with a warning.
 *
 * @param maxBytes - of the text as it was sent
 * @throws ApiRefusal `description_too_large`, `description_not_parseable` with line and column,
 *   `description_too_deep`, `alias_expansion`
 */
export const parse = (sent: string | Uint8Array, maxBytes: number, warnings: Warnings): Parsed => {
  checkSize(typeof sent === 'string' ? Buffer.byteLength(sent) : sent.byteLength, maxBytes);
  const text = descriptionText(sent);
  if (!text.trimStart().startsWith('{')) return { text, tree: parseYaml(text, warnings) };
  try {
    return { text, tree: parsedJson(text) as Json, isJson: true };
  } catch {
    return { text, tree: parseLooseJson(text, warnings) };
  }
};

const checkSize = (bytes: number, maxBytes: number): void => {
  if (bytes <= maxBytes) return;
  const what = `The description has ${bytes} bytes; at most ${maxBytes} are accepted.`;
  throw new ApiRefusal('description_too_large', what, [
    finding('', 'too large', 'Leave out operations, examples or schemas that are not needed.'),
  ]);
};

/**
 * What a description says, whatever it was encoded in.
 *
 * @throws ApiRefusal `description_not_parseable`
 */
export const descriptionText = (sent: string | Uint8Array): string =>
  typeof sent === 'string' ? sent.replace(/^\uFEFF/, '').toWellFormed() : decoded(sent);

const decoded = (bytes: Uint8Array): string => {
  const encoding = encodingOf(bytes);
  const name = encoding.name.toUpperCase();
  try {
    return decodedText(bytes, encoding);
  } catch {
    throw new ApiRefusal('description_not_parseable', `The description is not ${name} text.`, [
      finding('', `holds bytes that are not ${name}`, 'Save the description as UTF-8.'),
    ]);
  }
};

export interface Encoding {
  readonly name: 'utf-8' | 'utf-16le' | 'utf-16be';
  /** Whether it begins with a byte order mark. */
  readonly hasMark: boolean;
}

/** UTF-16 says so with a byte order mark, and else by every other byte of its first character being 0. */
export const encodingOf = (sent: string | Uint8Array): Encoding => {
  if (typeof sent === 'string') return { name: 'utf-8', hasMark: sent.startsWith('\uFEFF') };
  const [first, second, third] = sent;
  if (first === 0xff && second === 0xfe) return { name: 'utf-16le', hasMark: true };
  if (first === 0xfe && second === 0xff) return { name: 'utf-16be', hasMark: true };
  if (first !== 0 && second === 0) return { name: 'utf-16le', hasMark: false };
  if (first === 0) return { name: 'utf-16be', hasMark: false };
  return { name: 'utf-8', hasMark: first === 0xef && second === 0xbb && third === 0xbf };
};

/** @throws TypeError if they are no such bytes */
const decodedText = (bytes: Uint8Array, { name }: Encoding): string =>
  new TextDecoder(name, { fatal: true }).decode(bytes);

export const encodedText = (text: string, { name, hasMark }: Encoding): Uint8Array => {
  const whole = hasMark ? `\uFEFF${text}` : text;
  if (name === 'utf-8') return Buffer.from(whole);
  const bytes = Buffer.from(whole, 'utf16le');
  return name === 'utf-16le' ? bytes : bytes.swap16();
};
