import type { AccessTokenRef, Grant } from '../../tokens/rules/oauth-records.ts';
import type { Fingerprint } from '../../platform/rules/fingerprint.ts';
import type { ActiveGrant, RefreshOutcome, ShownRefreshToken } from '../rules/grants.ts';
import type { Page, PageQuery } from '../../platform/rules/paging.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { LimitValues } from '../../limits/rules/limits.ts';
import { DAY, type EpochSeconds } from '../../platform/rules/time.ts';
import { longestAccessToken } from '../../tokens/rules/token-life.ts';
import { rotationStep } from '../rules/tokens/rotation.ts';
import { Fault } from '../../platform/rules/fault.ts';
import { accessTokenRevoker } from '../../tokens/store/access-tokens.ts';
import { grantKey } from '../../platform/dynamodb/keys.ts';
import { ABSENT, assigning, itemsOf, parseItem, PRESENT } from '../../platform/dynamodb/items.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';
import {
  GrantItem,
  type GrantState,
  isOver,
  liveGrant,
  newGrant,
  refreshChanges,
} from './grant-items.ts';
import { type IndexedBy, indexPage } from '../../tokens/store/index-page.ts';

/** A grant refreshed each hour is thus rid of its dead notes once a day, by one more write. */
const PRUNE_AT = 24;
/** DynamoDB takes update expressions of 4 KB. */
const PRUNE_AT_ONCE = 200;
/**
 * How many access tokens of one grant live at once, but for a few: items have 400 KB, and a client that refreshes as
 * often as it may would fill one within the day that a token can be good. A grant that is full could not be ended.
 */
const MOST_ALIVE = 500;
/** Whoever is overtaken by others of the same client looks again. */
const ATTEMPTS = 5;

/**
 * Grants, each one item with its live access tokens in it. Every change is one conditional update of
 * that item; ending a grant then revokes the tokens noted in it, and may be repeated until it has.
 */
