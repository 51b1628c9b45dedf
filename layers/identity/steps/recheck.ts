import { InvalidToken } from '../../tokens/rules/authorization.ts';
import type { Fingerprint } from '../../platform/rules/fingerprint.ts';
import { type JsonObject, member } from '../../platform/rules/json/json.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { IdentityPorts } from '../ports.ts';
import { type CheckAnswer, type CheckRequest, SignInFailed } from '../rules/redeemed.ts';
import type { CheckLease, KeptPerson, PersonItem, PersonPlace } from '../store/kept-persons.ts';
import {
  type IsRefusal,
  placeOf,
  type Provider,
  providerOf,
  tokenAnswer,
  userInfo,
  verifiedClaims,
} from './token-endpoint.ts';
import type { PortsOf } from '../../platform/ports.ts';

type KeepRefreshTokenPorts = Pick<IdentityPorts, 'clock' | 'keptPersons'>;

type RecheckPorts = PortsOf<typeof tokenAnswer> &
  KeepRefreshTokenPorts &
  Pick<IdentityPorts, 'pause' | 'random'>;

/** Far more than any provider uses; larger tokens would not fit the DynamoDB item. */
const MAX_REFRESH_TOKEN = 16_384;

/**
 * Stores the refresh token from a sign-in, by which the provider can be asked about the person later. Some providers
 * send none at later sign-ins; then the stored one stays.
 * @returns whether a token is stored
 * @throws Fault
 */
export const keepRefreshToken = async (
  { clock, keptPersons }: KeepRefreshTokenPorts,
  provider: Provider,
  { subject, sub }: { readonly subject: Fingerprint; readonly sub: string },
  answer: JsonObject,
): Promise<boolean> => {
  const now = clock.now();
  const refreshToken = refreshTokenIn(answer);
  // A broker does not ask its company again, so its refresh tokens prove nothing.
  if (provider.sign_in.broker) return false;
  if (refreshToken === undefined) return keptPersons.signedInAgain(subject, now);
  const place = personPlaceOf(provider, subject);
  await keptPersons.signedIn(place, await keptPersons.newKey(place), { refreshToken, sub }, now);
  return true;
};

const refreshTokenIn = (answer: JsonObject): string | undefined => {
  const sent = member(answer, 'refresh_token');
  return typeof sent === 'string' && sent !== '' && sent.length <= MAX_REFRESH_TOKEN
    ? sent
    : undefined;
};

const personPlaceOf = (provider: Provider, subject: Fingerprint): PersonPlace => {
  const { tokenOrigin: _, ...place } = placeOf(provider);
  return { ...place, tokenEndpoint: provider.endpoints.token_endpoint, subject };
};

/** Duration of the lease on asking a provider; a request takes less. */
const LEASE_SECONDS = 20;
/** Time during which an answer is shared with other callers, whatever it was. */
const ANSWER_SECONDS = 30;
/** Milliseconds: maximum wait for another caller's answer, and polling interval. */
const WAIT_MS = 9000;
const LOOK_MS = 200;

/**
 * Asks a provider, by the stored refresh token, whether it still vouches for a person. Of concurrent callers one asks
 * and the others get its answer. If the person signs in meanwhile, the answer is discarded and the provider asked
 * again.
 * @throws Fault where a store fails
 * Source: OpenID Connect Core 1.0 §12; docs/access.md, "When somebody leaves".
 */
export const recheck = async (
  ports: RecheckPorts,
  { provider: id, subject }: CheckRequest,
): Promise<CheckAnswer> => {
  const { clock, pause, keptPersons, random } = ports;
  const holder = random.id();
  const startedMs = clock.elapsedMs();
  for (;;) {
    const now = clock.now();
    const item = await keptPersons.find(subject);
    if (!item) return { as: 'unknown', why: 'nothing is kept of them' };
    const said = saidJustNow(item, now);
    if (said) return said;
    const lease = { holder, generation: item.generation };
    const until = now + LEASE_SECONDS;
    if (!isLeased(item, now) && (await keptPersons.lease(subject, lease, { now, until }))) {
      const answer = await asked(ports, { id, subject, item, lease, now });
      if (answer) return answer;
      continue;
    }
    if (clock.elapsedMs() - startedMs >= WAIT_MS) {
      return { as: 'unavailable', why: 'somebody else has been asking for too long' };
    }
    await pause(LOOK_MS);
  }
};

