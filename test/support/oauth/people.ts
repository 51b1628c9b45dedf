import { scryptSync } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AccountTerms,
  permitToCheck,
  permitToSet,
} from '../../../layers/accounts/rules/password-terms.ts';
import type { User } from '../../../layers/accounts/rules/user.ts';
import type { EmbeddedAws } from '../../../local/aws/index.ts';
import type { TestOAuth } from './oauth.ts';

export const PASSWORD = 'kestrel umbrella fog';

/** Where no company is named. */
const ANYBODYS: AccountTerms = {
  off: undefined,
  breakGlass: [],
  companies: [],
  exceptionOf: undefined,
};
export const MAY_CHECK = permitToCheck(ANYBODYS);
export const MAY_SET = permitToSet(ANYBODYS);

/** Cheap, so that tests that are about something else are fast. */
export const hashOf = (password: string): string => {
  const salt = Buffer.from('sixteen bytes...');
  const hash = scryptSync(password, salt, 32, { N: 16, r: 1, p: 1 });
  return `scrypt$16$1$1$${salt.toString('base64url')}$${hash.toString('base64url')}`;
};

/** Somebody with `PASSWORD`. */
export const aPerson = (service: TestOAuth, over: Partial<User> = {}): Promise<User> =>
  service.user({ passwordHash: hashOf(PASSWORD), ...over });

export interface ReceivedMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The address in it. */
  readonly link: string;
  /** What stands behind `token=`; empty if the link has none. */
  readonly token: string;
}

/** All mails sent so far, the oldest first. */
export const mailsOf = ({ store }: TestOAuth): Promise<readonly ReceivedMail[]> => mailsAt(store);

/** All mails that were asked for so far and are sent, the oldest first. */
export const mailsAt = async ({
  aws,
  dataFolder,
}: {
  readonly aws: EmbeddedAws;
  readonly dataFolder: string;
}): Promise<readonly ReceivedMail[]> => {
  await aws.eventsSettled();
  const outbox = join(dataFolder, 'outbox');
  const names = (await readdir(outbox).catch(() => []))
    .filter((name) => name.endsWith('.eml'))
    .sort();
  return Promise.all(
    names.map(async (name) => received(await readFile(join(outbox, name), 'utf8'))),
  );
};

/** The newest mail to an address. */
export const mailTo = async (service: TestOAuth, email: string): Promise<ReceivedMail> => {
  const mail = (await mailsOf(service)).findLast(({ to }) => to === email);
  if (!mail) throw new Error(`no mail to ${email}`);
  return mail;
};

const received = (eml: string): ReceivedMail => {
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(eml)?.[1]?.trim() ?? '';
  const text = textPart(eml);
  const link = /https?:\/\/\S+/.exec(text)?.[0] ?? '';
  return {
    to: header('To'),
    subject: header('Subject'),
    text,
    link,
    token: new URL(link).searchParams.get('token') ?? '',
  };
};

/** The plain text of a mail with two forms, decoded. */
const textPart = (eml: string): string => {
  const part = /content-type: text\/plain[\s\S]*?\r?\n\r?\n([\s\S]*?)\r?\n--/i.exec(eml);
  const [whole = '', body = ''] = part ?? [];
  if (/transfer-encoding: base64/i.test(whole)) return Buffer.from(body, 'base64').toString();
  if (/transfer-encoding: quoted-printable/i.test(whole)) {
    return body
      .replace(/=\r?\n/g, '')
      .replace(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  }
  return body;
};
