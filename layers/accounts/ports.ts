import type { TokensPorts } from '../tokens/ports.ts';
import type { Mailer } from './mails/ses-mailer.ts';
import type { CompanyStandings } from './rules/standing.ts';
import type { CompanyPage, PasswordTerms } from './rules/password-terms.ts';
import type { SignUpPolicy } from './rules/sign-up-policy.ts';
import type { CallerIdentities } from './store/caller-identities.ts';
import type { CommandLineCodes } from './store/command-line-codes.ts';
import type { CommonPasswords } from './store/common-passwords.ts';
import type { ConsoleLinks } from './store/console-links.ts';
import type { Emails } from './store/emails.ts';
import type { KnownDevices } from './store/known-devices.ts';
import type { Lockouts } from './store/lockouts.ts';
import type { MailCounts } from './store/mail-counts.ts';
import type { MailEvents, MailRequests } from './store/mail-requests.ts';
import type { MailTokens } from './store/mail-tokens.ts';
import type { OperatorMarks } from './store/operator-marks.ts';
import type { Passwords } from './store/passwords.ts';
import type { PersonalTokens } from './store/personal-tokens.ts';
import type { SentMails } from './store/sent-mails.ts';
import type { Sessions } from './store/sessions.ts';
import type { SignOuts } from './store/sign-outs.ts';
import type { Trusts } from './store/trusts.ts';
import type { Undeliverables } from './store/undeliverables.ts';
import type { UserList } from './store/user-list.ts';
import type { Users } from './store/users.ts';
import type { Plan } from '../limits/rules/plan.ts';

export interface AccountsPorts extends TokensPorts {
  readonly users: Users;
  readonly operatorMarks: OperatorMarks;
  readonly userList: UserList;
  readonly emails: Emails;
  readonly undeliverables: Undeliverables;
  readonly mailRequests: MailRequests;
  readonly mailEvents: MailEvents;
  readonly mailCounts: MailCounts;
  readonly sentMails: SentMails;
  readonly mailTokens: MailTokens;
  readonly knownDevices: KnownDevices;
  readonly lockouts: Lockouts;
  readonly consoleLinks: ConsoleLinks;
  readonly commandLineCodes: CommandLineCodes;
  readonly personalTokens: PersonalTokens;
  readonly callerIdentities: CallerIdentities;
  readonly trusts: Trusts;
  readonly sessions: Sessions;
  readonly signOuts: SignOuts;
  readonly passwords: Passwords;
  readonly commonPasswords: CommonPasswords;
  readonly mailer: Mailer;
  /** Asks identity providers whether people are still active, where such a check is due. */
  readonly standings: CompanyStandings;
  /** Whether some domain signs in at an identity provider, so that login pages ask for the address first. */
  readonly asksAddressFirst: () => Promise<boolean>;
  /** Sign-in page of an identity provider, by its id; undefined when it is no longer used for sign-in. */
  readonly companyPage: (provider: string) => Promise<CompanyPage | undefined>;
  /** The only identity provider, where passwords are off; undefined where there are several ways to sign in. */
  readonly onlyCompany: () => Promise<CompanyPage | undefined>;
  /** Whether a command-line sign-in through this provider counts as recent, though it sends no `auth_time`. */
  readonly isFreshAtCommandLine: (provider: string) => Promise<boolean>;
  /** What a password sign-in of this address may do. @param email - canonical */
  readonly passwordTerms: (email: string) => Promise<PasswordTerms>;
}

export interface AccountsSettings {
  /** Who may sign up without an operator; absent: nobody. */
  readonly signUp?: SignUpPolicy;
  /** Plan of accounts that people create themselves; absent: `free`. */
  readonly newAccountPlan?: Plan | undefined;
}
