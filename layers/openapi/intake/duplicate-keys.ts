import type { Warnings } from './findings.ts';
import { parseYaml } from './yaml.ts';

/**
 * Warns of keys that stand twice in one object. `JSON.parse` drops all but the last without a word:
 * counting what is written and what was kept tells.
 *
 * @param json - a text that `JSON.parse` takes
 * @param kept - how many keys all objects of it have
 */
export const warnDuplicateKeys = (json: string, kept: number, warnings: Warnings): void => {
  if (closedBeforeColon(json) === kept || keysWritten(json) === kept) return;
  try {
    // The YAML reader warns of such keys and says where.
    parseYaml(json, warnings);
  } catch {
    warnings.add('', 'a key occurs twice in one object, and the last one counts', 'Rename one.');
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
