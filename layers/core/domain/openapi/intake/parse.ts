import { ApiRefusal } from '../../refusal.ts';
import type { Json } from '../document.ts';
import { finding, type Warnings } from './findings.ts';
import { parsePlainYaml } from './plain-yaml/parse-plain-yaml.ts';
import type { Parsed } from './tame.ts';
import { parseLooseJson, parseYaml } from './yaml.ts';

/**
 * Reads JSON or YAML into a tree that may still hold anything: `tame` comes next.
 *
 * Of keys that stand twice the last one counts, with a warning. JSON with a comma too many or with
 * `#` comments is still YAML, and accepted with a warning.
 *
 * @throws ApiRefusal `description_too_large` (D29: counted on the bytes), `description_not_parseable`
 *   with line and column, `description_too_deep`, `alias_expansion`
 */
export const parse = (sent: string | Uint8Array, maxBytes: number, warnings: Warnings): Parsed => {
  checkSize(typeof sent === 'string' ? Buffer.byteLength(sent) : sent.byteLength, maxBytes);
  const text = descriptionText(sent);
  const mayBeIllFormed = SURROGATE_ESCAPE.test(text) || !text.isWellFormed();
  if (!text.trimStart().startsWith('{')) {
    const plain = parsePlainYaml(text);
    if (plain !== undefined) return { tree: plain, isShared: false, mayBeIllFormed, isTame: true };
    return { tree: parseYaml(text, warnings), isShared: true, mayBeIllFormed, isTame: false };
  }

  let tree: Json;
  try {
    tree = JSON.parse(text) as Json;
  } catch {
    return { tree: parseLooseJson(text, warnings), isShared: true, mayBeIllFormed, isTame: false };
  }
  // JSON.parse drops a key that stands twice without a word: count what was written and what was kept.
  const checkKeys = (kept: number) => {
    if (closedBeforeColon(text) === kept || keysWritten(text) === kept) return;
    warnDuplicateKeys(text, warnings);
  };
  return { tree, isShared: false, mayBeIllFormed, isTame: false, checkKeys };
};

/** Of JSON, and of YAML, which has a longer one as well. */
const SURROGATE_ESCAPE = /\\(?:u[dD][89a-fA-F]|U0000[dD][89a-fA-F])/;

const checkSize = (bytes: number, maxBytes: number): void => {
  if (bytes <= maxBytes) return;
  const what = `${bytes} bytes; at most ${maxBytes} are accepted`;
  throw new ApiRefusal('description_too_large', `The description has ${what}.`, [
    finding('', what, 'Leave out operations, examples or schemas that are not needed.'),
  ]);
};

/**
 * What a description says, whatever it was encoded in.
 *
 * @throws ApiRefusal `description_not_parseable`
 */
export const descriptionText = (sent: string | Uint8Array): string =>
  typeof sent === 'string' ? sent.replace(/^\uFEFF/, '') : decoded(sent);

const decoded = (bytes: Uint8Array): string => {
  const encoding = encodingOf(bytes);
  const name = encoding.toUpperCase();
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new ApiRefusal('description_not_parseable', `The description is not ${name} text.`, [
      finding('', `holds bytes that are not ${name}`, 'Save the description as UTF-8.'),
    ]);
  }
};

/** UTF-16 says so with a byte order mark, and else by every other byte of its first character being 0. */
const encodingOf = ([first, second]: Uint8Array): string => {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || first === 0 ? 'utf-16be' : 'utf-8';
};

/** The YAML reader warns of such keys and says where. */
const warnDuplicateKeys = (json: string, warnings: Warnings): void => {
  try {
    parseYaml(json, warnings);
  } catch {
    warnings.add('', 'a key stands twice in one object, and the last one counts', 'Rename one.');
  }
};

/**
 * Quotes before colons: in valid JSON one for each key and no fewer, though a text may begin with a colon.
 * Finds them fast.
 *
 * @returns undefined where blanks stand in between
 */
const closedBeforeColon = (json: string): number | undefined => {
  if (/"[ \t\r\n]+:/.test(json)) return undefined;
  let count = 0;
  for (let at = json.indexOf('":'); at !== -1; at = json.indexOf('":', at + 2)) {
    let before = at - 1;
    while (json.charCodeAt(before) === 92) before -= 1;
    // An odd number of backslashes makes the quote a part of a text.
    if ((at - before) % 2 === 1) count += 1;
  }
  return count;
};

/** Colons outside of texts, of which valid JSON has one per key. */
const keysWritten = (json: string): number => {
  let count = 0;
  let inText = false;
  for (let index = 0; index < json.length; index += 1) {
    const character = json.charCodeAt(index);
    if (character === 34) inText = !inText;
    else if (inText && character === 92) index += 1;
    else if (!inText && character === 58) count += 1;
  }
  return count;
};
