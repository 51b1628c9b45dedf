import { isMailable } from '../rules/email.ts';
import type { Mail } from '../rules/records.ts';
import { MailRejected } from '../rules/undeliverable.ts';
import { type AwsAccess, errorName, faultOf, sdkClient } from '../../platform/aws/access.ts';

const ANSWER_MS = 5000;

/** Exactly one plain address: no characters that could add a second recipient or start a header. */
const ADDRESS = /^[^\s\p{C}<>()[\]\\,;:"@]+@[^\s\p{C}<>()[\]\\,;:"@]+$/u;
/** Control characters, above all line breaks, which could inject headers. */
const CONTROL = /[\p{Cc}\u2028\u2029]+/gu;

/** SES errors for a sender or recipient that is not verified or not permitted. */
const REJECTED: ReadonlySet<string> = new Set(['MessageRejected', 'AccessDeniedException']);

export interface MailSender {
  /** The verified SES identity, bare or with a display name. */
  readonly from: string;
  readonly configurationSet: string;
}

/**
 * Sends mails as plain text and HTML. A mail whose answer is lost may be sent twice.
 * @throws MailRejected from `send` where SES refuses the mail; Fault where SES fails
 */
export const sesMailer = (access: AwsAccess, { from, configurationSet }: MailSender) => {
  const open = sdkClient(
    () => import('./sdk.ts'),
    (sdk, settings) => new sdk.SESv2Client(settings),
    access,
    { answerMs: ANSWER_MS },
  );

  const sender = /<([^<>]*)>$/.exec(from)?.[1] ?? from;
  return {
    /** Whether SES takes mails for the address. It would refuse others each time, and with an alarm at last. */
    takes: (to: string): boolean => isMailable(to, sender),

    send: async ({ to, subject, text, html }: Mail): Promise<void> => {
      // The address is not quoted: errors are logged.
      if (!ADDRESS.test(to)) throw new TypeError('the recipient is not one plain address');
      const { sdk, client } = await open();
      await client
        .send(
          new sdk.SendEmailCommand({
            FromEmailAddress: from,
            ConfigurationSetName: configurationSet,
            Destination: { ToAddresses: [to] },
            Content: {
              Simple: {
                Subject: utf8(subject.replace(CONTROL, ' ')),
                Body: { Text: utf8(text), Html: utf8(html) },
              },
            },
          }),
        )
        .catch((error: unknown) => {
          const name = errorName(error);
          if (REJECTED.has(name)) throw new MailRejected(name);
          return sesFault(error);
        });
    },
  };
};

export type Mailer = ReturnType<typeof sesMailer>;

const sesFault = faultOf('ses');

const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });
