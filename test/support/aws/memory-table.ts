import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';

export type Item = Readonly<Record<string, unknown>>;

/** What a client of the table does besides, before each of its calls: it may throw, or wait. */
export interface Behaviour {
  readonly before?: (command: unknown) => Promise<void>;
  /** Whether an eventually consistent read leaves an item out. */
  readonly isStale?: () => boolean;
  /** Whether a write is answered as done, and is not. */
  readonly isLost?: (item: Item) => boolean;
}

export interface Units {
  readonly read: number;
  readonly written: number;
}

/** A minute, and a bucket of keys that begin with one. */
const BUCKET = 'yyyy-mm-ddThh:mm'.length;
const PAGE_BYTES = 1024 * 1024;

/**
 * The table of calls in memory, for simulations that are too large for the embedded one: it takes what the stores of
 * calls send, nothing else, and counts units as DynamoDB does, a refused write too. A test holds it to the embedded one.
 *
 * Source: DynamoDB, "Read and write operations", "DynamoDB item sizes and formats".
 */
export const memoryTable = () => {
  const partitions = new Map<string, Map<string, Map<string, Item>>>();
  const units = { read: 0, written: 0 };
  /** By partition and minute of the items. */
  const busiest = new Map<string, number>();

  const bucketsOf = (pk: string) => {
    const known = partitions.get(pk);
    if (known) return known;
    const made = new Map<string, Map<string, Item>>();
    partitions.set(pk, made);
    return made;
  };
  const found = (pk: string, sk: string): Item | undefined =>
    partitions.get(pk)?.get(sk.slice(0, BUCKET))?.get(sk);
  const countRead = (bytes: number, isConsistent: boolean) => {
    units.read += Math.max(1, Math.ceil(bytes / 4096)) * (isConsistent ? 1 : 0.5);
  };

  const put = ({ Item: item = {}, ...condition }: PutCommand['input'], isLost: boolean) => {
    const { pk, sk } = item as { pk: string; sk: string };
    const written = Math.ceil(sizeOf(item) / 1024);
    units.written += written;
    const key = `${pk} ${sk.slice(0, BUCKET)}`;
    busiest.set(key, (busiest.get(key) ?? 0) + written);
    if (!holds(condition, found(pk, sk))) {
      throw new ConditionalCheckFailedException({ message: 'refused', $metadata: {} });
    }
    if (isLost) return;
    const buckets = bucketsOf(pk);
    const bucket = buckets.get(sk.slice(0, BUCKET)) ?? new Map<string, Item>();
    buckets.set(sk.slice(0, BUCKET), bucket.set(sk, item));
  };

  const query = (
    {
      ExpressionAttributeValues: values = {},
      ConsistentRead = false,
      ...input
    }: QueryCommand['input'],
    isStale: () => boolean,
  ) => {
    const { KeyConditionExpression: key = '', ExclusiveStartKey: after } = input;
    const [, name = ''] = KEYS.exec(key) ?? [];
    if (name === '' || input.Limit !== undefined) throw new Error(`no such query here: ${key}`);
    const [pk, from, to] = [values[name], values[':from'], values[':to']].map(String) as [
      string,
      string,
      string,
    ];
    const matching = [...(partitions.get(pk) ?? [])]
      .filter(([bucket]) => bucket >= from.slice(0, BUCKET) && bucket <= to)
      .flatMap(([, items]) => [...items])
      .filter(([sk]) => sk >= from && sk <= to && (!after || sk > String(after['sk'])))
      .toSorted(([one], [other]) => (one < other ? -1 : 1));
    let bytes = 0;
    const page: Item[] = [];
    for (const [, item] of matching) {
      page.push(item);
      bytes += sizeOf(item);
      if (bytes >= PAGE_BYTES) break;
    }
    countRead(bytes, ConsistentRead);
    const last = page.length < matching.length ? page.at(-1) : undefined;
    const Items = ConsistentRead ? page : page.filter(() => !isStale());
    return { Items, ...(last && { LastEvaluatedKey: { pk, sk: last['sk'] } }) };
  };

  return {
    units: (): Units => ({ ...units }),
    /** Units that were written to a partition in one minute, at most. */
    busiest: (): number => Math.max(0, ...busiest.values()),
    resetUnits: (): void => {
      busiest.clear();
      Object.assign(units, { read: 0, written: 0 });
    },
    items: (): readonly Item[] =>
      [...partitions.values()].flatMap((buckets) =>
        [...buckets.values()].flatMap((items) => [...items.values()]),
      ),
    /** A client of it, as an instance of a function has one. */
    client: ({
      before,
      isStale = never,
      isLost = never,
    }: Behaviour = {}): DynamoDBDocumentClient => {
      const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-central-1' }));
      const send = async (command: unknown): Promise<unknown> => {
        await before?.(command);
        if (command instanceof PutCommand) {
          put(command.input, isLost(command.input.Item ?? {}));
          return {};
        }
        if (command instanceof QueryCommand) return query(command.input, isStale);
        if (!(command instanceof GetCommand)) throw new Error('no such operation here');
        const { pk, sk } = command.input.Key as { pk: string; sk: string };
        const Item = found(pk, sk);
        countRead(Item ? sizeOf(Item) : 0, command.input.ConsistentRead === true);
        return { Item };
      };
      client.send = send as DynamoDBDocumentClient['send'];
      return client;
    },
  };
};

const never = (): boolean => false;

const KEYS = /^pk = (:[a-z]+) AND sk BETWEEN :from AND :to$/;

/** Of the conditions that the stores of calls set. */
const holds = (
  {
    ConditionExpression: condition,
    ExpressionAttributeValues: values = {},
  }: Pick<PutCommand['input'], 'ConditionExpression' | 'ExpressionAttributeValues'>,
  item: Item | undefined,
): boolean => {
  if (condition === undefined || item === undefined) return true;
  const less = (name: string) => Number(item[name]) < Number(values[`:${name}`]);
  switch (condition) {
    case 'attribute_not_exists(pk)':
      return false;
    case 'attribute_not_exists(pk) OR done < :done':
      return String(item['done']) < String(values[':done']);
    case 'attribute_not_exists(pk) OR #rules < :rules OR (#rules = :rules AND seen < :seen)':
      return less('rules') || (item['rules'] === values[':rules'] && less('seen'));
    default:
      throw new Error(`no such condition here: ${condition}`);
  }
};

export const sizeOf = (item: Item): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + name.length + sizeOfValue(value), 0);

const sizeOfValue = (value: unknown): number => {
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 1;
  return value instanceof Uint8Array ? value.length : Buffer.byteLength(String(value));
};
