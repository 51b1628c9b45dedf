import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { openFolder, replaceFile } from '../disk.ts';
import { readJson } from '../wire/json.ts';
import { AwsRefusal } from '../wire/refusal.ts';
import { restService } from '../wire/rest.ts';
import type { AwsService } from '../wire/service.ts';
import { envelopeHeaders, writeMessage } from './message.ts';
import { readMail, type SentMail } from './request.ts';

export interface MailOptions {
  readonly outbox: string;
  readonly region: string;
  /** Addresses and domains that may send; without it, anyone may. */
  readonly identities: readonly string[] | undefined;
}

/** SES v2: SendEmail, which delivers into a folder of `.eml` files named by their time. */
export const openMail = async ({
  outbox,
  region,
  identities,
}: MailOptions): Promise<AwsService> => {
  await openFolder(outbox);

  const send = async (mail: SentMail): Promise<string> => {
    checkIdentity(senderOf(mail), identities, region);
    const id = randomUUID();
    const now = new Date();
    const name = `${now.toISOString().replace(/[:.]/g, '-')}-${id}.eml`;
    await replaceFile(join(outbox, name), ...contentOf(mail, id, now));
    return id;
  };

  return restService({
    signingName: 'ses',
    maxBodyBytes: 16 * 1024 * 1024,
    frontRefusals: {
      denied: ['AccessDeniedException', 403],
      throttled: ['TooManyRequestsException', 429],
    },
    operations: [
      {
        name: 'SendEmail',
        method: 'POST',
        path: /^\/v2\/email\/outbound-emails$/,
        run: async (request) => ({
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            MessageId: await send(asBadRequest(() => readMail(readJson(request)))),
          }),
        }),
      },
    ],
  });
};

const senderOf = (mail: SentMail): string =>
  mail.kind === 'raw' ? mail.from : mail.message.from.address;

const contentOf = (mail: SentMail, id: string, now: Date): readonly (string | Buffer)[] => {
  if (mail.kind === 'simple') return [writeMessage(mail.message, id, now)];
  // As SES does, the sender's own id and date give way.
  return [...envelopeHeaders(id, now).map((line) => `${line}\r\n`), withoutEnvelope(mail.content)];
};

const withoutEnvelope = (content: Buffer): Buffer => {
  const text = content.toString('latin1');
  const end = /\r?\n\r?\n/.exec(text)?.index ?? text.length;
  const head = text
    .slice(0, end)
    .split(/\r?\n(?![ \t])/)
    .filter((line) => !/^(date|message-id|bcc):/i.test(line))
    .join('\r\n');
  return Buffer.from(head + text.slice(end), 'latin1');
};

const checkIdentity = (
  sender: string,
  identities: readonly string[] | undefined,
  region: string,
): void => {
  const address = sender.toLowerCase();
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const verified = identities?.some((identity) =>
    [address, domain].includes(identity.toLowerCase()),
  );
  if (verified === false) {
    throw new AwsRefusal(
      'MessageRejected',
      'Email address is not verified. The following identities failed the check in region ' +
        `${region.toUpperCase()}: ${sender}`,
    );
  }
};

/** SES has one code for whatever is wrong with a request. */
const asBadRequest = <T>(read: () => T): T => {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AwsRefusal)) throw error;
    throw new AwsRefusal('BadRequestException', error.message);
  }
};
