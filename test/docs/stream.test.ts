import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from '@jest/globals';
import type * as z from 'zod';
import { CALL_OUTCOMES, tallied } from '../../layers/events/rules/call-outcome.ts';
import type { LoggedCall } from '../../layers/events/rules/call-record.ts';
import { type LineName, LINES } from '../../layers/events/rules/line-schemas.ts';
import { SECURITY_EVENTS } from '../../layers/events/rules/service-event.ts';
import { dynamoEvents, stdoutCallLog } from '../../layers/events/store/events.ts';
import { dynamoClient } from '../../layers/platform/dynamodb/client.ts';
import { embeddedMetrics } from '../../layers/platform/log/embedded-metrics.ts';
import { stdoutLog } from '../../layers/platform/log/stdout-log.ts';
import { aClock, NOON } from '../support/aws/dynamodb-fixtures.ts';

const text = readFileSync(new URL('../../docs/stream.md', import.meta.url), 'utf8');
const [table = '', ofPerson = '', byHour = ''] = text
  .split('```sql\n')
  .slice(1)
  .map((part) => part.split('```')[0] ?? '');

/** Columns of the table, with their types. */
const columns = new Map(
  [...(table.split('PARTITIONED BY')[0] ?? '').matchAll(/`(\w+)` (\w+)/g)].map(
    ([, name = '', type = '']) => [name, type],
  ),
);

/** What Athena would read a member as. */
const typeOf = ({ _zod: { def } }: z.core.$ZodType): string => {
  const { type, innerType, values } = def as {
    readonly type: string;
    readonly innerType?: z.core.$ZodType;
    readonly values?: readonly unknown[];
  };
  if (innerType) return typeOf(innerType);
  const of = values ? typeof values[0] : type;
  return { number: 'int', boolean: 'boolean', array: 'array' }[of] ?? 'string';
};

describe('the table of the document', () => {
  test('has a column for each member of each line, and no other', () => {
    const members = Object.values(LINES).flatMap(({ shape }) => Object.keys(shape));

    expect([...columns.keys()].toSorted()).toEqual([...new Set(members)].toSorted());
  });

  test('has columns of their types, and texts where lines differ', () => {
    const types = new Map<string, Set<string>>();
    for (const { shape } of Object.values(LINES)) {
      for (const [name, schema] of Object.entries<z.core.$ZodType>(shape)) {
        types.set(name, (types.get(name) ?? new Set()).add(typeOf(schema)));
      }
    }
    for (const [name, found] of types) {
      const [only = ''] = found;
      expect([name, columns.get(name)]).toEqual([name, found.size > 1 ? 'string' : only]);
    }
  });

  test('tells members apart that differ in capitals, since lines with metrics have such', () => {
    const [line = ''] = eventLines(embeddedMetrics('HostedMcp/test'));
    const names = Object.keys(JSON.parse(line)).map((name) => name.toLowerCase());

    expect(names.length).toBeGreaterThan(new Set(names).size);
    expect(table).toContain("'case.insensitive' = 'FALSE'");
  });
});

const aCall: LoggedCall = {
  at: NOON,
  requestId: 'request-1',
  index: 0,
  deploymentId: 'dep-1',
  version: 1,
  tool: 'getPet',
  outcome: 'ok',
  durationMs: 12,
  subject: 'user-1',
  ip: '192.0.2.1',
  slug: 'pets',
};

/** As the router writes them. */
const callLines = (...calls: readonly Partial<LoggedCall>[]): readonly string[] => {
  const lines: string[] = [];
  const log = stdoutCallLog({ write: (line) => lines.push(line) });
  for (const call of calls) log.write({ ...aCall, ...call });
  return lines;
};

/** Two events that are the same but for their ids, and one of somebody else. */
const eventLines = (metrics?: Parameters<typeof stdoutLog>[2]): readonly string[] => {
  const lines: string[] = [];
  const clock = aClock(NOON);
  let number = 0;
  const random = { id: () => `id-${(number += 1)}` };
  const log = stdoutLog(clock, { write: (line) => lines.push(line) }, metrics);
  const dynamo = dynamoClient({
    endpoint: 'http://127.0.0.1:9',
    region: 'eu-central-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
  });
  const events = dynamoEvents({ clock, log, random }, dynamo, 'none', 90);
  const event = {
    type: 'credential_access',
    deploymentId: 'dep-1',
    version: 'version-1',
    user: 'user-1',
    ip: '192.0.2.1',
    requestId: 'request-1',
    instance: 'router-1',
    outcome: 'ok',
    durationMs: 1,
  } as const;
  events.record(event);
  const change = { type: 'change', deploymentId: 'dep-1', slug: 'pets', operation: 'put' } as const;
  for (const subject of ['user-1', 'user-1', 'user-2']) events.record({ ...change, subject });
  return lines;
};

/** By a seed, so that a failure comes again. */
const shuffled = <Item>(items: readonly Item[], seed: number): readonly Item[] => {
  let state = seed;
  const keyed = items.map((item) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return [state, item] as const;
  });
  return keyed.toSorted(([one], [other]) => one - other).map(([, item]) => item);
};

/** The day of the lines here, in the place of the one in the document. */
const DAY = 86_400;
const dayOf = (at: number) => new Date(at * 1000).toISOString().slice(0, 10);
const ofDay = (query: string) =>
  query.replace(/2026-11-(27|28|29)/g, (_, day) => dayOf(NOON + (Number(day) - 28) * DAY));

