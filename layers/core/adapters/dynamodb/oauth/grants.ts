import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { LimitValues } from '../../../domain/access/limits.ts';
import { DAY, type EpochSeconds } from '../../../domain/time.ts';
import type { Grants, AccessTokenRef, PageQuery, RefreshOutcome } from '../../../ports.ts';
import { accessTokenRevoker } from './access-tokens.ts';
import { grantKey } from '../keys.ts';
import { ABSENT, itemsOf, PRESENT } from '../table/items.ts';
import { parseItem } from '../table/parse-item.ts';
import { GrantItem, type GrantState, isOver, liveGrant, newGrant } from './grant-item.ts';
import { indexPage, type IndexedBy } from './index-page.ts';

/** A grant refreshed each hour is thus rid of its dead notes once a day, by one more write. */
const PRUNE_AT = 24;
/** DynamoDB takes update expressions of 4 KB. */
const PRUNE_AT_ONCE = 200;

/**
 * Grants, each one item with its live access tokens in it. Every change is one conditional update of
 * that item; ending a grant then revokes the tokens noted in it, and may be repeated until it has.
 */
export const dynamoGrants = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  limits: Pick<LimitValues, 'access_token_seconds' | 'refresh_token_seconds'>,
): Grants => {
  const items = itemsOf(dynamo, TableName, grantKey, GrantItem);
  const revokeAhead = accessTokenRevoker(dynamo, TableName);
  /** Until after the last access token that its last refresh may buy. */
  const keptUntil = (from: EpochSeconds) =>
    from + limits.refresh_token_seconds + limits.access_token_seconds + DAY;

  const pageOf = (of: IndexedBy, query: PageQuery, now: EpochSeconds) =>
    indexPage(dynamo, { TableName, keyOf: grantKey, of }, query, (item) => {
      const state = parseItem(GrantItem, item, 'a grant');
      return state && liveGrant(state, limits.refresh_token_seconds, now);
    });

  const prune = async (id: string, notes: readonly AccessTokenRef[], now: EpochSeconds) => {
    const over = notes.filter((note) => isOver(note, now)).slice(0, PRUNE_AT_ONCE);
    if (over.length < PRUNE_AT) return;
    await items.update(id, {
      ...PRESENT,
      UpdateExpression: `REMOVE ${over.map((_, number) => `accessTokens.#${number}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(
        over.map(({ fingerprint }, number) => [`#${number}`, fingerprint]),
      ),
    });
  };

  return {
    find: async (id) => {
      const state = await items.find(id);
      return state?.ended ? undefined : state?.grant;
    },

    begin: (grant, access) =>
      items.put(
        grant.id,
        { ...newGrant(grant, access), deleteAfter: keptUntil(grant.createdAt) },
        ABSENT,
      ),

    beginOnce: (grant, access) =>
      items.put(
        grant.id,
        {
          ...newGrant(grant, access),
          refreshEndedAt: grant.createdAt,
          deleteAfter: access.expiresAt + DAY,
        },
        ABSENT,
      ),

    refresh: async (id, generation, access, now) => {
      const refreshed = await items.update(id, {
        UpdateExpression:
          'SET accessTokens.#token = :expires, usedGeneration = :generation, refreshedAt = :now',
        ConditionExpression:
          'usedGeneration <= :generation AND attribute_not_exists(endedAt) ' +
          'AND attribute_not_exists(refreshEndedAt)',
        ExpressionAttributeNames: { '#token': access.fingerprint },
        ExpressionAttributeValues: {
          ':expires': access.expiresAt,
          ':generation': generation,
          ':now': now,
        },
      });
      if (!refreshed) return refusal(await items.find(id), access);
      await prune(id, refreshed.notes, now);
      return { outcome: 'ok', grant: refreshed.grant };
    },

    end: async (id, now) => {
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
      await items.update(id, {
        ...PRESENT,
        UpdateExpression: 'SET accessTokens = :none',
        ExpressionAttributeValues: { ':none': {} },
      });
    },

    endRefresh: async (id, now) => {
      await items.update(id, {
        ...PRESENT,
        UpdateExpression: 'SET refreshEndedAt = if_not_exists(refreshEndedAt, :now)',
        ExpressionAttributeValues: { ':now': now },
      });
    },

    deploymentOf: async (id) => (await items.find(id))?.grant.deploymentId,

    recordOf: async (id) => (await items.find(id))?.grant,

    page: (deploymentId, query, now) => pageOf({ deploymentId }, query, now),

    pageOfUser: (userId, query, now) => pageOf({ userId }, query, now),
  };
};

/** Why an update for a refresh did not hold. */
const refusal = (
  state: GrantState | undefined,
  { fingerprint }: AccessTokenRef,
): RefreshOutcome => {
  if (!state || state.ended || state.refreshEnded) return { outcome: 'ended' };
  // The SDK repeats an update whose answer was lost, and a successor may have been used in between.
  const noted = state.notes.some((note) => note.fingerprint === fingerprint);
  return noted ? { outcome: 'ok', grant: state.grant } : { outcome: 'reused' };
};
