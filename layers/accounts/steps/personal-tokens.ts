import { accountEvent } from '../../events/rules/service-event.ts';
import { type Fingerprint, fingerprint, isFingerprint } from '../../platform/rules/fingerprint.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import { DAY, type EpochSeconds, MINUTE } from '../../platform/rules/time.ts';
import type { AccountsPorts } from '../ports.ts';
import type { LimitsSettings } from '../../limits/ports.ts';
import {
  type StoredPersonalToken,
  type PersonalToken,
  personalTokenText,
} from '../rules/personal-token.ts';
import { beginning, isSignedOut } from '../rules/signed-out.ts';
import type { Permission } from '../rules/permission.ts';
import type { User } from '../rules/user.ts';
import type { SessionTimes } from './require-session.ts';

type PersonalTokenPorts = Pick<AccountsPorts, 'clock' | 'events' | 'personalTokens' | 'random'> & {
  readonly settings: LimitsSettings;
};

/** Maximum age of the sign-in: a person who finds an open session cannot make a token that outlives it. */
const FRESH_SECONDS = 10 * MINUTE;

const LOOKED_AT = 1000;

export type WantedToken = Pick<PersonalToken, 'name' | 'scope' | 'slugs'> & {
  /** Default: the longest lifetime allowed. */
  readonly days?: number | undefined;
};

/**
 * Makes a token. Its text is not stored, so it can never be shown again.
 * @param session - of the user; absent with a token for programs
 * @throws ApiRefusal sign_in_again, limit_reached, invalid_request
 * Source: docs/decisions/accounts.md, "Personal access tokens".
 */
export const makePersonalToken = async (
  ports: PersonalTokenPorts,
  may: Permission<'minting'>,
  user: User,
  session: SessionTimes | undefined,
  { days, ...wanted }: WantedToken,
): Promise<StoredPersonalToken & { readonly text: string }> => {
  const { clock, personalTokens, random, settings } = ports;
  const { personal_token_days: mostDays, personal_tokens_per_user: most } = settings.limits;
  const now = clock.now();
  may.check('minting', { doing: 'make a personal access token' });
  const { asOf } = freshSignIn(session, now);
  const lifetime = days ?? mostDays;
  if (lifetime > mostDays) {
    throw new ApiRefusal('invalid_request', 'The token would live too long.', [
      { where: '/days', what: `more than ${mostDays}`, hint: `Give 1 to ${mostDays} days.` },
    ]);
  }
  if ((await listPersonalTokens(ports, user)).length >= most) {
    throw new ApiRefusal(
      'limit_reached',
      `You have ${most} personal access tokens, the most there may be. End one first.`,
      [],
      'personal access tokens',
      { limit: 'personal_tokens_per_user' },
    );
  }
  const secret = random.secret();
  const id = fingerprint(secret);
  const createdAt = beginning(user, asOf);
  const token = { ...wanted, userId: user.id, createdAt, expiresAt: createdAt + lifetime * DAY };
  await personalTokens.put(id, token);
  record(ports, user, 'personal_token_made', token);
  return { id, token, text: personalTokenText(secret) };
};

/** Anything that outlives a session requires a recent sign-in. @throws ApiRefusal sign_in_again */
export const freshSignIn = (session: SessionTimes | undefined, now: EpochSeconds): SessionTimes => {
  if (session && now - session.signedInAt <= FRESH_SECONDS) return session;
  throw new ApiRefusal(
    'sign_in_again',
    'Sign out and in again first: this outlives the session, and is made within ten minutes of a sign-in.',
  );
};

/** Valid tokens that the user made, newest first; those issued to machines are excluded. */
export const listPersonalTokens = async (
  { clock, personalTokens }: Pick<PersonalTokenPorts, 'clock' | 'personalTokens'>,
  user: User,
): Promise<readonly StoredPersonalToken[]> => {
  const { items } = await personalTokens.pageOfUser(user.id, { limit: LOOKED_AT });
  return items.filter(
    ({ token: { createdAt, expiresAt, trust } }) =>
      trust === undefined && clock.now() < expiresAt && !isSignedOut(user, createdAt),
  );
};

/** @throws ApiRefusal not_found, also for a token of another user */
export const endPersonalToken = async (
  ports: Pick<PersonalTokenPorts, 'events' | 'personalTokens'>,
  user: User,
  id: string,
): Promise<void> => {
  const found = isFingerprint(id) ? await ports.personalTokens.find(id) : undefined;
  if (found?.userId !== user.id) {
    throw new ApiRefusal('not_found', 'You have no personal access token of this id.');
  }
  await ports.personalTokens.end(id as Fingerprint);
  record(ports, user, 'personal_token_ended', found);
};

/** Ends all tokens made by a user whose account is removed; tokens of machines are refused without their user. */
export const endPersonalTokens = async (
  { personalTokens }: Pick<AccountsPorts, 'personalTokens'>,
  userId: string,
): Promise<void> => {
  const { items } = await personalTokens.pageOfUser(userId, { limit: LOOKED_AT });
  for (const { id } of items) await personalTokens.end(id);
};

const record = (
  { events }: Pick<PersonalTokenPorts, 'events'>,
  user: User,
  event: 'personal_token_made' | 'personal_token_ended',
  { name, scope }: PersonalToken,
): void => events.record(accountEvent(event, user, `${scope}: ${name}`));
