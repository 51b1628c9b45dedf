import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import { Fault } from '../../domain/fault.ts';
import type { Clock } from '../../ports.ts';
import { dynamoFault } from './faults.ts';
import { recalling } from './recalling.ts';
import { stored } from './stored.ts';
import { type Files, textOf, versionKey, type VersionPart } from './version-item.ts';

/** Where content of versions stands, and by which clock it is remembered. */
export interface VersionStore {
  readonly dynamo: DynamoDBDocumentClient;
  readonly TableName: string;
  readonly files: Files;
  readonly clock: Clock;
}

export interface ContentKind<Content> {
  readonly part: VersionPart;
  /** Names it in a Fault. */
  readonly what: string;
  readonly form: z.ZodMiniType<Content>;
  /** Of JSON text; in memory it takes up to twice as much. */
  readonly maxKeptBytes: number;
}

interface Loaded<Content> {
  readonly content: Content | undefined;
  readonly bytes: number;
}

/** Versions never change, so what was read once is remembered as long as there is room. */
export const versionContents = <Content>(
  { dynamo, TableName, files, clock }: VersionStore,
  { part, what, form, maxKeptBytes }: ContentKind<Content>,
): { find(deploymentId: string, version: number): Promise<Content | undefined> } => {
  const load = async (deploymentId: string, version: number): Promise<Loaded<Content>> => {
    const Key = versionKey(deploymentId, version, part);
    const { Item } = await dynamo
      .send(new GetCommand({ TableName, Key, ConsistentRead: true }))
      .catch(dynamoFault);
    if (!Item) return { content: undefined, bytes: 0 };
    const named = `${what} ${Key.pk} ${Key.sk}`;
    const text = await textOf(Item, files, named);
    return { content: stored(form, parsed(text, named), named), bytes: text.length };
  };

  const recall = recalling<Loaded<Content>>(clock, {
    keepSeconds: ({ content }) => (content ? Infinity : 0),
    weigh: ({ bytes }) => bytes,
    maxWeight: maxKeptBytes,
  });

  return {
    find: async (deploymentId, version) => {
      const { pk, sk } = versionKey(deploymentId, version, part);
      const { content } = await recall(`${pk} ${sk}`, () => load(deploymentId, version));
      return content;
    },
  };
};

const parsed = (text: string, what: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Fault('dynamodb', `${what} is not JSON`, cause);
  }
};
