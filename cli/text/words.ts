import { textOf } from '../json.ts';

/** `1 tool`, `2 tools`. */
export const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;

/** `/paths/~1x/get and 2 other places` */
export const otherPlaces = (where: string, others: number): string => {
  if (others === 0) return where;
  const places = others === 1 ? 'another place' : `${others} other places`;
  return `${where} and ${places}`.trimStart();
};

/**
 * Decodes UTF-8, or UTF-16 with a byte order mark, as PowerShell writes it. The mark is dropped.
 * @returns undefined for other bytes
 */
export const decodedText = (bytes: Uint8Array): string | undefined => {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const name = isUtf16 ? (first === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8';
  try {
    return new TextDecoder(name, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** Adds a full stop unless the text ends in punctuation. */
export const sentence = (text: string): string => (/[.!?:]$/.test(text) ? text : `${text}.`);

export const messageOf = (error: unknown): string =>
  textOf(memberOf(error, 'message')) ?? String(error);

/** The error's class; its message may quote what was read or sent. */
export const errorName = (error: unknown): string =>
  String(memberOf(error, 'name') ?? typeof error);

/** System error code such as `ENOENT`. */
export const codeOf = (error: unknown): string | undefined => textOf(memberOf(error, 'code'));

/** The middle of a system error such as `ENOENT: no such file or directory, open 'x'`. */
export const inWords = (error: unknown): string =>
  /^[A-Z\d_]+: ([^,]+)/.exec(messageOf(error))?.[1] ?? messageOf(error);

/** Reads errors of any realm, as Node may throw. */
export const memberOf = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null
    ? (error as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** Replaces the service's word "deployment" by "server", except in names. */
export const withServers = (text: string): string =>
  text
    .split(' ')
    .map((word) =>
      word.replace(DEPLOYMENT, (_, before: string, first: string, after: string) =>
        first === 'D' ? `${before}Server${after}` : `${before}server${after}`,
      ),
    )
    .join(' ');

const DEPLOYMENT = /^([("]?)([Dd])eployment(s?(?:'s)?[^\w-]*)$/;
