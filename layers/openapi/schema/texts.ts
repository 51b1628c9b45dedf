import { type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { trimmedEnd, withoutEntities } from '../../platform/rules/text.ts';
import { createHash } from 'node:crypto';
import { latinLetters } from './latin-letters.ts';
import { withPinyin } from './pinyin.ts';

/** Characters that are read, far more than are shown. */
const MAX_READ = 8_000;
const INLINE_HTML = /<\/?(?:a|b|code|em|i|span|strong)(?:\s[^<>]*)?>/gi;
const BLOCK_HTML = /<\/?(?:br|div|important|li|note|ol|p|pre|ul)(?:\s[^<>]*)?\/?>/gi;

/** A non-empty text without HTML tags, entities and repeated blanks, which only cost tokens. */
export const tidyText = (object: JsonObject, key: string): string | undefined => {
  const text = member(object, key);
  if (typeof text !== 'string') return undefined;
  // Fast path: most texts need no change.
  if (text.length <= MAX_READ && !/[<&\r\n\t\v\f\u0080-\uffff]|  /.test(text)) {
    return text.trim() === '' ? undefined : text.trim();
  }
  const untagged = text.slice(0, MAX_READ).replaceAll(INLINE_HTML, '').replaceAll(BLOCK_HTML, ' ');
  // After the tags: what is written with entities is no tag.
  const tidy = withoutEntities(untagged)
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
  return tidy === '' ? undefined : tidy;
};

/** Cuts a text to `max` characters after a sentence, else after a word, and appends `…`. */
export const shortened = (text: string, max: number): string => {
  if (text.length <= max) return text;
  if (max < 2) return '';
  const room = text.slice(0, max - 1);
  const sentence = /^([^]*[.!?])\s/.exec(room)?.[1] ?? '';
  const words = /^([^]*\S)\s/.exec(room)?.[1] ?? '';
  const kept = [sentence, words].find((part) => part.length > max / 2) ?? room;
  return `${trimmedEnd(kept, /[\s\uD800-\uDBFF]/)}…`;
};

export const sentences = (...texts: readonly (string | undefined)[]): string | undefined => {
  const given = texts.filter((text): text is string => text !== undefined && text !== '');
  if (given.length === 0) return undefined;
  return given.reduce(
    (before, text) => `${/^\p{Lu}/u.test(text) ? ended(before) : before} ${text}`,
  );
};

/** A text with a full stop before the next sentence, unless it ends with a sign of its own, or with a path. */
const ended = (text: string): string => {
  const last = text.slice(1 + text.lastIndexOf(' '));
  return /[\p{L}\p{N})\]"'`]$/u.test(last) && !last.startsWith('/') ? `${text}.` : text;
};

export const describedAsRequired = (names: readonly string[]): string =>
  `Described as required, for the API to judge: ${valueList(names, 20)}.`;

export const valueList = (values: readonly Json[], most: number): string =>
  values
    .slice(0, most)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(', ') + (values.length > most ? `, and ${values.length - most} more` : '');

const MAX_PROPERTY_NAME = 64;

/** Whether all model APIs accept a property name: `^[a-zA-Z0-9_.-]{1,64}$`, and not `__proto__`. */
export const isPropertyName = (name: string): boolean =>
  /^[a-zA-Z0-9_.-]{1,64}$/.test(name) && name !== '__proto__';

/** Valid name for a wire name: `filter_x` for `filter[x]`. Not necessarily unique. */
export const propertyName = (wire: string): string => {
  if (isPropertyName(wire)) return wire;
  const name = nameWithout(withPinyin(wire), /[^a-zA-Z0-9_.-]+/g);
  if (name === '') return `field_${shortHash(wire, 6)}`;
  return name.length > MAX_PROPERTY_NAME ? propertyNameWithHash(wire) : name;
};

const SIGNS: ReadonlyMap<string, string> = new Map([
  ['/', 'slash'],
  ['$', 'dollar'],
  ['@', 'at'],
  [':', 'colon'],
  ['#', 'hash'],
  ['*', 'star'],
  ['+', 'plus'],
  ['!', 'not'],
  ['=', 'is'],
  ['<', 'less'],
  ['>', 'more'],
  ['[', 'bracket'],
]);

/** Name that is not taken: with punctuation as words (`prefs_slash_color`), else with a hash. */
export const propertyNameApart = (wire: string, taken: ReadonlySet<string>): string => {
  const words = latinLetters(withPinyin(wire)).replaceAll(
    /[^a-zA-Z0-9_.-]/g,
    (sign) => `_${SIGNS.get(sign) ?? ''}_`,
  );
  const name = words.split('_').filter(Boolean).join('_');
  const isOther = name !== propertyName(wire) && isPropertyName(name) && !taken.has(name);
  return isOther ? name : propertyNameWithHash(wire);
};

export const propertyNameWithHash = (wire: string, ...origin: readonly string[]): string =>
  `${(nameWithout(withPinyin(wire), /[^a-zA-Z0-9_.-]+/g) || 'field').slice(0, MAX_PROPERTY_NAME - 13)}_${shortHash([wire, ...origin].join('\n'), 12)}`;

/** Name under `$defs`: the last part of the pointer, with a hash unless it is a plain component. */
export const definitionName = (pointer: string): string => {
  const parts = pointer.split('/');
  const last = parts.at(-1) ?? '';
  const isComponent =
    /^#\/(components\/schemas|definitions)\/[^/]+$/.test(pointer) && isPropertyName(last);
  return isComponent ? last : propertyNameWithHash(last, pointer);
};

/** Replaces letters of other scripts with Latin ones and runs of forbidden characters with `_`; a valid name stays unchanged. */
export const nameWithout = (text: string, forbidden: RegExp): string => {
  const name = latinLetters(text).replaceAll(forbidden, '_');
  if (name === text && name !== '__proto__') return name;
  return name.replaceAll(/_{2,}/g, '_').replaceAll(/^_|_$/g, '');
};

/** Whether a name has letters of another script, whose meaning is lost where they are written in Latin ones. */
export const isForeign = (wire: string): boolean => /[^\0-\u024f]/.test(wire);

/** What a schema says of the name under which its value is sent. */
export const sentAsNote = (wire: string): string => `Sent as ${JSON.stringify(wire)}.`;

export const shortHash = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length);
