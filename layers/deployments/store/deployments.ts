import * as z from 'zod/mini';
import { deploymentKey } from '../../platform/dynamodb/keys.ts';
import { getItem, parseItem, queryItems, queryPage } from '../../platform/dynamodb/items.ts';
import { storedOf } from '../../platform/rules/shape.ts';
import { Deployment } from '../rules/deployment.ts';
import { type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../platform/system/clock.ts';
import type { DeploymentEditor, Deployments } from './deployment-store.ts';
import { cached } from '../../platform/cache/cache.ts';
import { jsonOrUndefined, parsedJson } from '../../platform/rules/json/parsed-json.ts';

/** As JSON text: nobody asks the table for a part of it, and fixed values may be of any form. */
const Json = z.pipe(
  z.string(),
  z.transform((text, context): unknown => {
    try {
      return parsedJson(text);
    } catch {
      context.issues.push({ code: 'custom', message: 'is not JSON', input: '' });
      return z.NEVER;
    }
  }),
);

/** Two members are stored otherwise than they are inside: `mcpAuthMethod`, as the interface specification has it. */
const Item = z.pipe(
  z.pipe(
    z.looseObject({ mcpAuthMethod: z.unknown(), publication: Json }),
    z.transform(({ mcpAuthMethod: authMethod, ...item }): unknown => ({ ...item, authMethod })),
  ),
  storedOf(Deployment),
);

/** @throws Fault if the item does not have its form */
export const parseDeployment = (slug: string, item: unknown): Deployment | undefined =>
  item === undefined ? undefined : parseItem(Item, item, `deployment ${slug}`);

export const deploymentItem = ({ authMethod, publication, ...deployment }: Deployment) => ({
  ...deploymentKey(deployment.slug),
  ...deployment,
  mcpAuthMethod: authMethod,
  publication: JSON.stringify(publication),
});

/**
 * A change of a deployment holds at the latest this much later.
 * Source: docs/decisions/storage.md, "How soon a change holds".
 */
const KEEP_SECONDS = 15;
/** Shorter, so that a new deployment is there soon for those who were early. */
const KEEP_ABSENCE_SECONDS = 2;
const MAX_KEPT = 1000;

/** The read side. Single deployments are remembered, lists are not. */
export const dynamoDeployments = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  clock: Clock,
): Deployments => {
  const read = deploymentReader(dynamo, TableName);
  const recall = cached<Deployment | undefined>(clock, {
    keepSeconds: (deployment) => (deployment ? KEEP_SECONDS : KEEP_ABSENCE_SECONDS),
    weigh: () => 1,
    maxWeight: MAX_KEPT,
  });
  return {
    find: (slug) => recall(slug, () => read(slug)),
    findAgain: (slug) => recall.again(slug, () => read(slug)),
    knows: (slug) => recall.knows(slug),
    listByOwner: (ownerId) => listByOwner(dynamo, TableName, ownerId),
  };
};

/** Which deployment is at an address, paused ones too. */
export const dynamoDeploymentIds = (dynamo: DynamoDBDocumentClient, TableName: string) => ({
  /** Undefined: there is none. */
  find: async (slug: string): Promise<string | undefined> => {
    const id = (await getItem(dynamo, TableName, deploymentKey(slug)))?.['id'];
    return typeof id === 'string' ? id : undefined;
  },
});

export type DeploymentIds = ReturnType<typeof dynamoDeploymentIds>;

/** Reads strongly consistent: a late replica would add its lateness to the 15 s. */
export const deploymentReader =
  (dynamo: DynamoDBDocumentClient, TableName: string): DeploymentEditor['read'] =>
  async (slug): Promise<Deployment | undefined> => {
    return parseDeployment(slug, await getItem(dynamo, TableName, deploymentKey(slug)));
  };

const listByOwner = async (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  ownerId: string,
): Promise<readonly Deployment[]> => {
  const items = await queryItems(dynamo, {
    TableName,
    IndexName: 'by-owner',
    KeyConditionExpression: 'ownerId = :owner',
    ExpressionAttributeValues: { ':owner': ownerId },
    ScanIndexForward: false,
  });
  return items.flatMap((item) => parseDeployment(String(item['slug']), item) ?? []);
};

/** When the last deployment of a page was created, and its slug: enough to make its key again. */
const Position = z.tuple([z.int(), z.string().check(z.minLength(1))]);

/** An owner's deployments by the index of owners, a page at a time. */
export const deploymentPages =
  (dynamo: DynamoDBDocumentClient, TableName: string): DeploymentEditor['listByOwner'] =>
  async (ownerId, { limit, after }) => {
    // One more than the limit, so that the last page is known to be the last. Of large ones come fewer:
    // DynamoDB ends a page at 1 MB.
    const { Items = [], LastEvaluatedKey } = await queryPage(dynamo, {
      TableName,
      IndexName: 'by-owner',
      KeyConditionExpression: 'ownerId = :owner',
      ExpressionAttributeValues: { ':owner': ownerId },
      ExclusiveStartKey: startKey(ownerId, after),
      ScanIndexForward: false,
      Limit: limit + 1,
    });
    const items = Items.flatMap((item) => parseDeployment(String(item['slug']), item) ?? []);
    const page = items.slice(0, limit);
    const last = items.length > limit || LastEvaluatedKey ? page.at(-1) : undefined;
    return { items: page, ...(last && { next: positionOf(last) }) };
  };

const positionOf = ({ createdAt, slug }: Deployment): string => JSON.stringify([createdAt, slug]);

/** What no page ended with stands for the beginning: the list is the owner's own in any case. */
const startKey = (ownerId: string, after: string | undefined) => {
  const read = z.safeParse(Position, after === undefined ? undefined : jsonOrUndefined(after));
  if (!read.success) return undefined;
  const [createdAt, slug] = read.data;
  return { ...deploymentKey(slug), ownerId, createdAt };
};
