import { join } from 'node:path';
import type { TableManifest } from '../../../lambdas/manifest.ts';
import { openFolder } from '../disk.ts';
import { openSerial } from '../serial.ts';
import { type Json, type JsonOperation, jsonService } from '../wire/json.ts';
import { AwsRefusal } from '../wire/refusal.ts';
import type { AwsService } from '../wire/service.ts';
import { createTables } from './create-tables.ts';
import { openDynamoEngine } from './engine.ts';
import { sweepExpired } from './sweep.ts';
import { openTimeToLive } from './time-to-live.ts';

export interface EmbeddedDynamo {
  readonly service: AwsService;
  createTables(tables: Readonly<Record<string, TableManifest>>, prefix: string): Promise<void>;
  /** @param now - epoch seconds @returns how many items were deleted */
  sweep(now: number): Promise<number>;
  close(): Promise<void>;
}

/** DynamoDB: dynalite's engine behind our front, with time to live added. No transactions. */
export const openDynamo = async (folder: string, region: string): Promise<EmbeddedDynamo> => {
  await openFolder(folder);
  const engine = await openDynamoEngine(join(folder, 'level'), region);
  const timeToLive = await openTimeToLive(folder, engine);

  const operations: Record<string, JsonOperation> = {
    UpdateTimeToLive: timeToLive.update,
    DescribeTimeToLive: timeToLive.describe,
  };
  for (const operation of engine.operations) {
    operations[operation] = (input) => {
      refuseUnsupported(input);
      return engine.run(operation, input);
    };
  }
  operations['DeleteTable'] = async (input) => {
    const output = await engine.run('DeleteTable', input);
    await timeToLive.forget(String(input['TableName']));
    return output;
  };

  const serially = openSerial();
  const sweep = (now: number): Promise<number> =>
    serially('sweep', () => sweepExpired(engine, timeToLive.attributes(), now));

  return {
    service: jsonService({
      signingName: 'dynamodb',
      target: 'DynamoDB_20120810',
      version: '1.0',
      maxBodyBytes: 16 * 1024 * 1024,
      operations,
    }),
    createTables: (tables, prefix) => createTables(engine, timeToLive, tables, prefix),
    sweep,
    close: async () => {
      await serially('sweep', async () => undefined);
      await engine.close();
    },
  };
};

// dynalite ignores it: an answer without the item would be taken for AWS's.
const refuseUnsupported = ({ ReturnValuesOnConditionCheckFailure: asked }: Json): void => {
  if (asked !== undefined && asked !== 'NONE') {
    throw new AwsRefusal(
      'ValidationException',
      'ReturnValuesOnConditionCheckFailure is not implemented here.',
    );
  }
};