export const dynamoGrants = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  limits: Pick<LimitValues, 'access_token_seconds' | 'refresh_token_seconds'>,
) => {
  const items = itemsOf(dynamo, TableName, grantKey, GrantItem);
  const revokeAhead = accessTokenRevoker(dynamo, TableName);
  /** Until after the last access token that its last refresh may buy. */
  const keptUntil = (from: EpochSeconds) =>
    from + limits.refresh_token_seconds + longestAccessToken(limits) + DAY;

  const pageOf = (of: IndexedBy, query: PageQuery, now: EpochSeconds) =>
    indexPage(dynamo, { TableName, keyOf: grantKey, of }, query, (item) => {
      const state = parseItem(GrantItem, item, 'a grant');
      return state && liveGrant(state, limits.refresh_token_seconds, now);
    });

  /** Forgets dead tokens, and ends those that are the nearest to it where too many are alive. @param newest - stays */
  const prune = async (
    { grant, notes }: GrantState,
    newest: AccessTokenRef,
    now: EpochSeconds,
  ): Promise<void> => {
    const over = notes.filter((note) => isOver(note, now));
    const alive = notes.filter((note) => !isOver(note, now));
    const tooMany = alive
      .filter(({ fingerprint }) => fingerprint !== newest.fingerprint)
      .toSorted((one, other) => one.expiresAt - other.expiresAt)
      .slice(0, Math.max(0, alive.length - MOST_ALIVE));
    const gone = [...over, ...tooMany].slice(0, PRUNE_AT_ONCE);
    if (gone.length < PRUNE_AT) return;
    // Before they are forgotten: a grant that ends knows of no others.
    await Promise.all(gone.slice(over.length).map(revokeAhead));
    await items.update(grant.id, {
      ...PRESENT,
      UpdateExpression: `REMOVE ${gone.map((_, number) => `accessTokens.#${number}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(
        gone.map(({ fingerprint }, number) => [`#${number}`, fingerprint]),
      ),
    });
  };

  return {
    /** One that has not ended. */
    find: async (id: string): Promise<Grant | undefined> => {
      const state = await items.find(id);
      return state?.ended ? undefined : state?.grant;
    },

    /**
     * To be committed with its tokens. It does not hold if the grant exists or was ended before it began.
     *
     * @param refreshToken - that the client will show once, for a successor; none of one that keeps its token
     */
    beginning: (grant: Grant, access: AccessTokenRef, refreshToken?: Fingerprint): Write =>
      items.storing(
        grant.id,
        { ...newGrant(grant, access, refreshToken), deleteAfter: keptUntil(grant.createdAt) },
        ABSENT,
      ),

    /** The same for a grant that buys this one token alone. */
    beginningOnce: (grant: Grant, access: AccessTokenRef): Write =>
      items.storing(
        grant.id,
        {
          ...newGrant(grant, access),
          refreshEndedAt: grant.createdAt,
          deleteAfter: access.expiresAt + DAY,
        },
        ABSENT,
      ),

    /**
     * Notes one more access token for a refresh, and which refresh token may be shown next.
     * Source: docs/decisions/oauth.md, "Refresh tokens".
     */
    refresh: async (
      id: string,
      shown: ShownRefreshToken,
      access: AccessTokenRef,
      now: EpochSeconds,
    ): Promise<RefreshOutcome> => {
      const change = refreshChanges(shown, access, now);
      // Most tokens are shown once, after the one before: that needs no look.
      let refreshed = await items.update(id, shown.successor ? change.advances() : change.keeps);
      for (let attempt = 0; !refreshed && attempt < ATTEMPTS; attempt += 1) {
        const state = await items.find(id);
        if (!state || state.ended || state.refreshEnded) return { outcome: 'ended' };
        // The SDK repeats an update whose answer was lost, and a successor may have been used in between.
        const isNoted = state.notes.some(({ fingerprint }) => fingerprint === access.fingerprint);
        if (isNoted) return { outcome: 'ok', grant: state.grant };
        const step = shown.successor ? rotationStep(state, shown) : 'reuse';
        if (step === 'reuse') return { outcome: 'reused' };
        refreshed = await items.update(id, change[step](state));
      }
      if (!refreshed) throw new Fault('dynamodb', 'a grant is refreshed too often at once');
      await prune(refreshed, access, now);
      return { outcome: 'ok', grant: refreshed.grant };
    },

    /** Ends the grant and every access token of it. Also before it began. A repetition finishes what broke off. */
    end: async (id: string, now: EpochSeconds): Promise<void> => {
      // First the end, then the tokens: whatever is noted after it is refused.
      const state = await items.update(id, {
        UpdateExpression:
          'SET endedAt = if_not_exists(endedAt, :now), ' +
          'deleteAfter = if_not_exists(deleteAfter, :deleteAfter)',
        ExpressionAttributeValues: { ':now': now, ':deleteAfter': keptUntil(now) },
      });
      const alive = state?.notes.filter((note) => !isOver(note, now)) ?? [];
      if (alive.length === 0) return;
      await Promise.all(alive.map(revokeAhead));
      // Until then it counts as one that still gives access, so that a removal which broke off finds it again.
      await items.update(id, assigning({ accessTokens: {} }, PRESENT));
    },

    /**
     * No more refreshes; access tokens live on until they expire.
     * Source: docs/decisions/oauth.md, "Revocation".
     */
    endRefresh: async (id: string, now: EpochSeconds): Promise<void> => {
      await items.update(id, {
        ...PRESENT,
        UpdateExpression: 'SET refreshEndedAt = if_not_exists(refreshEndedAt, :now)',
        ExpressionAttributeValues: { ':now': now },
      });
    },

    /** Which deployment a grant is for, also one that has ended; undefined if it never began. */
    deploymentOf: async (id: string): Promise<string | undefined> =>
      (await items.find(id))?.grant.deploymentId,

    /** The grant itself, also one that has ended; undefined if it never began. */
    recordOf: async (id: string): Promise<Grant | undefined> => (await items.find(id))?.grant,

    /**
     * Those that still give access to a deployment, the newest first; also one whose end broke off before
     * all its access tokens were revoked. May lag behind a moment.
     */
    page: (deploymentId: string, query: PageQuery, now: EpochSeconds): Promise<Page<ActiveGrant>> =>
      pageOf({ deploymentId }, query, now),

    /** The same of those that a user has given to clients. */
    pageOfUser: (userId: string, query: PageQuery, now: EpochSeconds): Promise<Page<ActiveGrant>> =>
      pageOf({ userId }, query, now),
  };
};

/**
 * Grants know their live access tokens, so that ending a grant ends them all, with no gap: a token is
 * noted with its grant before it is stored, and it is stored only where no revocation came first.
 */
export type Grants = ReturnType<typeof dynamoGrants>;
