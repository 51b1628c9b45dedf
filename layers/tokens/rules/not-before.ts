import * as z from 'zod/mini';
import type { ValueOf } from '../../platform/rules/shape.ts';
import { type EpochSeconds, MINUTE } from '../../platform/rules/time.ts';
import type { AccessToken } from './oauth-records.ts';

const EndedParty = z.object({
  /** `user` is in items of former versions only. */
  kind: z.enum(['client', 'user']),
  id: z.string().check(z.minLength(1)),
  before: z.int(),
  /** When the last token that it ends has expired. */
  expiresAt: z.int(),
});

/**
 * What operators have ended for everybody: whatever was issued before a moment has ended. It is one item whose
 * moments only grow, so that nothing comes back. Source: docs/decisions/oauth.md, "Ending everything at once".
 */
export const NotBefore = z.object({
  /** Ends grants with their tokens, and minted tokens, issued before; 0: none. */
  tokens: z.int(),
  /** Ends sessions of browsers and programs begun before. */
  sessions: z.int(),
  /** Ends grants to single clients. */
  parties: z.array(EndedParty),
  /** Counts changes, for optimistic concurrency; 0: never changed. */
  revision: z.int(),
});
export type NotBefore = ValueOf<typeof NotBefore>;

export const NEVER_ENDED: NotBefore = { tokens: 0, sessions: 0, parties: [], revision: 0 };

/** How long an instance caches it. */
export const NOT_BEFORE_CACHE_SECONDS = 15;

/** A larger item would cost more to read than a token. */
export const MAX_ENDED_PARTIES = 500;

/** Times are whole seconds: what began in the current second ends, too. */
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

/** @param client - with its tokens' longest remaining life @returns undefined if too many were ended recently */
export const withClientEnded = (
  known: NotBefore,
  { id, seconds }: { readonly id: string; readonly seconds: number },
  now: EpochSeconds,
): NotBefore | undefined => {
  const before = momentAfter(now);
  // Instances that still cache the former state may issue tokens until they read this.
  const expiresAt = before + seconds + MINUTE;
  const others = known.parties.filter(
    (one) => now < one.expiresAt && !(one.kind === 'client' && one.id === id),
  );
  if (others.length >= MAX_ENDED_PARTIES) return undefined;
  const parties = [...others, { kind: 'client' as const, id, before, expiresAt }];
  return { ...known, parties, revision: known.revision + 1 };
};

/** @returns why the grant has ended; undefined if it has not */
export const endOfGrant = (
  { tokens, parties }: NotBefore,
  { grantedAt, clientId, userId }: Pick<AccessToken, 'clientId' | 'grantedAt' | 'userId'>,
): string | undefined => {
  if (grantedAt < tokens) return 'all tokens ended';
  const ended = parties.find(
    ({ kind, id, before }) => grantedAt < before && id === (kind === 'client' ? clientId : userId),
  );
  return ended && `${ended.kind} ended`;
};

export const isMintedEnded = ({ tokens }: NotBefore, createdAt: EpochSeconds): boolean =>
  createdAt < tokens;

export const isSessionEnded = ({ sessions }: NotBefore, createdAt: EpochSeconds): boolean =>
  createdAt < sessions;

/** Source: docs/decisions/oauth.md, "Ending everything at once". */
export interface NotBeforeTimes {
  find(): Promise<NotBefore>;
}

export interface NotBeforeRegister extends NotBeforeTimes {
  /** @param next - with the next revision @returns false if it was changed meanwhile */
  replace(next: NotBefore): Promise<boolean>;
}
