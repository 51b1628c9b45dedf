import type { Finding } from '../../../api/problem.ts';

/** Those that the service warns of: the console imports nothing of it, and a test compares the two. */
export const MAIL_PROVIDERS: readonly string[] = (
  'gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com icloud.com me.com ' +
  'mac.com aol.com proton.me protonmail.com pm.me zoho.com fastmail.com mail.com gmx.com gmx.net gmx.de web.de ' +
  't-online.de orange.fr free.fr laposte.net libero.it yahoo.co.uk hotmail.co.uk yahoo.co.jp mail.ru yandex.ru ' +
  'yandex.com qq.com 163.com 126.com naver.com uol.com.br'
).split(' ');

/** An allow list as it is typed: an e-mail address or a domain on each line, blanks in it as they stand. */
export const allowedLines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The two lists of the API. A line with `@` is meant as an address; whether it is one, the service says. */
export const allowListOf = (lines: readonly string[]) => ({
  emails: lines.filter(isAddress),
  domains: lines.filter((line) => !isAddress(line)),
});

const isAddress = (line: string): boolean => line.includes('@');

/** Whom a line lets in. Domains match whole: a name below one is another domain. */
export const meaningOf = (line: string): string =>
  isAddress(line) ? 'this address' : 'everybody of this domain, not of names below it';

/** Domains whose addresses anybody can have, and that are not yet in the list before. */
export const addedProviders = (
  lines: readonly string[],
  before: readonly string[],
): readonly string[] => {
  const known = new Set(before.map((line) => line.toLowerCase()));
  return [...new Set(lines.map((line) => line.toLowerCase()))].filter(
    (line) => MAIL_PROVIDERS.includes(line) && !known.has(line),
  );
};

/** What the service found at an entry of the lists that were made of these lines, by line. */
export const faultsOf = (
  lines: readonly string[],
  findings: readonly Finding[],
): ReadonlyMap<string, string> => {
  const lists = allowListOf(lines);
  return new Map(
    findings.flatMap(({ where, what }) => {
      const [, list, index] = /^\/access\/(emails|domains)\/(\d+)$/.exec(where) ?? [];
      const line = list && lists[list as keyof typeof lists][Number(index)];
      return line ? [[line, what] as const] : [];
    }),
  );
};

/** Who can come in, as two settings say it together. */
export interface Openness {
  readonly authMethod: 'oauth' | 'jwt' | 'none';
  readonly mode: 'owner' | 'allow_list' | 'any_user';
}

/** How far it is open to people whom its owner does not know. */
const widthOf = ({ authMethod, mode }: Openness): number =>
  authMethod === 'none' ? 2 : authMethod === 'oauth' && mode === 'any_user' ? 1 : 0;

/** Whether a change lets in people whom its owner does not know, and who were not let in before. */
export const isOpened = (before: Openness, after: Openness): boolean =>
  widthOf(after) > widthOf(before);
