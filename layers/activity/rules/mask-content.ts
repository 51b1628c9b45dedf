import { MASK } from '../../tools/masking/mask-secrets.ts';
import { SECRET_TEXTS } from '../../platform/rules/secret-texts.ts';
import { jsonOrUndefined, parsedJson } from '../../platform/rules/json/parsed-json.ts';
import { maskedValues } from './mask-values.ts';
import { isSecretName, mayName } from './secret-names.ts';

/** Recognizable formats of secrets (AWS, GitHub, Slack and others), in addition to those that no log may contain. */
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

/** Masks values that are likely secrets, by member name or format. */
export const maskedArguments = (sent: unknown): unknown => {
  const text = JSON.stringify(sent);
  if (text === undefined) return undefined;
  const masked = maskedText(text);
  return masked === text ? sent : parsedJson(masked);
};

/** Masks a text, which may be JSON. Without a secret it stays the same to the byte. */
export const maskedText = (text: string): string => {
  const masked = SECRET_FORMS.reduce((known, form) => known.replace(form, MASK), text);
  const isContainer = /^\s*[[{]/.test(masked);
  if (isContainer && !mayName(masked)) return masked;
  const parsed = isContainer ? jsonOrUndefined(masked) : undefined;
  if (parsed === undefined) return maskedValues(masked);
  const found: Found = { any: false, names: new Map() };
  const without = maskedNames(parsed, found);
  return found.any ? JSON.stringify(without) : masked;
};

/** Each name is checked once, since names recur. */
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

/** A string in JSON may contain JSON or a form again. */
const maskedWithin = (text: string, found: Found): string => {
  const masked = maskedText(text);
  found.any ||= masked !== text;
  return masked;
};

/** Empty values and booleans need no mask. */
const isShown = (value: unknown): boolean =>
  value !== null && value !== '' && typeof value !== 'boolean';
