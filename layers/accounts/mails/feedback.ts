import { afterwards } from '../../platform/rules/afterwards.ts';
import { canonicalEmail, isEmail } from '../rules/email.ts';
import { fingerprint } from '../../platform/rules/fingerprint.ts';
import type { AccountsPorts } from '../ports.ts';
import type { MailFeedback } from '../rules/undeliverable.ts';
import * as z from 'zod/mini';

const Mail = z.object({
  destination: z.array(z.string()),
  tags: z.record(z.string(), z.array(z.string())),
});
const recipients = z.array(z.object({ emailAddress: z.string() }));

const Bounced = z.object({
  eventType: z.literal('Bounce'),
  bounce: z.object({ bounceType: z.string(), bouncedRecipients: recipients }),
  mail: Mail,
});
const Complained = z.object({
  eventType: z.literal('Complaint'),
  complaint: z.object({ complainedRecipients: recipients }),
  mail: Mail,
});

const Event = z.object({
  source: z.literal('aws.ses'),
  'detail-type': z.enum(['Email Bounced', 'Email Complaint Received']),
  detail: z.discriminatedUnion('eventType', [Bounced, Complained]),
});

/** Whether an event comes from EventBridge; requests for mails have no `detail-type`. */
export const isFeedbackEvent = (event: unknown): boolean =>
  typeof event === 'object' && event !== null && Object.hasOwn(event, 'detail-type');

/**
 * Reads a bounce or complaint that SES reports. Transient bounces (a full mailbox) do not count against an address; of
 * the recipients only those count that the mail was addressed to.
 * @param configurationSet - ours: other senders in this AWS account use other sets and are ignored
 * @returns undefined for an event that says nothing against an address
 * @throws Error for an event of another kind
 * Source: Amazon SES Developer Guide, "Contents of event data that Amazon SES publishes"; Amazon EventBridge Events
 * Reference, "Amazon Simple Email Service events".
 */
export const readFeedback = (
  event: unknown,
  configurationSet: string,
): MailFeedback | undefined => {
  const { success, data, error } = z.safeParse(Event, event);
  if (!success) {
    const where = error.issues.map(({ path }) => path.join('.') || 'the event').join(', ');
    throw new Error(`not an event of SES: ${where}`);
  }
  const { detail } = data;
  if (!detail.mail.tags['ses:configuration-set']?.includes(configurationSet)) return undefined;
  if (detail.eventType === 'Bounce' && detail.bounce.bounceType !== 'Permanent') return undefined;
  const named =
    detail.eventType === 'Bounce'
      ? detail.bounce.bouncedRecipients
      : detail.complaint.complainedRecipients;
  const written = new Set(detail.mail.destination.map((address) => address.toLowerCase()));
  return {
    reason: detail.eventType === 'Bounce' ? 'bounce' : 'complaint',
    recipients: named
      .map(({ emailAddress }) => emailAddress)
      .filter((address) => written.has(address.toLowerCase())),
  };
};

type RecordFeedbackPorts = Pick<
  AccountsPorts,
  'clock' | 'emails' | 'events' | 'log' | 'undeliverables'
>;

/**
 * Stops sending mails to addresses that bounced permanently or complained: SES suspends senders that go on writing to
 * them. If the address has an account, its owner sees the event.
 * @returns number of addresses newly blocked
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
  // Flushed now: a redelivered event would find the address stored and record nothing.
  await afterwards({ log }, 'events of mails that came back', events.flush);
  return recorded;
};
