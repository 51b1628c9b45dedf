import type { SESv2Client, SESv2ClientConfig } from '@aws-sdk/client-sesv2';
import { Fault } from '../../domain/fault.ts';
import type { Mailer } from '../../ports.ts';

/** Where the service is and who we are to it. Without `endpoint`: AWS itself. */
export type SesAccess = Required<Pick<SESv2ClientConfig, 'credentials' | 'region'>> &
  Pick<SESv2ClientConfig, 'endpoint'>;

/** Milliseconds. */
const CONNECT_MS = 1000;
const ANSWER_MS = 5000;

/** One plain address: nothing that would name a second recipient, or begin a header. */
const ADDRESS = /^[^\s\p{C}<>()[\]\\,;:"@]+@[^\s\p{C}<>()[\]\\,;:"@]+$/u;
/** Line breaks above all. */
const CONTROL = /[\p{Cc}\u2028\u2029]+/gu;

/**
 * Mails in two forms, plain text and HTML. One whose answer was lost may be sent twice. The SDK is
 * loaded at the first use: most requests send nothing.
 *
 * @param from - the service's own identity, bare or with a display name
 */
export const sesMailer = (access: SesAccess, from: string): Mailer => {
  let opened: Promise<Ses> | undefined;
  const open = () => (opened ??= connect(access));

  return {
    send: async ({ to, subject, text, html }) => {
      // The address is not quoted: errors are logged.
      if (!ADDRESS.test(to)) throw new TypeError('the recipient is not one plain address');
      const { sdk, client } = await open();
      await client
        .send(
          new sdk.SendEmailCommand({
            FromEmailAddress: from,
            Destination: { ToAddresses: [to] },
            Content: {
              Simple: {
                Subject: utf8(subject.replace(CONTROL, ' ')),
                Body: { Text: utf8(text), Html: utf8(html) },
              },
            },
          }),
        )
        .catch(sesFault);
    },
  };
};

interface Ses {
  readonly sdk: typeof import('./sdk.ts');
  readonly client: SESv2Client;
}

const connect = async (access: SesAccess): Promise<Ses> => {
  const sdk = await import('./sdk.ts');
  const client = new sdk.SESv2Client({
    ...access,
    maxAttempts: 2,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: ANSWER_MS,
      throwOnRequestTimeout: true,
      socketTimeout: ANSWER_MS,
    },
  });
  return { sdk, client };
};

const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });

const sesFault = (cause: unknown): never => {
  throw new Fault('ses', cause instanceof Error ? cause.name : 'unknown error', cause);
};
