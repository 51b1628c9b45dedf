import * as z from 'zod/mini';
import type { ValueOf } from '../../platform/rules/shape.ts';
import { type EpochSeconds, MINUTE } from '../../platform/rules/time.ts';

const EndedParty = z.object({
  /** `user` of versions that did not mark who was signed out; none is written any more. */
  kind: z.enum(['client', 'user']),
  id: z.string().check(z.minLength(1)),
  before: z.int(),
  /** Nothing that it ended could live longer. */
  expiresAt: z.int(),
});

/**
 * What operators have ended for everybody, by when it was issued: what began before a moment has ended, and
 * what begins from then on lives. One item says so; it only ever grows, so that nothing ended comes back.
 *
 * Source: docs/decisions/oauth.md, "Ending everything at once".
 */
export const NotBefore = z.object({
  /** Grants with all their tokens, and minted tokens; 0: none was ended. */
  tokens: z.int(),
  /** Of browsers and programs. */
  sessions: z.int(),
  /** Grants to one client. */
  parties: z.array(EndedParty),
  /** Counts every change, for optimistic concurrency; 0: none was ever made. */
  revision: z.int(),
});
export type NotBefore = ValueOf<typeof NotBefore>;

export const NEVER_ENDED: NotBefore = { tokens: 0, sessions: 0, parties: [], revision: 0 };

/** How long an instance goes on with what it has read. */
export const NOT_BEFORE_CACHE_SECONDS = 15;

/** More would make an item that costs more to read than a token. */
export const MAX_ENDED_PARTIES = 500;

/** Moments are whole seconds: what began in the second of the command ends too, and the next one is new. */
const momentAfter = (now: EpochSeconds): EpochSeconds => now + 1;

export const withTokensEnded = (known: NotBefore, now: EpochSeconds): NotBefore => ({
  ...known,
  tokens: Math.max(known.tokens, momentAfter(now)),
  revision: known.revision + 1,
});

export const withSessionsEnded = (known: NotBefore, now: EpochSeconds): NotBefore => ({
  ...known,
  sessions: Math.max(known.sessions, momentAfter(now)),
  revision: known.revision + 1,
});

/**
 * @param client - and for how many seconds its tokens could live on
 * @returns undefined where too many have been ended of late
 */
export const withClientEnded = (
  known: NotBefore,
  { id, seconds }: { readonly id: string; readonly seconds: number },
  now: EpochSeconds,
): NotBefore | undefined => {
  const before = momentAfter(now);
  // An instance that remembers what was may issue something until it reads this.
  const expiresAt = before + seconds + MINUTE;
  const others = known.parties.filter(
    (one) => now < one.expiresAt && !(one.kind === 'client' && one.id === id),
  );
  if (others.length >= MAX_ENDED_PARTIES) return undefined;
  const parties = [...others, { kind: 'client' as const, id, before, expiresAt }];
  return { ...known, parties, revision: known.revision + 1 };
};

export interface GrantedAt {
  /** When the grant began: a refresh makes nothing younger. */
  readonly grantedAt: EpochSeconds;
  readonly clientId: string;
  readonly userId: string;
}

/** @returns why all that came of a grant has ended; undefined if it was not ended */
export const endOfGrant = (
  { tokens, parties }: NotBefore,
  { grantedAt, clientId, userId }: GrantedAt,
): string | undefined => {
  if (grantedAt < tokens) return 'all tokens ended';
  const ended = parties.find(
    ({ kind, id, before }) => grantedAt < before && id === (kind === 'client' ? clientId : userId),
  );
  return ended && `${ended.kind} ended`;
};

/** Whether a token that was minted then has been ended with all others. */
export const isMintedEnded = ({ tokens }: NotBefore, createdAt: EpochSeconds): boolean =>
  createdAt < tokens;

/** Whether a session that began then has been ended with all others. */
export const isSessionEnded = ({ sessions }: NotBefore, createdAt: EpochSeconds): boolean =>
  createdAt < sessions;

/** What operators have ended. Source: docs/decisions/oauth.md, "Ending everything at once". */
export interface NotBeforeTimes {
  find(): Promise<NotBefore>;
}

export interface NotBeforeRegister extends NotBeforeTimes {
  /** @param next - of the revision after the one that was found @returns false if it was changed meanwhile */
  replace(next: NotBefore): Promise<boolean>;
}
