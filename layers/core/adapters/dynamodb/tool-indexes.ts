import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { Fault } from '../../domain/fault.ts';
import type { ToolIndex } from '../../domain/tool-index.ts';
import type { Clock, ToolIndexes } from '../../ports.ts';
import { dynamoFault } from './faults.ts';
import { recalling } from './recalling.ts';
import { stored } from './stored.ts';
import { ToolIndexForm } from './tool-index-form.ts';
import { type Files, textOf, versionKey } from './version-item.ts';

/** Of JSON text; in memory an index takes up to twice as much. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

interface Loaded {
  readonly index: ToolIndex | undefined;
  readonly bytes: number;
}

/** Versions never change, so what was read once is remembered as long as there is room. */
export const dynamoToolIndexes = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  files: Files,
  clock: Clock,
): ToolIndexes => {
  const load = async (deploymentId: string, version: number): Promise<Loaded> => {
    const Key = versionKey(deploymentId, version, 'INDEX');
    const { Item } = await dynamo
      .send(new GetCommand({ TableName, Key, ConsistentRead: true }))
      .catch(dynamoFault);
    if (!Item) return { index: undefined, bytes: 0 };
    const what = `tool index ${Key.pk} ${Key.sk}`;
    const text = await textOf(Item, files, what);
    return { index: stored(ToolIndexForm, parsed(text, what), what), bytes: text.length };
  };

  const recall = recalling<Loaded>(clock, {
    keepSeconds: ({ index }) => (index ? Infinity : 0),
    weigh: ({ bytes }) => bytes,
    maxWeight: MAX_KEPT_BYTES,
  });

  return {
    find: async (deploymentId, version) => {
      const { pk, sk } = versionKey(deploymentId, version, 'INDEX');
      const { index } = await recall(`${pk} ${sk}`, () => load(deploymentId, version));
      return index;
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
