import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import {
  ABSENT,
  getItem,
  parseItem,
  parseJson,
  undefinedUnlessMet,
} from '../../platform/dynamodb/items.ts';
import { caseRunsKey, casesKey, type ItemKey } from '../../platform/dynamodb/keys.ts';
import { Fault } from '../../platform/rules/fault.ts';
import { storedOf } from '../../platform/rules/shape.ts';
import {
  Case,
  type CaseResult,
  type CaseRun,
  CaseRuns,
  casesRevision,
  type KeptCases,
  withRun,
} from '../rules/cases.ts';

const Cases = z.array(storedOf(Case));
/** Stored as JSON text, since arguments may have names that DynamoDB attributes may not. */
const Item = z.object({ text: z.string(), revision: z.string() });

const NO_CASES: KeptCases = { cases: [], revision: casesRevision([]) };
const NO_RUNS: CaseRuns = { runs: [], results: [] };
/** Optimistic retries: one fails only if another run is stored between its read and its write. */
const TRIES = 8;

/** Two items in the partition of the deployment's contents, so that they are removed with them. */
export const dynamoCases = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const read = async (key: ItemKey) => {
    const item = await getItem(dynamo, TableName, key);
    return item && parseItem(Item, item, `${key.pk} ${key.sk}`);
  };
  const write = async (
    key: ItemKey,
    before: z.output<typeof Item> | undefined,
    { text, revision }: z.output<typeof Item>,
  ): Promise<boolean> => {
    const condition = before
      ? {
          ConditionExpression: 'revision = :revision',
          ExpressionAttributeValues: { ':revision': before.revision },
        }
      : ABSENT;
    const Put = { TableName, Item: { ...key, text, revision }, ...condition };
    const written = await dynamo.send(new PutCommand(Put)).catch(undefinedUnlessMet);
    // The SDK repeats a write whose answer was lost; the repetition then fails on our own item.
    return written !== undefined || (await read(key))?.text === text;
  };

  return {
    find: async (deploymentId: string): Promise<KeptCases> => {
      const key = casesKey(deploymentId);
      const item = await read(key);
      if (!item) return NO_CASES;
      const { text, revision } = item;
      return { cases: parseJson(Cases, text, `${key.pk} ${key.sk}`), revision };
    },

    /** @param revisions - that may be replaced; any if omitted */
    replace: async (
      deploymentId: string,
      cases: readonly Case[],
      revisions: readonly string[] | undefined,
    ): Promise<'replaced' | 'stale'> => {
      const key = casesKey(deploymentId);
      const made = { text: JSON.stringify(cases), revision: casesRevision(cases) };
      for (let tries = 0; tries < TRIES; tries += 1) {
        const before = await read(key);
        const { revision } = before ?? NO_CASES;
        if (revisions?.includes(revision) === false) return 'stale';
        if (await write(key, before, made)) return 'replaced';
      }
      throw changing();
    },

    runs: async (deploymentId: string): Promise<CaseRuns> =>
      runsIn(await read(caseRunsKey(deploymentId)), deploymentId),

    addRun: async (
      deploymentId: string,
      run: CaseRun,
      results: readonly CaseResult[],
      attempt: string,
    ): Promise<void> => {
      const key = caseRunsKey(deploymentId);
      for (let tries = 0; tries < TRIES; tries += 1) {
        const before = await read(key);
        const text = JSON.stringify(withRun(runsIn(before, deploymentId), run, results));
        if (await write(key, before, { text, revision: attempt })) return;
      }
      throw changing();
    },
  };
};

const runsIn = (item: z.output<typeof Item> | undefined, deploymentId: string): CaseRuns =>
  item ? parseJson(CaseRuns, item.text, `runs of the cases of ${deploymentId}`) : NO_RUNS;

const changing = () => new Fault('dynamodb', 'too many changes of the cases of a server at once');

export type CaseStore = ReturnType<typeof dynamoCases>;