/** What a query of the document finds in lines, in folders of their day and those beside it. Windows and `concat` are of the same meaning in Athena and SQLite. */
const found = (query: string, lines: readonly string[]) => {
  const names = [...columns.keys(), 'dt'];
  const quoted = names.map((name) => `"${name}"`).join(', ');
  const database = new DatabaseSync(':memory:');
  try {
    database.exec(`CREATE TABLE lines (${quoted})`);
    const insert = database.prepare(
      `INSERT INTO lines VALUES (${names.map(() => '?').join(', ')})`,
    );
    for (const [at, line] of lines.entries()) {
      // An empty line of a file is a row without values.
      const values = line === '' ? {} : (JSON.parse(line) as Record<string, unknown>);
      const row: Record<string, unknown> = { ...values, dt: dayOf(NOON + ((at % 3) - 1) * DAY) };
      insert.run(
        ...names.map((name) => {
          const value = row[name];
          if (value === undefined) return null;
          return typeof value === 'string' || typeof value === 'number'
            ? value
            : JSON.stringify(value);
        }),
      );
    }
    return database.prepare(ofDay(query)).all();
  } finally {
    database.close();
  }
};

const CALLS: readonly Partial<LoggedCall>[] = [
  ...CALL_OUTCOMES.map((outcome, index) => ({ requestId: `request-${outcome}`, index, outcome })),
  // Two of one request, and one of another server at the same time.
  { requestId: 'batch', index: 0 },
  { requestId: 'batch', index: 1, outcome: 'target_error' },
  { requestId: 'batch', index: 0, deploymentId: 'dep-2' },
  { requestId: 'batch', index: 0, at: NOON + 3600 },
  { requestId: 'tried', trial: true },
  { requestId: 'page', outcome: 'refused', withoutTool: true },
];

const sent = CALLS.filter(({ outcome }) => outcome !== 'refused').map((call) => ({
  ...call,
  outcome: 'unfinished' as const,
}));
const once = [...callLines(...sent), ...callLines(...CALLS)];
/** Of a call at the last moment of the day before, and one at the first of the day after. */
const beside = callLines(
  { requestId: 'before', at: NOON - DAY / 2 - 1 },
  { requestId: 'after', at: NOON + DAY / 2 },
);
const SEEDS = [1, 2, 3, 4, 5];

describe.each(SEEDS)('of lines that came twice, in an order by %s,', (seed) => {
  const lines = shuffled(
    [...once, ...once, ...eventLines(), ...eventLines(), ...beside, '', ''],
    seed,
  );

  test('the query finds each call of a person once, by its end where there is one', () => {
    const calls = found(ofPerson.replace("'ID'", "'user-1'"), lines).filter(
      ({ message }) => message === 'tool_call',
    );
    const keyOf = (call: Record<string, unknown>) =>
      `${call['deployment_id']} ${call['time']} ${call['request_id']} ${call['index']}`;

    expect(calls.map(keyOf).toSorted()).toEqual(
      callLines(...CALLS)
        .map((line) => keyOf(JSON.parse(line)))
        .toSorted(),
    );
    expect(calls.filter(({ outcome }) => outcome === 'unfinished')).toEqual([
      expect.objectContaining({ request_id: 'request-unfinished' }),
    ]);
  });

  test('the query finds each event of a person once, however alike they are, and none of others', () => {
    const events = found(ofPerson.replace("'ID'", "'user-1'"), lines).filter(({ type }) => type);

    expect(events.map(({ id }) => id).toSorted()).toEqual(['id-2', 'id-3']);
  });

  test('the query finds no row without values, whoever is asked for', () => {
    const all = found(
      ofPerson
        .replace("AND subject = 'ID'", '')
        .replace('WHERE n = 1', 'WHERE true')
        .replace(/ AND "time" LIKE '[^']+'/, ''),
      lines,
    );

    expect(all.length).toBe(lines.filter((line) => line !== '').length);
  });

  test('the count by the hour is what the charts count', () => {
    const counted = new Map(
      found(byHour, lines).map((row) => [`${row['deployment_id']} ${row['hour']}`, row['calls']]),
    );
    const groups = Map.groupBy(
      CALLS.map((call) => ({ ...aCall, ...call })),
      ({ at, deploymentId }) => `${deploymentId} ${new Date(at * 1000).toISOString().slice(0, 13)}`,
    );
    const expected = [...groups].map(([key, calls]) => [key, tallied(calls).calls] as const);

    expect([...counted].toSorted()).toEqual(expected.toSorted());
    expect(expected.length).toBe(3);
  });
});

describe('without its rule', () => {
  test('the query would find lines that came twice', () => {
    const lines = [...once, ...once];
    const all = found(ofPerson.replace('n = 1 AND', '').replace("'ID'", "'user-1'"), lines);

    expect(all.length).toBe(lines.length);
  });
});

describe('the table to OCSF', () => {
  const rows = (text.split('## As OCSF')[1] ?? '')
    .split('\n')
    .filter((row) => row.startsWith('| '));
  const classes = rows.filter((row) => /\| (?:6003|300[124]),/.test(row));
  const named = (row: string) => [...(row.split(' | ')[0] ?? '').matchAll(/`(\w+)`/g)];
  const kinds = classes.flatMap(named).map(([, name = '']) => name);

  test('has a place for each kind of line and each event, and one alone', () => {
    const all: readonly string[] = [...(Object.keys(LINES) as LineName[]), ...SECURITY_EVENTS];
    const places = kinds.filter((name) => name !== 'security');

    expect(places.toSorted()).toEqual(all.filter((name) => name !== 'security').toSorted());
  });

  test('names no member that no line has', () => {
    const members = rows
      .filter((row) => !classes.includes(row) && !/^\| (?:Line|Member)/.test(row))
      .flatMap(named)
      .map(([, name = '']) => name);

    expect(members.length).toBeGreaterThan(15);
    expect(members.filter((name) => !columns.has(name))).toEqual([]);
  });
});
