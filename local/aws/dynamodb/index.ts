import { join } from 'node:path';
import type { TableManifest } from '../../../lambdas/storage-manifest.ts';
import { openFolder } from '../disk.ts';
import { openSerial } from '../serial.ts';
import { jsonService, readJson } from '../wire/json.ts';
import type { AwsService } from '../wire/service.ts';
import { dynamoAccesses } from './accesses.ts';
import { conflictError, throttleError } from './write-errors.ts';
import { type DynamoEngine, openDynamoEngine } from './engine.ts';
import { type ExpiringTable, sweepExpired } from './sweep.ts';
import { tableDefinition } from './table-definition.ts';

export interface EmbeddedDynamo {
  readonly service: AwsService;
  createTables(tables: Readonly<Record<string, TableManifest>>, prefix: string): Promise<void>;
  readonly load: DynamoEngine['load'];
  readonly lagIndexes: DynamoEngine['lagIndexes'];
  readonly slowBatches: DynamoEngine['slowBatches'];
  isEmpty(TableName: string): Promise<boolean>;
  /** @param now - epoch seconds @returns how many items were deleted */
  sweep(now: number): Promise<number>;
  close(): Promise<void>;
}

/** DynamoDB: dynalite's engine behind our endpoint, with transactions and time to live added. */
export const openDynamo = async (folder: string, region: string): Promise<EmbeddedDynamo> => {
  await openFolder(folder);
  const engine = await openDynamoEngine(join(folder, 'level'));
  const expiring = new Map<string, ExpiringTable>();
  const known = new Map<string, TableManifest>();
  const serially = openSerial();

  return {
    service: {
      ...jsonService({
        signingName: 'dynamodb',
        target: 'DynamoDB_20120810',
        version: '1.0',
        maxBodyBytes: 16 * 1024 * 1024,
        operations: Object.fromEntries(
          engine.operations.map((name) => [
            name,
            {
              run: (input) => engine.run(name, input),
              accesses: (input) => dynamoAccesses(name, input, known, region),
            },
          ]),
        ),
      }),
      ownError: (fault, operation, request) =>
        (fault === 'throttled' ? throttleError : conflictError)(operation, readJson(request)),
    },
    createTables: async (tables, prefix) => {
      for (const [name, table] of Object.entries(tables)) {
        const { partitionKey, sortKey, timeToLive } = table;
        const TableName = `${prefix}${name}`;
        await engine.createTable(tableDefinition(TableName, table));
        known.set(TableName, table);
        if (timeToLive === undefined) continue;
        const keys = sortKey === undefined ? [partitionKey] : [partitionKey, sortKey];
        expiring.set(TableName, { TableName, keys, timeToLive });
      }
    },
    load: engine.load,
    lagIndexes: engine.lagIndexes,
    slowBatches: engine.slowBatches,
    isEmpty: async (TableName) => {
      const { Count } = (await engine.run('Scan', { TableName, Limit: 1 })) as { Count: number };
      return Count === 0;
    },
    sweep: (now) => serially('sweep', () => sweepExpired(engine, [...expiring.values()], now)),
    close: async () => {
      await serially('sweep', async () => undefined);
      await engine.close();
    },
  };
};
