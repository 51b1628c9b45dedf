import { SECRET_TEXTS } from '../../platform/rules/secret-texts.ts';

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

/** Whether what stands under a name is likely to be a secret. */
export const isSecretName = (name: string): boolean => {
  const plain = name.toLowerCase().replaceAll(/[^a-z\d]/g, '');
  if (SECRET_NAMES.has(plain) || SECRET_PARTS.test(plain)) return true;
  return plain.endsWith('token') && !PLACES.test(plain);
};

/** Secrets that are known by their form, wherever they stand, beside those that no log takes. */
const SECRET_FORMS = [
  ...SECRET_TEXTS,
  /-----BEGIN (?:[A-Z]{1,9} )?PRIVATE KEY-----[^-]*/g,
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

/** A copy of JSON without what is likely to be a secret, by its name or by its form. */
export const maskedValue = (value: unknown): unknown => {
  if (typeof value === 'string') return maskedText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(maskedValue);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      maskedForms(name),
      isSecretName(name) && isShown(member) ? MASK : maskedValue(member),
    ]),
  );
};

/** Whether a value tells anything: that there is none may be seen. */
const isShown = (value: unknown): boolean =>
  value !== null && value !== '' && typeof value !== 'boolean';

/** The same of a text, which may be JSON. What has no secret stays as it is, to the character. */
export const maskedText = (text: string): string => {
  const parsed = parsedJson(text);
  if (parsed === undefined) return PAIRS.reduce(maskedPairs, maskedForms(text));
  const masked = JSON.stringify(maskedValue(parsed));
  return masked === JSON.stringify(parsed) ? text : masked;
};

const parsedJson = (text: string): unknown => {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const maskedForms = (text: string): string =>
  SECRET_FORMS.reduce((masked, form) => masked.replace(form, MASK), text);

const maskedPairs = (text: string, pairs: RegExp): string =>
  text.replace(pairs, (pair: string, name: string, value: string) =>
    isSecretName(name)
      ? pair.replace(value, () => (value.startsWith('"') ? `"${MASK}"` : MASK))
      : pair,
  );
