import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openFolder, replaceFile } from '../disk.ts';
import { openSerial } from '../serial.ts';
import type { Json } from '../wire/json.ts';
import { AwsRefusal } from '../wire/refusal.ts';
import type { DynamoEngine } from './engine.ts';

export interface TimeToLive {
  /** UpdateTimeToLive. @throws AwsRefusal */
  update(input: Json): Promise<object>;
  /** DescribeTimeToLive. @throws AwsRefusal */
  describe(input: Json): Promise<object>;
  forget(table: string): Promise<void>;
  /** Attribute per table. */
  attributes(): ReadonlyMap<string, string>;
}

/** Which attribute of which table holds the time of death, which dynalite does not know. */
export const openTimeToLive = async (folder: string, engine: DynamoEngine): Promise<TimeToLive> => {
  const path = join(folder, 'time-to-live.json');
  const stored = (await openFolder(folder)).includes('time-to-live.json');
  const attributes = new Map<string, string>(
    stored ? (JSON.parse(await readFile(path, 'utf8')) as [string, string][]) : [],
  );
  const serially = openSerial();
  const save = () => serially(path, () => replaceFile(path, JSON.stringify([...attributes])));

  return {
    update: async (input) => {
      const table = await existing(engine, input);
      const { Enabled, AttributeName } = specificationOf(input);
      const current = attributes.get(table);
      if (Enabled === (current !== undefined)) {
        throw invalid(`TimeToLive is already ${Enabled ? 'enabled' : 'disabled'}`);
      }
      if (Enabled) attributes.set(table, AttributeName);
      else attributes.delete(table);
      await save();
      return { TimeToLiveSpecification: { Enabled, AttributeName } };
    },
    describe: async (input) => {
      const AttributeName = attributes.get(await existing(engine, input));
      return {
        TimeToLiveDescription: AttributeName
          ? { TimeToLiveStatus: 'ENABLED', AttributeName }
          : { TimeToLiveStatus: 'DISABLED' },
      };
    },
    forget: async (table) => {
      if (attributes.delete(table)) await save();
    },
    attributes: () => attributes,
  };
};

const existing = async (engine: DynamoEngine, { TableName }: Json): Promise<string> => {
  await engine.run('DescribeTable', { TableName });
  return String(TableName);
};

const specificationOf = ({
  TimeToLiveSpecification,
}: Json): { Enabled: boolean; AttributeName: string } => {
  const { Enabled, AttributeName } = (TimeToLiveSpecification ?? {}) as Json;
  if (typeof Enabled !== 'boolean') throw invalid('TimeToLiveSpecification.Enabled is required');
  if (typeof AttributeName !== 'string' || AttributeName === '' || AttributeName.length > 255) {
    throw invalid('TimeToLiveSpecification.AttributeName must have 1 to 255 characters');
  }
  return { Enabled, AttributeName };
};

const invalid = (message: string) => new AwsRefusal('ValidationException', message);
