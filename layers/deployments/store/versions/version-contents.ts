import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import type { Clock } from '../../../platform/system/clock.ts';
import { getItem, parseJson } from '../../../platform/dynamodb/items.ts';
import { cached } from '../../../platform/cache/cache.ts';
import { versionKey, type VersionPart } from '../../../platform/dynamodb/keys.ts';
import type { VersionContents } from '../../rules/versions.ts';
import { type Files, readText } from './version-item.ts';

export interface VersionStore {
  readonly dynamo: DynamoDBDocumentClient;
  readonly TableName: string;
  readonly files: Files;
  readonly clock: Clock;
}

export interface ContentKind<Content> {
  readonly part: VersionPart;
  readonly what: string;
  readonly schema: z.ZodMiniType<Content>;
  /** Bytes of JSON text; in memory it takes up to twice as much. */
  readonly maxKeptBytes: number;
}

interface Loaded<Content> {
  readonly content: Content | undefined;
  readonly bytes: number;
}

/** Reads one part of versions. Versions never change, so the cache drops one only for want of memory. */
export const versionContents = <Content>(
  { dynamo, TableName, files, clock }: VersionStore,
  { part, what, schema, maxKeptBytes }: ContentKind<Content>,
): VersionContents<Content> => {
  const load = async (deploymentId: string, version: number): Promise<Loaded<Content>> => {
    const Key = versionKey(deploymentId, version, part);
    const item = await getItem(dynamo, TableName, Key);
    if (!item) return { content: undefined, bytes: 0 };
    const named = `${what} ${Key.pk} ${Key.sk}`;
    const text = await readText(item, files, named);
    return { content: parseJson(schema, text, named), bytes: text.length };
  };

  const recall = cached<Loaded<Content>>(clock, {
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
