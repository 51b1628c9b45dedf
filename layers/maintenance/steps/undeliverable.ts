import { canonicalEmail } from '../../accounts/rules/email.ts';
import type { Undeliverable } from '../../accounts/rules/undeliverable.ts';
import { fingerprint } from '../../platform/rules/fingerprint.ts';
import type { AccountsPorts } from '../../accounts/ports.ts';

/** Why and since when an address gets no mails; undefined if it gets them. */
export const mailStatus = (
  { undeliverables }: Pick<AccountsPorts, 'undeliverables'>,
  email: string,
): Promise<Undeliverable | undefined> => undeliverables.find(canonicalEmail(email));

/**
 * Allows mails to an address again.
 * @returns false if they were allowed already
 * Source: docs/decisions/accounts.md, "Bounces and complaints".
 */
export const allowMails = async (
  { events, undeliverables }: Pick<AccountsPorts, 'events' | 'undeliverables'>,
  sent: string,
): Promise<boolean> => {
  const email = canonicalEmail(sent);
  if (!(await undeliverables.find(email))) return false;
  await undeliverables.remove(email);
  const subject = fingerprint(email);
  events.record({ type: 'security', event: 'mail_allowed', subject, why: 'operator' });
  return true;
};
