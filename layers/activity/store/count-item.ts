import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import * as z from 'zod/mini';
import { Fault } from '../../platform/rules/fault.ts';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';
import { parseItem } from '../../platform/dynamodb/items.ts';
import {
  type CallCount,
  COUNTED,
  COUNTING_RULES,
  type CountsByTool,
  type StoredCount,
  type StoredCounts,
} from '../rules/call-counts.ts';

const CountItem = z.object({
  sk: z.string(),
  rules: z.int(),
  seen: z.int(),
  tools: z.instanceof(Uint8Array),
});

/** A tool, and its numbers in the order of `COUNTED`. */
const Tools = z.array(z.tuple([z.string()], z.int()));

/** In bytes; DynamoDB allows 400 KB per item. */
const MOST_BYTES = 380_000;
const MOST_UNPACKED = 64 * 1024 * 1024;
/** Low Brotli quality for speed: a busy stage writes hundreds of counts a minute. */
const QUALITY = 4;

export const packedCount = ({ seen, tools }: CallCount) => ({
  rules: COUNTING_RULES,
  seen,
  tools: packedTools(tools),
});

/** Drops the least called tools if an item cannot hold all. */
const packedTools = (tools: CountsByTool): Uint8Array => {
  const rows = [...tools].map(([tool, counts]) => [tool, ...COUNTED.map((name) => counts[name])]);
  const calls = (row: readonly (number | string)[]) =>
    row.slice(1, 5).reduce<number>((sum, count) => sum + Number(count), 0);
  for (let some = rows; ;) {
    const packed = brotliCompressSync(JSON.stringify(some), {
      params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY },
    });
    if (packed.length <= MOST_BYTES) return packed;
    some = some
      .toSorted((one, other) => calls(other) - calls(one))
      .slice(0, Math.floor(some.length / 2));
  }
};

/** Undefined for an unreadable count: it is treated as missing, and recomputed from the calls. */
export const readableCount = (
  what: string,
  item: unknown,
): (StoredCount & { readonly sk: string }) | undefined => {
  try {
    return countIn(what, item);
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
};

/** @throws Fault if it is malformed */
const countIn = (what: string, item: unknown): StoredCount & { readonly sk: string } => {
  const { sk, rules, seen, tools } = parseItem(CountItem, item, what);
  return { sk, rules, seen, tools: unpackedTools(what, tools) };
};

const unpackedTools = (what: string, packed: Uint8Array): CountsByTool => {
  const unpacked = (() => {
    try {
      const text = brotliDecompressSync(packed, { maxOutputLength: MOST_UNPACKED }).toString();
      return parsedJson(text);
    } catch (cause) {
      throw new Fault('dynamodb', `${what} cannot be unpacked`, cause);
    }
  })();
  const rows = parseItem(Tools, unpacked, what);
  return new Map(
    rows.map(([tool, ...numbers]) => {
      const counts = COUNTED.map((name, at) => [name, numbers[at] ?? 0] as const);
      return [tool, Object.fromEntries(counts) as StoredCounts];
    }),
  );
};

/** `isNewer` as a DynamoDB condition: of two parallel counts, the later write may have seen less. */
export const ifNewer = ({ seen }: CallCount) => ({
  ConditionExpression:
    'attribute_not_exists(pk) OR #rules < :rules OR (#rules = :rules AND seen < :seen)',
  ExpressionAttributeNames: { '#rules': 'rules' },
  ExpressionAttributeValues: { ':rules': COUNTING_RULES, ':seen': seen },
});
