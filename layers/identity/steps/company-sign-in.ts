import type { AccountsPorts } from '../../accounts/ports.ts';
import type { User } from '../../accounts/rules/user.ts';
import { countRequest } from '../../accounts/steps/count-request.ts';
import type { PlatformSettings, PortsOf } from '../../platform/ports.ts';
import { fingerprint } from '../../platform/rules/fingerprint.ts';
import { PageRefusal } from '../../platform/rules/refusal/page-refusal.ts';
import type { SentParameters } from '../../platform/rules/sent-parameters.ts';
import { addressSubject } from '../../platform/rules/subject.ts';
import { type EpochSeconds, MINUTE } from '../../platform/rules/time.ts';
import { InvalidToken } from '../../tokens/rules/authorization.ts';
import type { IdentityPorts } from '../ports.ts';
import {
  type Asking,
  authorizationUrl,
  isFrom,
  cookieValueOf,
  nextOf,
  nonceOf,
  readReturned,
  verifierOf,
} from '../rules/flow.ts';
import type { IdentityProvider } from '../rules/providers.ts';
import { MAX_CODE, type SignInFailure, SignInFailed } from '../rules/redeemed.ts';
import { signsIn, type SignInProvider } from '../rules/sign-in.ts';
import type { CompanySignIn } from '../store/sign-ins.ts';
import { type KnownUserPorts, signedInUser } from './known-user.ts';

export const COMPANY_SIGN_IN_SECONDS = 10 * MINUTE;

export interface Begin {
  /** Destination after the sign-in, a path of this origin. */
  readonly next: string;
  readonly email: string;
  readonly asking: Asking;
  readonly sourceIp: string;
}

/**
 * Redirects a browser to a provider to sign in.
 * @returns `cookieValue` goes to the browser only, in a cookie whose name depends on `state`
 * @throws ApiRefusal rate_limited
 */
export const beginCompanySignIn = async (
  ports: PortsOf<typeof countRequest> &
    Pick<IdentityPorts, 'companySignIns' | 'random'> & {
      readonly settings: Pick<PlatformSettings, 'baseUrl'>;
    },
  provider: SignInProvider<IdentityProvider>,
  { next, email, asking, sourceIp }: Begin,
): Promise<{ readonly location: string; readonly state: string; readonly cookieValue: string }> => {
  const { clock, companySignIns, random, settings } = ports;
  await countRequest(ports, 'company_sign_ins_per_minute_per_ip', sourceIp);
  const state = random.secret();
  const cookieValue = cookieValueOf(random.secret(), next);
  await companySignIns.put(fingerprint(state), {
    provider: provider.id,
    issuer: provider.issuer,
    browser: fingerprint(cookieValue),
    ...(asking.prompts?.includes('login') && { freshFrom: clock.now() }),
    expiresAt: clock.now() + COMPANY_SIGN_IN_SECONDS,
  });
  const { baseUrl } = settings;
  const location = authorizationUrl(provider, {
    baseUrl,
    state,
    cookieValue,
    email,
    asking,
  });
  return { location, state, cookieValue };
};

export type FinishCompanySignInPorts = KnownUserPorts &
  Pick<AccountsPorts, 'log' | 'mailRequests' | 'operatorMarks' | 'sessions' | 'standings'> &
  Pick<IdentityPorts, 'companySignIns' | 'identityProviders' | 'redeemer'>;

export interface Callback {
  readonly provider: string;
  readonly state: string;
  readonly cookieValue: string | undefined;
  readonly sent: SentParameters;
  readonly sourceIp: string;
}

export interface CompanySignedIn {
  readonly user: User;
  /** When the account was read. */
  readonly asOf: EpochSeconds;
  /** Whether this first company sign-in has just ended the account's password and sessions. */
  readonly isTakenOver: boolean;
  /** Time of authentication; 0 if the provider does not send it. */
  readonly signedInAt: EpochSeconds;
  readonly askedAnew: boolean;
  readonly until: EpochSeconds | undefined;
  readonly provider: IdentityProvider;
  readonly next: string;
}

/**
 * Completes a sign-in at a provider's callback. A state is valid once, for the browser that started, at the callback of
 * the provider that it was sent to.
 * @throws PageRefusal sign_in_ended, sign_in_unavailable, sign_in_misconfigured, sign_in_refused, no_account
 * Source: OpenID Connect Core 1.0 §3.1.2.5; RFC 9207 §2.4; RFC 9700 §2.1, §4.4, §4.7.
 */
