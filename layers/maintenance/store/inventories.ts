import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Inventory } from '../rules/inventory.ts';
import {
  contentPartition,
  contentTotalsKey,
  namedContentKey,
  resourceUriKey,
} from '../../platform/dynamodb/keys.ts';
import { parseItem, queryItems } from '../../platform/dynamodb/items.ts';
import { deploymentFiles, type Files } from '../../deployments/store/versions/version-item.ts';

const optional = z.exactOptional;

const Row = z.object({
  sk: z.string(),
  content: optional(z.object({ file: optional(z.string()) })),
  name: optional(z.string()),
  uri: optional(z.string()),
  count: optional(z.int()),
});
type Row = z.output<typeof Row>;

const PART = /^V#(\d{6})#([A-Z]+)$/;

/** Keys and counts of a deployment's items and files, without contents. */
export const dynamoInventories = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  files: Pick<Files, 'list'>,
) => ({
  of: async (deploymentId: string): Promise<Inventory> => {
    const { pk } = contentPartition(deploymentId);
    const items = await queryItems(dynamo, {
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ProjectionExpression: 'sk, #content.#file, #name, #uri, #count',
      ExpressionAttributeNames: {
        '#content': 'content',
        '#file': 'file',
        '#name': 'name',
        '#uri': 'uri',
        '#count': 'count',
      },
      ExpressionAttributeValues: { ':pk': pk },
      ConsistentRead: true,
    });
    const rows = items.map((item) => parseItem(Row, item, `${pk} ${String(item['sk'])}`));
    // Read after the items, so that files named there existed before.
    const names = new Set((await files.list(deploymentFiles(deploymentId))).map(({ key }) => key));
    return { parts: partsIn(rows, names), ...contentsIn(deploymentId, rows) };
  },
});

export type Inventories = ReturnType<typeof dynamoInventories>;

const partsIn = (rows: readonly Row[], files: ReadonlySet<string>): Inventory['parts'] =>
  rows.flatMap(({ sk, content }) => {
    const [, version, part] = PART.exec(sk) ?? [];
    if (version === undefined || part === undefined) return [];
    const key = content?.file;
    const file = key !== undefined && { file: { key, isThere: files.has(key) } };
    return [{ version: Number(version), part, ...file }];
  });

const contentsIn = (deploymentId: string, rows: readonly Row[]): Omit<Inventory, 'parts'> => {
  const begin = (key: { readonly sk: string }) => rows.filter(({ sk }) => sk.startsWith(key.sk));
  const resources = begin(namedContentKey(deploymentId, 'RES', ''));
  const prompts = begin(namedContentKey(deploymentId, 'PROMPT', ''));
  const uris = rows.filter(({ sk }) => sk.startsWith('URI#'));
  const uriRowOf = ({ uri = '' }: Row) => resourceUriKey(deploymentId, uri).sk;
  const counted = (kind: 'RES' | 'PROMPT') =>
    rows.find(({ sk }) => sk === contentTotalsKey(deploymentId, kind).sk)?.count ?? 0;
  const belong = (resource: Row, uri: Row) =>
    uriRowOf(resource) === uri.sk && resource.name === uri.name;
  return {
    notFoundByUri: resources
      .filter((resource) => !uris.some((uri) => belong(resource, uri)))
      .map(({ name = '' }) => name),
    uriWithoutResource: uris
      .filter((uri) => !resources.some((resource) => belong(resource, uri)))
      .map(({ name = '' }) => name),
    resources: { stored: resources.length, counted: counted('RES') },
    prompts: { stored: prompts.length, counted: counted('PROMPT') },
  };
};
