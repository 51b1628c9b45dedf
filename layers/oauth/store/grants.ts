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

/** Pruning from this number on costs a grant that is refreshed hourly one more write a day. */
const PRUNE_AT = 24;
/** DynamoDB limits update expressions to 4 KB. */
const PRUNE_AT_ONCE = 200;
/**
 * Most valid access tokens of one grant. An item has at most 400 KB, and a client that refreshes as often as it may
 * could fill it within a token's longest life of a day. A full item could not be updated to end the grant.
 */
const MOST_ALIVE = 500;
/** Retries after concurrent updates by the same client. */
const ATTEMPTS = 5;

/**
 * Each grant is one item that lists its valid access tokens, and is changed by conditional updates. Ending a grant
 * then revokes the listed tokens; it may be repeated until that has succeeded.
 */
export const dynamoGrants = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  limits: Pick<LimitValues, 'access_token_seconds' | 'refresh_token_seconds'>,
) => {
  const items = itemsOf(dynamo, TableName, grantKey, GrantItem);
  const revokeAhead = accessTokenRevoker(dynamo, TableName);
  /** Until after the last access token of the last possible refresh. */
  const keptUntil = (from: EpochSeconds) =>
    from + limits.refresh_token_seconds + longestAccessToken(limits) + DAY;

  const pageOf = (of: IndexedBy, query: PageQuery, now: EpochSeconds) =>
    indexPage(dynamo, { TableName, keyOf: grantKey, of }, query, (item) => {
      const state = parseItem(GrantItem, item, 'a grant');
      return state && liveGrant(state, limits.refresh_token_seconds, now);
    });

  /**
   * Removes expired tokens from the list, and revokes those that expire first where too many are valid.
   * @param newest - is never removed
   */
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
    // Revoked before they are removed: the end of a grant revokes only listed tokens.
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
    /** Undefined for an ended grant. */
    find: async (id: string): Promise<Grant | undefined> => {
      const state = await items.find(id);
      return state?.ended ? undefined : state?.grant;
    },

    /**
     * Committed together with the tokens. The condition fails if the grant exists or was ended before.
     * @param refreshToken - for a client whose refresh tokens rotate
     */
    beginning: (grant: Grant, access: AccessTokenRef, refreshToken?: Fingerprint): Write =>
      items.storing(
        grant.id,
        { ...newGrant(grant, access, refreshToken), deleteAfter: keptUntil(grant.createdAt) },
        ABSENT,
      ),

    /** For a grant without refresh tokens. */
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

    /** Adds an access token, and notes the next refresh token. Source: docs/decisions/oauth.md, "Refresh tokens". */
    refresh: async (
      id: string,
      shown: ShownRefreshToken,
      access: AccessTokenRef,
      now: EpochSeconds,
    ): Promise<RefreshOutcome> => {
      const change = refreshChanges(shown, access, now);
      // The usual case, a known successor, needs no read before the update.
      let refreshed = await items.update(id, shown.successor ? change.advances() : change.keeps);
      for (let attempt = 0; !refreshed && attempt < ATTEMPTS; attempt += 1) {
        const state = await items.find(id);
        if (!state || state.ended || state.refreshEnded) return { outcome: 'ended' };
        // The SDK repeats an update whose answer was lost; a successor may have been used in between.
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

    /** Ends a grant and revokes its access tokens, stored or not. Repeating it finishes an interrupted run. */
    end: async (id: string, now: EpochSeconds): Promise<void> => {
      // The end is stored first: whatever is issued afterwards is refused.
      const state = await items.update(id, {
        UpdateExpression:
          'SET endedAt = if_not_exists(endedAt, :now), ' +
          'deleteAfter = if_not_exists(deleteAfter, :deleteAfter)',
        ExpressionAttributeValues: { ':now': now, ':deleteAfter': keptUntil(now) },
      });
      const alive = state?.notes.filter((note) => !isOver(note, now)) ?? [];
      if (alive.length === 0) return;
      await Promise.all(alive.map(revokeAhead));
      // Kept listed until then, so that an interrupted removal finds the grant again.
      await items.update(id, assigning({ accessTokens: {} }, PRESENT));
    },

    /** Ends refreshing; access tokens stay valid until they expire. Source: docs/decisions/oauth.md, "Revocation". */
    endRefresh: async (id: string, now: EpochSeconds): Promise<void> => {
      await items.update(id, {
        ...PRESENT,
        UpdateExpression: 'SET refreshEndedAt = if_not_exists(refreshEndedAt, :now)',
        ExpressionAttributeValues: { ':now': now },
      });
    },

    /** Ended grants, too; undefined if it never began. */
    recordOf: async (id: string): Promise<Grant | undefined> => (await items.find(id))?.grant,

    /**
     * Grants that still give access to a deployment, the newest first; also one whose end was interrupted before all
     * tokens were revoked. Eventually consistent.
     */
    page: (deploymentId: string, query: PageQuery, now: EpochSeconds): Promise<Page<ActiveGrant>> =>
      pageOf({ deploymentId }, query, now),

    /** The grants that a user has given to clients. */
    pageOfUser: (userId: string, query: PageQuery, now: EpochSeconds): Promise<Page<ActiveGrant>> =>
      pageOf({ userId }, query, now),
  };
};

/**
 * Grants list their valid access tokens, so that ending a grant leaves none: a token is listed before it is stored,
 * and is stored only if it was not revoked before.
 */
export type Grants = ReturnType<typeof dynamoGrants>;
