import { type Opened, openedByPassword } from '../../accounts/rules/password-terms.ts';
import { standingOf } from '../../accounts/rules/standing.ts';
import type { User, UserIdentity } from '../../accounts/rules/user.ts';
import { type EpochSeconds, timeOf } from '../../platform/rules/time.ts';
import { mayLinkOperator } from './linking.ts';
import { type Believed, passwordTermsOf } from './password-terms.ts';
import type { IdentityProvider } from './providers.ts';
import { domainOf } from '../../accounts/rules/email.ts';
import { providerOfAddress, termsOfCompanies } from './sign-in.ts';

interface Known {
  readonly email: string;
  readonly user: User | undefined;
  readonly isOperator: boolean;
  readonly believed: Believed;
  readonly baseUrl: string;
  readonly now: EpochSeconds;
}

/**
 * Explains to operators how the holder of an address signs in and what might prevent it. Uses the same rules as the
 * sign-in itself, so that the explanation cannot differ from what happens.
 * Source: docs/access.md, "Whose account it is", "Passwords", "When somebody leaves".
 */
export const personInWords = (known: Known): readonly string[] => {
  const { email, user, believed } = known;
  const provider = providerOfAddress(believed.providers, email);
  const way = provider
    ? `The sign-in page leads people of ${domainOf(email)} to ${provider.id}.`
    : `No provider signs in people of ${domainOf(email)}.`;
  return [
    way,
    aboutPassword(known),
    ...(user ? aboutAccount(known, user, provider) : [withoutAccount(provider)]),
  ];
};

const aboutPassword = ({ email, user, believed, baseUrl }: Known): string => {
  const terms = passwordTermsOf(believed, { baseUrl, email });
  if (terms.company) return `A password of this address is refused (${terms.company.name}).`;
  if (!user) {
    return terms.off
      ? 'Passwords are off: nobody chooses one.'
      : 'A password of this address is taken, where there is an account.';
  }
  const opened = openedByPassword(terms, user);
  if (opened !== 'nothing') return BY_PASSWORD[opened];
  return terms.off
    ? 'Passwords are off: none opens the account.'
    : 'No password opens the account: a company signs in its person.';
};

const BY_PASSWORD: Readonly<Record<Exclude<Opened, 'nothing'>, string>> = {
  account: 'A password opens the account, if it has one.',
  exception:
    'The address is among the exceptions: a password opens the account, with an event each time.',
  break_glass:
    'The account is kept for emergencies: a password opens it, and all of them get a mail.',
};

const aboutAccount = (
  known: Known,
  user: User,
  provider: IdentityProvider | undefined,
): readonly string[] => {
  const { isOperator, believed } = known;
  const { providers } = believed;
  const former = (user.identities ?? []).filter(
    ({ issuer }) => !providers.some((one) => speaksFor(one, issuer)),
  );
  return [
    ...(provider ? [isOperator ? linkOf(provider, user, known.now) : knownBy(provider, user)] : []),
    ...standingInWords(known, user),
    ...former.map(({ issuer }) => `It is known by ${issuer}, which is not on the list any more.`),
  ];
};

/** What the sign-in rules say, as far as that is known without asking the company. */
const standingInWords = (known: Known, user: User): readonly string[] => {
  const { believed, now } = known;
  const terms = termsOfCompanies(believed.providers);
  const standing = standingOf(user, terms, 'grant', now);
  const left = (user.identities ?? []).find(({ leftAt }) => leftAt !== undefined)?.leftAt;
  switch (standing.as) {
    case 'ended':
      return [
        `Every door is refused: ${standing.why}.`,
        ...(isEndedElsewhere(known, user) ? [ENDED_ELSEWHERE] : []),
        ...(left === undefined
          ? []
          : [
              `They have left: a day later their company said it again (${timeOf(left)}). hosted-mcp admin transfer gives their servers to somebody else.`,
            ]),
      ];
    case 'sign_in_again':
      return [
        `What clients were granted is refused until they sign in with ${standing.company} again.`,
      ];
    case 'check':
      return [`At the next use of a client or program ${standing.terms.name} is asked about them.`];
    default:
      return [];
  }
};

/** Whether an ending concerns a subject of another claim than the provider's list uses now. */
const isEndedElsewhere = ({ believed }: Known, { identities = [] }: User): boolean =>
  identities.some(
    ({ issuer, claim = 'sub', endedAt }) =>
      endedAt !== undefined &&
      believed.providers.some((one) => one.issuer === issuer && one.subject_claim !== claim),
  );

const ENDED_ELSEWHERE =
  'It was said of a subject by another claim (subject_claim): where they are back, hosted-mcp admin forget-identity takes it away.';

const withoutAccount = (provider: IdentityProvider | undefined): string => {
  if (!provider) return 'There is no account of this address.';
  return provider.create_accounts
    ? 'There is no account of this address: the first sign-in makes one.'
    : `There is no account of this address, and ${provider.id} makes none (create_accounts): hosted-mcp admin account makes it.`;
};

const identityAt = ({ issuer, subject_claim: claim }: IdentityProvider, user: User) =>
  user.identities?.find((one) => one.issuer === issuer && (one.claim ?? 'sub') === claim);

/** Explains whether a company signs in to an operator's account, which another operator must have allowed. */
const linkOf = (provider: IdentityProvider, user: User, now: EpochSeconds): string => {
  const { id } = provider;
  if (identityAt(provider, user)?.opensOperator) {
    return `The account is an operator's, and ${id} opens it.`;
  }
  return mayLinkOperator(user, provider, now)
    ? `The account is an operator's: the next sign-in with ${id} opens it for good, until ${timeOf(user.mayLink?.until ?? 0)}.`
    : `The account is an operator's, and ${id} does not open it. hosted-mcp admin link EMAIL ${id} lets it, within 15 minutes.`;
};

const knownBy = (provider: IdentityProvider, user: User): string => {
  const { id } = provider;
  const identity = identityAt(provider, user);
  if (!identity) {
    return `${id} has not been seen with this account: its first sign-in makes the account theirs, and ends its password.`;
  }
  const seen = identity.signedIn ? 'by a sign-in' : 'by assertions alone';
  return `${id} is known to the account ${seen}. Another subject of it is refused; where that is the same person, hosted-mcp admin forget-identity makes room.`;
};

const speaksFor = ({ issuer, assertions }: IdentityProvider, of: string): boolean =>
  issuer === of || assertions?.issuer === of;

/** An identity for operators, times as ISO 8601. The subject, a hash, is left out. */
export const identityBody = (
  identity: UserIdentity,
  providers: readonly IdentityProvider[],
): Readonly<Record<string, unknown>> => ({
  provider: providers.find((one) => speaksFor(one, identity.issuer))?.id,
  ...Object.fromEntries(
    Object.entries(identity)
      .filter(([name]) => name !== 'subject')
      .map(([name, value]) => [name, typeof value === 'number' ? timeOf(value) : value]),
  ),
});