const saidJustNow = (
  { answer, answeredAt = 0, why = '' }: PersonItem,
  now: EpochSeconds,
): CheckAnswer | undefined =>
  answer !== undefined && now >= answeredAt && now < answeredAt + ANSWER_SECONDS
    ? { as: answer, why }
    : undefined;

const isLeased = ({ leaseUntil }: PersonItem, now: EpochSeconds): boolean =>
  leaseUntil !== undefined && now < leaseUntil;

interface Asking {
  readonly id: string;
  readonly subject: Fingerprint;
  readonly item: PersonItem;
  readonly lease: CheckLease;
  readonly now: EpochSeconds;
}

/** @returns undefined where the person has signed in meanwhile, so that the answer is outdated */
const asked = async (
  ports: RecheckPorts,
  { id, subject, item, lease, now }: Asking,
): Promise<CheckAnswer | undefined> => {
  const { keptPersons } = ports;
  const provider = await providerOf(ports, id).catch(answerOf);
  if ('as' in provider) return provider;
  const place = personPlaceOf(provider, subject);
  const kept = await keptPersons.open(place, item);
  if (!kept) {
    const answer = { as: 'unknown', why: 'what is kept is of another client or place' } as const;
    return (await keptPersons.answered(place, lease, answer, now)) ? answer : undefined;
  }
  const key = await keptPersons.newKey(place);
  const { answer, next } = await refreshed(ports, provider, kept);
  const stored = next === undefined ? undefined : { key, kept: { ...kept, refreshToken: next } };
  return (await keptPersons.answered(place, lease, answer, now, stored)) ? answer : undefined;
};

interface Refreshed {
  readonly answer: CheckAnswer;
  /** Refresh token that replaces the one used. */
  readonly next?: string | undefined;
}

const refreshed = async (
  ports: RecheckPorts,
  provider: Provider,
  { refreshToken, sub }: KeptPerson,
): Promise<Refreshed> => {
  const sent = { grant_type: 'refresh_token', refresh_token: refreshToken };
  const given = await tokenAnswer(ports, provider, sent, isOfThePerson).then(
    (answer) => ({ answer }),
    (error: unknown) => ({ failed: answerOf(error) }),
  );
  if ('failed' in given) return { answer: given.failed };
  const next = refreshTokenIn(given.answer);
  const answer = await vouching(ports, provider, given.answer, sub).catch(answerOf);
  return { answer, next };
};

/** Refusals that concern the person; Entra, for one, sends `interaction_required` where a sign-in is needed. */
const REFUSALS: ReadonlySet<string> = new Set([
  'invalid_grant',
  'interaction_required',
  'login_required',
  'consent_required',
]);
const isOfThePerson: IsRefusal = (codes) => codes.some((one) => REFUSALS.has(one));

/** Tokens must be about the person of the refresh token. Source: OpenID Connect Core 1.0 §5.3.2, §12.2. */
const vouching = async (
  ports: RecheckPorts,
  provider: Provider,
  answer: JsonObject,
  sub: string,
): Promise<CheckAnswer> => {
  const text = member(answer, 'id_token');
  if (typeof text === 'string') {
    const claims = await verifiedClaims(ports, provider, text, undefined);
    return claims['sub'] === sub ? VOUCHED : OF_ANOTHER;
  }
  const info = await userInfo(ports, provider, answer);
  if (!info) return VOUCHED;
  if (info.status !== 200 || !info.json) {
    return { as: 'misconfigured', why: `userinfo answers ${info.status}` };
  }
  return member(info.json, 'sub') === sub ? VOUCHED : OF_ANOTHER;
};

const VOUCHED: CheckAnswer = { as: 'vouched', why: '' };
const OF_ANOTHER: CheckAnswer = { as: 'ended', why: 'the provider speaks of somebody else' };

const AS = {
  refused: 'ended',
  misconfigured: 'misconfigured',
  unavailable: 'unavailable',
} as const;

/** An invalid token or answer is no statement about the person. */
const answerOf = (error: unknown): CheckAnswer => {
  if (error instanceof InvalidToken) return { as: 'misconfigured', why: error.why };
  if (error instanceof SignInFailed) return { as: AS[error.reason], why: error.why.slice(0, 500) };
  throw error;
};
