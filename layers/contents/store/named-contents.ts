import * as z from 'zod/mini';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { contentRevision } from '../../deployments/rules/content-revision.ts';
import { Fault } from '../../platform/rules/fault.ts';
import type { ContentLimits, Placement } from '../rules/placement.ts';
import type { ContentHome, NamedContents } from '../rules/named-contents.ts';
import {
  contentTotalsKey,
  deploymentKey,
  type ItemKey,
  namedContentKey,
  type NamedContentKind,
  resourceUriKey,
} from '../../platform/dynamodb/keys.ts';
import { ABSENT, getItem, parseItem, queryItems } from '../../platform/dynamodb/items.ts';
import { transact } from '../../platform/dynamodb/transact.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';

interface Kind<Content> {
  readonly kind: NamedContentKind;
  readonly what: string;
  readonly schema: z.ZodMiniType<Content>;
  /** Text whose bytes count towards the limit. */
  readonly countedText: (content: Content) => string;
  readonly completes: (content: Content) => boolean;
}

export interface ContentTables {
  readonly content: string;
  /** Written only when the number of contents with completion values changes. */
  readonly deployments: string;
}

interface Named {
  readonly name: string;
  /** Unique among the resources of a deployment; prompts have none. */
  readonly uri?: string;
}

/** Optimistic retries: one fails only if another change of the same name comes between its read and its write. */
const TRIES = 20;

/**
 * Contents of one kind in a deployment, one item each. Each change is one transaction with the item of its uri and that
 * of the totals, so that names and uris are unique and the limits hold. Items carry a revision, so that a change
 * applies only to what was read.
 */
export const namedContents = <Content extends Named>(
  dynamo: DynamoDBDocumentClient,
  { content: TableName, deployments }: ContentTables,
  { kind, what, schema, countedText, completes }: Kind<Content>,
): NamedContents<Content> => {
  const totals = contentTotals(dynamo, TableName, kind);
  const keyOf = (deploymentId: string, name: string) => namedContentKey(deploymentId, kind, name);
  const bytesOf = (content: Content) => Buffer.byteLength(countedText(content));

  const read = async (deploymentId: string, name: string) => {
    const item = await getItem(dynamo, TableName, keyOf(deploymentId, name));
    if (!item) return undefined;
    const named = `${what} ${name} of deployment ${deploymentId}`;
    return {
      content: parseItem(schema, item, named),
      unchanged: {
        ConditionExpression: 'revision = :revision',
        ExpressionAttributeValues: { ':revision': item['revision'] },
      },
    };
  };

  const put = (deploymentId: string, content: Content, condition: object): Write => {
    const revision = contentRevision(content);
    const Item = { ...keyOf(deploymentId, content.name), ...content, revision };
    return { Put: { TableName, Item, ...condition } };
  };

  const takeUri = (deploymentId: string, { uri, name }: Named) =>
    uri !== undefined && {
      uri: { Put: { TableName, Item: { ...resourceUriKey(deploymentId, uri), name }, ...ABSENT } },
    };

  const releaseUri = (deploymentId: string, { uri }: Named) =>
    uri !== undefined && {
      oldUri: { Delete: { TableName, Key: resourceUriKey(deploymentId, uri) } },
    };

  const countOf = (content: Content | undefined): number => (content && completes(content) ? 1 : 0);

  /** Adjusts the deployment's count of contents with completion values, if this write changes it. */
  const completions = (home: ContentHome, before: Content | undefined, after?: Content) => {
    const growth = countOf(after) - countOf(before);
    return growth !== 0 && { deployment: completionsGrow(deployments, home, growth) };
  };

  const placementOf = async (
    refused: ReadonlySet<string>,
    deploymentId: string,
    growth: Growth,
    limits: ContentLimits,
  ): Promise<Placement> => {
    if (refused.size === 0) return 'placed';
    if (refused.has('deployment')) return 'no_deployment';
    if (refused.has('uri')) return 'uri_taken';
    return totals.whatLacks(deploymentId, growth, limits);
  };

  return {
    list: async (deploymentId) => {
      const { pk, sk }: ItemKey = keyOf(deploymentId, '');
      const items = await queryItems(dynamo, {
        TableName,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
        ExpressionAttributeValues: { ':pk': pk, ':sk': sk },
        ConsistentRead: true,
      });
      return items.map((item) =>
        parseItem(schema, item, `a ${what} of deployment ${deploymentId}`),
      );
    },

    find: async (deploymentId, name) => (await read(deploymentId, name))?.content,

    create: async (home, content, limits) => {
      const { id: deploymentId } = home;
      const growth: Growth = { count: 1, bytes: bytesOf(content) };
      const refused = await transact<string>(dynamo, {
        content: put(deploymentId, content, ABSENT),
        ...takeUri(deploymentId, content),
        ...completions(home, undefined, content),
        totals: totals.grow(deploymentId, growth, limits),
      });
      if (refused.has('content')) return 'name_taken';
      return placementOf(refused, deploymentId, growth, limits);
    },

    replace: async (home, content, limits, revisions) => {
      const { id: deploymentId } = home;
      for (let tries = 0; tries < TRIES; tries += 1) {
        const stored = await read(deploymentId, content.name);
        if (!stored) return 'missing';
        const { content: before, unchanged } = stored;
        if (!isOneOf(before, revisions)) return 'stale';
        const growth: Growth = { count: 0, bytes: bytesOf(content) - bytesOf(before) };
        const refused = await transact<string>(dynamo, {
          content: put(deploymentId, content, unchanged),
          ...(content.uri !== before.uri && {
            ...takeUri(deploymentId, content),
            ...releaseUri(deploymentId, before),
          }),
          ...completions(home, before, content),
          totals: totals.grow(deploymentId, growth, limits),
        });
        if (!refused.has('content')) return placementOf(refused, deploymentId, growth, limits);
      }
      throw changing(what);
    },

    remove: async (home, name, revisions) => {
      const { id: deploymentId } = home;
      for (let tries = 0; tries < TRIES; tries += 1) {
        const stored = await read(deploymentId, name);
        if (!stored) return 'missing';
        const { content: before, unchanged } = stored;
        if (!isOneOf(before, revisions)) return 'stale';
        const refused = await transact<string>(dynamo, {
          content: { Delete: { TableName, Key: keyOf(deploymentId, name), ...unchanged } },
          ...releaseUri(deploymentId, before),
          ...completions(home, before),
          totals: totals.grow(deploymentId, { count: -1, bytes: -bytesOf(before) }),
        });
        if (refused.size === 0) return 'removed';
        if (refused.has('deployment')) return 'missing';
      }
      throw changing(what);
    },
  };
};

