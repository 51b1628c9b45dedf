import { member } from '../../platform/rules/json/json.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Fault } from '../../platform/rules/fault.ts';
import { type EpochSeconds, HOUR, MINUTE } from '../../platform/rules/time.ts';
import type { BlockedNow, PublicRequest, PublicRequestDecision } from '../rules/decisions.ts';
import { subjectCache } from '../../platform/cache/subject-cache.ts';
import { endOf, publicRequestCounter, type PublicRequestsItem } from './public-request-counter.ts';

/** Multiple of the limit that blocks on one deployment. Source: docs/decisions/limits.md, "Public deployments". */
const BLOCK_HERE_AT = 5;
/** Multiple of the limit, over all deployments, that blocks everywhere. */
const BLOCK_EVERYWHERE_AT = 50;
const BLOCK_SECONDS = HOUR;
/** How long a block is cached, since operators may lift it. */
const BELIEVE_SECONDS = MINUTE;
/** A retry is rare: it takes a new window during the update. */
const TRIES = 5;

/**
 * Counts requests of an address over all instances. Usually this takes one update, since the instance remembers the
 * window in which it last counted the subject.
 * @param limit - requests per minute
 */
export const dynamoPublicRequests = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  limit: number,
) => {
  const counter = publicRequestCounter(dynamo, TableName);
  const lastWindow = subjectCache<number>();
  const blocks = blockMemory();

  const refusedAsBlocked = (
    request: PublicRequest,
    item: PublicRequestsItem | undefined,
    now: EpochSeconds,
  ) => {
    const everywhere = item?.blockedUntil ?? 0;
    const here = item?.blocks[request.deploymentId]?.until ?? 0;
    if (now < everywhere) blocks.keep(everywhereOf(request), everywhere, now);
    if (now < here) blocks.keep(hereOf(request), here, now);
    const until = Math.max(everywhere, here);
    return now < until ? blockedFor(until - now) : undefined;
  };

  const blocked = async (
    request: PublicRequest,
    counted: PublicRequestsItem,
    place: BlockedNow,
    now: EpochSeconds,
  ): Promise<PublicRequestDecision> => {
    const until = now + BLOCK_SECONDS;
    const isOurs =
      place === 'everywhere'
        ? await counter.blockEverywhere(request.subject, now, until)
        : await counter.blockHere(request, counted, now, until);
    const key = place === 'everywhere' ? everywhereOf(request) : hereOf(request);
    if (isOurs) blocks.keep(key, until, now);
    return blockedFor(BLOCK_SECONDS, isOurs ? place : undefined);
  };

  const verdict = async (
    { cost, ...request }: PublicRequest & { readonly cost: number },
    counted: PublicRequestsItem,
    window: number,
    now: EpochSeconds,
  ): Promise<PublicRequestDecision> => {
    const { count, counts } = counted;
    if (count <= limit) return { allowed: true };
    if (count >= BLOCK_EVERYWHERE_AT * limit) return blocked(request, counted, 'everywhere', now);
    const here = member(counts, request.deploymentId) ?? 0;
    if (here >= BLOCK_HERE_AT * limit) return blocked(request, counted, 'here', now);
    return cost > limit ? { allowed: false } : blockedFor(endOf(window) - now);
  };

  return {
    /**
     * Counts `cost` requests and decides whether they pass. Five times the limit within a minute on one deployment
     * blocks the subject there for an hour; fifty times over all deployments blocks it everywhere.
     * @throws Fault if the store is down: callers fail closed
     */
    count: async (
      request: PublicRequest,
      cost: number,
      now: EpochSeconds,
    ): Promise<PublicRequestDecision> => {
      const { subject } = request;
      const places = [everywhereOf(request), hereOf(request)];
      const known = Math.max(...places.map((place) => blocks.believed(place, now)));
      if (now < known) return blockedFor(known - now);
      const still =
        places.some((place) => blocks.mayStillBe(place, now)) &&
        refusedAsBlocked(request, await counter.read(subject), now);
      if (still) return still;

      let window = Math.floor(now / MINUTE);
      for (let tries = 0; tries < TRIES; tries += 1) {
        const { add, open } = counter;
        const [first, second] = lastWindow.get(subject) === window ? [add, open] : [open, add];
        const counting = { ...request, cost, window, now };
        const counted = (await first(counting)) ?? (await second(counting));
        if (counted !== undefined) {
          lastWindow.set(subject, window);
          return verdict({ ...request, cost }, counted, window, now);
        }

        const item = await counter.read(subject);
        const refusal = refusedAsBlocked(request, item, now);
        if (refusal) return refusal;
        // Another instance's clock is ahead of ours: count in its window.
        if (item && item.window > window) window = item.window;
      }
      throw new Fault('dynamodb', 'a public request could not be counted');
    },
  };
};

/** Requests to `none` deployments by client address. Source: docs/decisions/limits.md, "Public deployments". */
export type PublicRequests = ReturnType<typeof dynamoPublicRequests>;

const everywhereOf = ({ subject }: Pick<PublicRequest, 'subject'>): string => subject;
const hereOf = ({ subject, deploymentId }: Pick<PublicRequest, 'subject' | 'deploymentId'>) =>
  `${subject} ${deploymentId}`;

/** Caches blocks only: requests that merely exceed the limit must still count toward a block. */
const blockMemory = () => {
  const blocks = subjectCache<{ readonly until: EpochSeconds; readonly readAt: EpochSeconds }>();
  return {
    keep: (place: string, until: EpochSeconds, now: EpochSeconds): void => {
      blocks.set(place, { until, readAt: now });
    },
    /** @returns the end of a recently read block, else 0 */
    believed: (place: string, now: EpochSeconds): EpochSeconds => {
      const { until, readAt } = blocks.get(place) ?? { until: 0, readAt: 0 };
      return now < readAt + BELIEVE_SECONDS ? until : 0;
    },
    /** An older block may have been lifted: it must be read again. */
    mayStillBe: (place: string, now: EpochSeconds): boolean =>
      now < (blocks.get(place)?.until ?? 0),
  };
};

const blockedFor = (seconds: number, blockedNow?: BlockedNow): PublicRequestDecision => ({
  allowed: false,
  retryAfterSeconds: Math.max(1, seconds),
  ...(blockedNow && { blockedNow }),
});
