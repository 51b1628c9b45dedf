import type { Ask } from '../input/ask.ts';
import { failed, judged, type Step, warning } from '../doctor/step.ts';
import { statusFault, type Visit } from '../doctor/visit.ts';
import type { ServiceAddresses } from './service-steps.ts';

const MAIL = 'mail';
const LINK = 'link of the mail';

const UNSEEN = {
  cause: 'Nobody but the reader of the mailbox can tell.',
  hint:
    'Look into the mailbox, spam included. Nothing there? On AWS: the queue UnsentMails and the log of the ' +
    'function mails say why (identity not verified, account in the sandbox); locally: .local/outbox/.',
} as const;

/** Asks for a mail that changes nothing: that of a forgotten password, whose link is not followed to its end. */
export const mailSteps = async (
  visit: Visit,
  ask: Ask,
  { base, management }: ServiceAddresses,
  email: string,
): Promise<readonly Step[]> => {
  const answer = await visit.postJson(`${management}/accounts/password-reset`, { email });
  const asked = judged(MAIL, statusFault(answer, [202]), `asked for one to ${email}`);
  if (asked.outcome === 'failed') return [asked];
  if (!ask.isPossible) {
    return [
      asked,
      warning(LINK, { what: 'not seen: there is no terminal to ask for it', ...UNSEEN }),
    ];
  }
  const link = (await ask.line('The link in the mail (empty: there is none)')).trim();
  if (link === '') return [asked, failed(LINK, { what: 'no mail came', ...UNSEEN })];
  if (!link.startsWith(`${base}/`) || !URL.canParse(link)) {
    return [
      asked,
      failed(LINK, {
        what: `the link does not begin with ${base}`,
        cause: 'The service was set up with another base URL, or a mail filter rewrites links.',
        hint: 'Set domain in config/<stage>.json; exempt the sender from rewriting.',
      }),
    ];
  }
  // Opening changes nothing: mail scanners do it, too.
  const page = await visit.get(link, { accept: 'text/html' });
  return [asked, judged(LINK, statusFault(page, [200]), 'opens the page of a new password')];
};