const isOneOf = (content: object, revisions: readonly string[] | undefined): boolean =>
  revisions?.includes(contentRevision(content)) ?? true;

const changing = (what: string) => new Fault('dynamodb', `too many changes of one ${what} at once`);

const Totals = z.object({ count: z.int(), bytes: z.int() });

interface Growth {
  readonly count: 1 | 0 | -1;
  readonly bytes: number;
}

/** Number and bytes of a deployment's contents of one kind, in one item, so that the limits can be write conditions. */
const contentTotals = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  kind: NamedContentKind,
) => ({
  /** @param limits - on the result; none if omitted */
  grow: (deploymentId: string, { count, bytes }: Growth, limits?: ContentLimits): Write => ({
    Update: {
      TableName,
      Key: contentTotalsKey(deploymentId, kind),
      UpdateExpression: 'ADD #count :count, bytes :bytes',
      ...(limits && { ConditionExpression: conditionFor(bytes, limits) }),
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: {
        ':count': count,
        ':bytes': bytes,
        ...(limits && { ':maxCount': limits.maxCount - count }),
        ...(limits && limits.maxBytes !== Infinity && { ':maxBytes': limits.maxBytes - bytes }),
      },
    },
  }),

  whatLacks: async (
    deploymentId: string,
    { count }: Growth,
    limits: ContentLimits,
  ): Promise<Placement> => {
    const Key = contentTotalsKey(deploymentId, kind);
    const item = await getItem(dynamo, TableName, Key);
    const has = item ? parseItem(Totals, item, `${Key.pk} ${Key.sk}`).count : 0;
    return has + count > limits.maxCount ? 'too_many' : 'too_much';
  },
});

const conditionFor = (bytes: number, { maxCount, maxBytes }: ContentLimits): string => {
  const fits = `#count <= :maxCount${maxBytes === Infinity ? '' : ' AND bytes <= :maxBytes'}`;
  const fitsAlone = maxCount > 0 && bytes <= maxBytes;
  return fitsAlone ? `attribute_not_exists(pk) OR (${fits})` : fits;
};

/** The deployment's revision grows as with any other change, so that concurrent changes conflict. */
const completionsGrow = (TableName: string, { id, slug }: ContentHome, growth: number): Write => ({
  Update: {
    TableName,
    Key: deploymentKey(slug),
    UpdateExpression: 'ADD completions :growth, revision :one',
    ConditionExpression: 'id = :id',
    ExpressionAttributeValues: { ':growth': growth, ':one': 1, ':id': id },
  },
});
