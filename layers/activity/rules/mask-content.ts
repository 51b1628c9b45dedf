import { SECRET_TEXTS } from '../../platform/rules/secret-texts.ts';
import { jsonOrUndefined, parsedJson } from '../../platform/rules/json/parsed-json.ts';

export const MASK = '[masked]';

/** Parts of names, without signs between words, by which a secret goes. */
const SECRET_PARTS =
  /password|passwd|passphrase|secret|apikey|accesskey|privatekey|authorization|cookie|sessionid|bearer/;
const SECRET_NAMES = new Set([
  'auth',
  'pwd',
  'otp',
  'totp',
  'pin',
  'cvv',
  'cvc',
  'jwt',
  'signature',
]);
/** What is before `token` where it only says where a list goes on. */
const PLACES = /(?:page|next|previous|prev|continuation|sync|resume|cursor|starting)token$/;

export const isSecretName = (name: string): boolean => {
  const plain = name.toLowerCase().replaceAll(/[^a-z\d]/g, '');
  if (SECRET_NAMES.has(plain) || SECRET_PARTS.test(plain)) return true;
  return plain.endsWith('token') && !PLACES.test(plain);
};

/** Secrets that are known by their form, wherever they stand, beside those that no log takes. */
const SECRET_FORMS = [
  ...SECRET_TEXTS,
  /-----BEGIN (?:[A-Z]{1,9} )?PRIVATE KEY-----(?:[^-"\\]|\\[^"])*/g,
  /\b(?:AKIA|ASIA)[A-Z\d]{16}\b/g,
  /\bgh[a-z]_\w{20,}/g,
  /\bgithub_pat_\w{20,}/g,
  /\b[rs]k[-_][\w-]{16,}/g,
  /\bxox[a-z]-[\w-]{10,}/g,
  /\bhmt_[\w-]{20,}/g,
];

/** A name and its value in JSON that cannot be read (it is cut), in a form, in XML. */
const PAIRS = [
  /"([^"\\]{1,40})"\s{0,4}:\s{0,4}("(?:[^"\\]|\\[^])*"?|-?\d[\d.eE+-]*)/g,
  /([\w.[\]-]{1,40})=([^&\s"'<>;]+)/g,
  /<([\w:.-]{1,40})>([^<]+)</g,
];

/** A part of each name of a secret. */
const NAME_PARTS =
  /passw|passphrase|secret|(?:api|access|private).?key|authorization|cookie|session.?id|bearer|token|auth|pwd|otp|pin|cvv|cvc|jwt|signature/gi;
const NAME_LETTER = /[\w.-]/;

/** Whether a text may have the name of a secret: most have none, and are not read any further. */
const mayName = (text: string): boolean => {
  let end = 0;
  for (const { index: at, 0: part } of text.matchAll(NAME_PARTS)) {
    // Of one name, which is looked at once however many parts it has.
    if (at < end) continue;
    let start = at;
    while (start > end && NAME_LETTER.test(text.charAt(start - 1))) start -= 1;
    end = at + part.length;
    while (end < text.length && NAME_LETTER.test(text.charAt(end))) end += 1;
    if (isSecretName(text.slice(start, end))) return true;
  }
  return false;
};

/** A copy of arguments without what is likely to be a secret, by its name or by its form. */
export const maskedArguments = (sent: unknown): unknown => {
  const text = JSON.stringify(sent);
  if (text === undefined) return undefined;
  const masked = maskedText(text);
  return masked === text ? sent : parsedJson(masked);
};

/** The same of a text, which may be JSON. What has no secret stays as it is, to the character. */
export const maskedText = (text: string): string => {
  const masked = SECRET_FORMS.reduce((known, form) => known.replace(form, MASK), text);
  if (!mayName(masked)) return masked;
  const parsed = parsedContainer(masked);
  if (parsed === undefined) return PAIRS.reduce(maskedPairs, masked);
  const found: Found = { any: false, names: new Map() };
  const without = maskedNames(parsed, found);
  return found.any ? JSON.stringify(without) : masked;
};

/** What was found in one text. Names come again and again: each is looked at once. */
interface Found {
  any: boolean;
  readonly names: Map<string, boolean>;
}

const maskedNames = (value: unknown, found: Found): unknown => {
  if (typeof value === 'string') return maskedWithin(value, found);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => maskedNames(one, found));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const isSecret = isShown(member) && isSecretIn(found, name);
      found.any ||= isSecret;
      return [name, isSecret ? MASK : maskedNames(member, found)];
    }),
  );
};

const isSecretIn = ({ names }: Found, name: string): boolean => {
  const known = names.get(name);
  if (known !== undefined) return known;
  const isSecret = isSecretName(name);
  names.set(name, isSecret);
  return isSecret;
};

/** A text in JSON may be JSON again, or a form. */
const maskedWithin = (text: string, found: Found): string => {
  const masked = maskedText(text);
  found.any ||= masked !== text;
  return masked;
};

/** Whether a value tells anything: that there is none may be seen. */
const isShown = (value: unknown): boolean =>
  value !== null && value !== '' && typeof value !== 'boolean';

const parsedContainer = (text: string): unknown =>
  /^\s*[[{]/.test(text) ? jsonOrUndefined(text) : undefined;

const maskedPairs = (text: string, pairs: RegExp): string =>
  text.replace(pairs, (pair: string, name: string, value: string) => {
    if (!isSecretName(name)) return pair;
    // Behind the name, which may have it in itself.
    const at = pair.lastIndexOf(value);
    const mask = value.startsWith('"') ? `"${MASK}"` : MASK;
    return pair.slice(0, at) + mask + pair.slice(at + value.length);
  });
