import type { Mailer } from '../../ports.ts';
import { type AwsAccess, faultOf, sdkClient } from '../aws/access.ts';

/** Milliseconds. */
const ANSWER_MS = 5000;

/** One plain address: nothing that would name a second recipient, or begin a header. */
const ADDRESS = /^[^\s\p{C}<>()[\]\\,;:"@]+@[^\s\p{C}<>()[\]\\,;:"@]+$/u;
/** Line breaks above all. */
const CONTROL = /[\p{Cc}\u2028\u2029]+/gu;

/**
 * Mails in two forms, plain text and HTML. One whose answer was lost may be sent twice.
 *
 * @param from - the service's own identity, bare or with a display name
 */
export const sesMailer = (access: AwsAccess, from: string): Mailer => {
  const open = sdkClient(
    () => import('./sdk.ts'),
    (sdk, settings) => new sdk.SESv2Client(settings),
    access,
    { answerMs: ANSWER_MS },
  );

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
        .catch(faultOf('ses'));
    },
  };
};

const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });
