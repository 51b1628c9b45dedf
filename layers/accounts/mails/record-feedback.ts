import { afterwards } from '../../platform/rules/afterwards.ts';
import { canonicalEmail, isEmail } from '../rules/email.ts';
import type { MailFeedback } from '../rules/undeliverable.ts';
import { fingerprint } from '../../platform/rules/fingerprint.ts';
import type { AccountsPorts } from '../ports.ts';

type RecordFeedbackPorts = Pick<
  AccountsPorts,
  'clock' | 'emails' | 'events' | 'log' | 'undeliverables'
>;

/**
 * Writes no more to whom a mail could not be delivered for good, or who called one spam: who goes on soon may
 * send no mails at all. The owner of the account, if there is one, reads of it.
 *
 * @returns how many addresses are not written to from now on
 *
 * Source: docs/decisions/accounts.md, "Bounces and complaints".
 */
export const recordFeedback = async (
  { clock, emails, events, log, undeliverables }: RecordFeedbackPorts,
  { reason, recipients }: MailFeedback,
): Promise<number> => {
  let recorded = 0;
  for (const email of recipients.map(canonicalEmail).filter(isEmail)) {
    if (!(await undeliverables.put(email, { reason, since: clock.now() }))) continue;
    recorded += 1;
    const accountId = await emails.accountOf(email);
    const subject = fingerprint(email);
    const event = 'mail_undeliverable';
    events.record({
      type: 'security',
      event,
      ...(accountId !== undefined && { accountId }),
      subject,
      why: reason,
    });
  }
  // An event that came again would find the address stored, and record nothing.
  await afterwards({ log }, 'events of mails that came back', events.flush);
  return recorded;
};
