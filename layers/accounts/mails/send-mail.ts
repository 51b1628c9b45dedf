import {
  accountMadeEmail,
  alreadyRegisteredLetter,
  breakGlassEmail,
  type EmailContent,
  invitationEmail,
  noticeEmail,
  openedByCompanyEmail,
  resetEmail,
  signUpEmail,
} from '../rules/mails.ts';
import { MailRejected } from '../rules/undeliverable.ts';
import type { InvitationMail, MailRequest } from '../rules/user.ts';
import { consolePages, routerAddresses } from '../../platform/rules/addresses.ts';
import type { MailOutcome } from '../../platform/rules/metrics/metrics.ts';
import { afterwards } from '../../platform/rules/afterwards.ts';
import { Fault } from '../../platform/rules/fault.ts';
import { MINUTE } from '../../platform/rules/time.ts';
import type { AccountsPorts } from '../ports.ts';
import {
  companyLink,
  noticeLink,
  RESET_SECONDS,
  resetLink,
  resetPage,
  signUpLink,
} from './links.ts';
import type { PortsOf } from '../../platform/ports.ts';

type SendMailPorts = PortsOf<typeof signUpLink> &
  Pick<AccountsPorts, 'emails' | 'log' | 'mailCounts' | 'mailer' | 'sentMails' | 'undeliverables'>;

/**
 * Sends the requested mail once, however often the request is delivered. Addresses without an account get only sign-up
 * and invitation mails. Those that bounced or complained, and those that SES does not take, get none. The limits per
 * address hold for all: a mail over the limit is dropped before its link is made, so that the link sent before stays
 * valid.
 *
 * SES has no idempotency key. Where its answer is lost the mail may have been sent; it is sent again, since a mail that
 * never arrives is worse than two.
 *
 * @throws Fault when a neighbour fails, or the same request is being processed: the event is retried
 * Source: docs/decisions/accounts.md, "Who sends mails".
 */
export const sendMail = async (
  ports: SendMailPorts,
  request: MailRequest,
): Promise<MailOutcome> => {
  const { id, purpose, email } = request;
  const { clock, emails, log, mailCounts, mailer, sentMails, undeliverables } = ports;
  const hasAccount = (await emails.accountOf(email)) !== undefined;
  if (!FOR_STRANGERS.includes(purpose) && !hasAccount) return 'no_account';
  if (!mailer.takes(email) || (await undeliverables.find(email))) return 'undeliverable';
  if (!(await mailCounts.take(email, id, clock.now()))) return 'too_many';
  // Before the letter is written: a new link would invalidate the one already sent.
  const begun = await sentMails.begin(id, clock.now());
  if (begun === 'sent') return 'sent_before';
  if (begun === 'under_way') throw new Fault('lambda', 'the same mail is being sent');
  try {
    const letter = await letterOf(ports, request, hasAccount);
    await mailer.send({ to: email, ...letter });
  } catch (error) {
    await afterwards(ports, 'a mail given up', begun.notSent);
    if (error instanceof MailRejected) {
      log.write({
        message: 'mail_rejected',
        level: 'error',
        purpose,
        request_id: id,
        what: REJECTED,
      });
    }
    throw error;
  }
  await afterwards(ports, 'a mail noted as sent', begun.sent);
  return 'sent';
};

/** Mails that addresses without an account may get. */
const FOR_STRANGERS: readonly MailRequest['purpose'][] = ['sign_up', 'invitation'];

const REJECTED =
  'SES took no mail from this sender, or none to this recipient. Verify the identity of the sender in this ' +
  'region; while the account is in the SES sandbox, verify each recipient too, or have the account moved out ' +
  'of it. See docs/aws.md, "Mails that could not be sent".';

const letterOf = async (
  ports: SendMailPorts,
  request: MailRequest,
  hasAccount: boolean,
): Promise<EmailContent> => {
  const { email } = request;
  switch (request.purpose) {
    case 'sign_up':
      return signUp(ports, email, hasAccount);
    case 'reset_password':
      return reset(ports, email);
    case 'account_made':
      return accountMade(ports, email);
    case 'invitation':
      return invitation(ports, request, hasAccount);
    case 'break_glass_used':
      return breakGlassEmail(request.by, consolePages(ports.settings.baseUrl));
    case 'opened_by_company':
      return openedByCompanyEmail(
        request.company,
        `${consolePages(ports.settings.baseUrl)}/account`,
      );
    default: {
      const { purpose, slug = '' } = request;
      return noticeEmail(purpose, slug, noticeLink(ports.settings, purpose, slug));
    }
  }
};

const signUp = async (
  ports: SendMailPorts,
  email: string,
  hasAccount: boolean,
): Promise<EmailContent> =>
  hasAccount
    ? alreadyRegisteredLetter(resetPage(ports.settings))
    : signUpEmail(await signUpLink(ports, email));

const reset = async (ports: SendMailPorts, email: string): Promise<EmailContent> =>
  resetEmail(await resetLink(ports, email), RESET_SECONDS / MINUTE);

const accountMade = async (ports: SendMailPorts, email: string): Promise<EmailContent> =>
  accountMadeEmail(await resetLink(ports, email), {
    minutes: RESET_SECONDS / MINUTE,
    host: new URL(ports.settings.baseUrl).host,
  });

/** Chooses the invitation's one link: by company sign-in, to the server, or by sign-up where that is allowed. */
const invitation = async (
  ports: SendMailPorts,
  { email, slug, by, maySignUp, company }: InvitationMail,
  hasAccount: boolean,
): Promise<EmailContent> => {
  const invited = { slug, by, host: new URL(ports.settings.baseUrl).host };
  const { docs } = routerAddresses(ports.settings.baseUrl, slug);
  if (company && (hasAccount || maySignUp)) {
    const link = companyLink(ports.settings, company.id, slug);
    return invitationEmail({ ...invited, link, account: 'of_company', company: company.name });
  }
  if (hasAccount) return invitationEmail({ ...invited, link: docs, account: 'there' });
  if (!maySignUp) return invitationEmail({ ...invited, link: docs, account: 'of_operator' });
  const link = await signUpLink(ports, email, slug);
  return invitationEmail({ ...invited, link, account: 'to_make' });
};