export const finishCompanySignIn = async (
  ports: FinishCompanySignInPorts,
  { provider: id, state, cookieValue, sent, sourceIp }: Callback,
): Promise<CompanySignedIn> => {
  const { clock, companySignIns, identityProviders, redeemer } = ports;
  if (cookieValue === undefined || state === '') throw ended('another browser, or none that began');
  const [begun, providers] = await Promise.all([
    companySignIns.claim(fingerprint(state)),
    identityProviders.list(),
  ]);
  if (!begun) throw ended('unknown state, or used before');
  if (begun.browser !== fingerprint(cookieValue)) throw ended('of another browser');
  if (begun.provider !== id) throw ended('back from another provider');
  if (clock.now() >= begun.expiresAt) throw ended('too late');
  const provider = providers.find((one) => one.id === id);
  if (!provider || !signsIn(provider) || provider.issuer !== begun.issuer) {
    throw ended('the provider is not believed any more');
  }
  try {
    const returned = readReturned(sent);
    if (!returned || !isFrom(provider, returned.iss)) {
      throw new SignInFailed('refused', 'the answer may be of another provider');
    }
    const { code, error } = returned;
    if (error !== undefined) throw new SignInFailed('refused', `the provider answers ${error}`);
    if (code === undefined || code === '') throw new SignInFailed('refused', 'no code');
    if (code.length > MAX_CODE) throw new SignInFailed('refused', 'a code that is too long');
    const asked = {
      provider: id,
      code,
      verifier: verifierOf(cookieValue),
      nonce: nonceOf(cookieValue),
    };
    const { auth_time: signedInAt = 0, ...said } = await redeemer.redeem(asked);
    if (isTooOld(begun, signedInAt)) {
      throw new SignInFailed('refused', 'they had shown who they are before they were asked to');
    }
    const asOf = clock.now();
    const { user, isTakenOver } = await signedInUser(ports, { provider, ...said });
    const standing = await ports.standings.of(user, 'assertion');
    // Another company has ended the account and has not vouched for it again.
    if (standing.as !== 'good') throw new InvalidToken('another company has ended the account');
    const { until } = standing;
    return {
      user,
      asOf,
      isTakenOver,
      signedInAt,
      askedAnew: begun.freshFrom !== undefined,
      until,
      provider,
      next: nextOf(cookieValue),
    };
  } catch (error) {
    throw refused(ports, provider, sourceIp, error);
  }
};

const LEEWAY_SECONDS = MINUTE;

/** A missing `auth_time` is accepted here; whoever requires a recent sign-in checks it. */
const isTooOld = ({ freshFrom }: CompanySignIn, signedInAt: EpochSeconds): boolean =>
  freshFrom !== undefined && signedInAt !== 0 && signedInAt < freshFrom - LEEWAY_SECONDS;

const ended = (why: string) =>
  new PageRefusal(
    'sign_in_ended',
    'It was used before, took longer than ten minutes, or began in another browser.',
    why,
  );

const WORDS: Readonly<Record<SignInFailure, (name: string) => string>> = {
  unavailable: (name) => `The sign-in of ${name} does not answer.`,
  misconfigured: (name) => `This service is not set up right at ${name}.`,
  refused: (name) => `${name} has not signed you in here.`,
};

const refused = (
  { events, random }: Pick<FinishCompanySignInPorts, 'events' | 'random'>,
  { id, name }: IdentityProvider,
  sourceIp: string,
  error: unknown,
): unknown => {
  const found = refusalOf(name, error);
  if (!found) return error;
  // Lets operators find the event when a user reports the failure; it gives access to nothing.
  const reference = random.id().slice(0, REFERENCE_LENGTH);
  const refusal = new PageRefusal(
    found.code,
    `${found.description} Reference: ${reference}.`,
    found.why,
  );
  events.record({
    type: 'security',
    event: 'company_sign_in_refused',
    subject: addressSubject(sourceIp),
    why: `${id}: ${refusal.code}: ${refusal.why} (reference ${reference})`,
  });
  return refusal;
};

const REFERENCE_LENGTH = 8;

const refusalOf = (name: string, error: unknown): PageRefusal | undefined => {
  if (error instanceof InvalidToken) {
    const said = `You are signed in at ${name}, and have no account here: ${error.why}.`;
    return new PageRefusal('no_account', said, error.why);
  }
  if (!(error instanceof SignInFailed)) return undefined;
  return new PageRefusal(`sign_in_${error.reason}`, WORDS[error.reason](name), error.why);
};
