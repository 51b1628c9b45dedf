import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { Json } from '../../platform/rules/json/json.ts';
import { finding, type Warnings } from './findings.ts';
import { parseLooseJson, parseYaml } from './yaml.ts';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

/** A parsed tree, not yet checked by `checkTree`. */
interface Parsed {
  readonly tree: Json;
  readonly text: string;
  /** Strict JSON, which has not been checked for duplicate keys. */
  readonly isJson?: true;
}

/**
 * Parses JSON or YAML. Of duplicate keys the last counts, in YAML with a warning. JSON with trailing commas or `#`
 * comments is valid YAML and accepted with a warning.
 * @param maxBytes - of the text as sent
 * @throws ApiRefusal `description_too_large`, `description_not_parseable` with line and column, `description_too_deep`,
 *   `alias_expansion`
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
  throw descriptionTooLarge(
    `The description has ${bytes} bytes; at most ${maxBytes} are accepted.`,
  );
};

export const descriptionTooLarge = (what: string): ApiRefusal =>
  new ApiRefusal('description_too_large', what, [
    finding('', 'too large', 'Leave out operations, examples or schemas that are not needed.'),
  ]);

/** Decodes a description in UTF-8 or UTF-16. @throws ApiRefusal `description_not_parseable` */
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
  readonly hasMark: boolean;
}

/** UTF-16 is detected by its byte order mark, or by a zero byte in its first character. */
export const encodingOf = (sent: string | Uint8Array): Encoding => {
  if (typeof sent === 'string') return { name: 'utf-8', hasMark: sent.startsWith('\uFEFF') };
  const [first, second, third] = sent;
  if (first === 0xff && second === 0xfe) return { name: 'utf-16le', hasMark: true };
  if (first === 0xfe && second === 0xff) return { name: 'utf-16be', hasMark: true };
  if (first !== 0 && second === 0) return { name: 'utf-16le', hasMark: false };
  if (first === 0) return { name: 'utf-16be', hasMark: false };
  return { name: 'utf-8', hasMark: first === 0xef && second === 0xbb && third === 0xbf };
};

/** @throws TypeError for invalid bytes */
const decodedText = (bytes: Uint8Array, { name }: Encoding): string =>
  new TextDecoder(name, { fatal: true }).decode(bytes);

export const encodedText = (text: string, { name, hasMark }: Encoding): Uint8Array => {
  const whole = hasMark ? `\uFEFF${text}` : text;
  if (name === 'utf-8') return Buffer.from(whole);
  const bytes = Buffer.from(whole, 'utf16le');
  return name === 'utf-16le' ? bytes : bytes.swap16();
};
