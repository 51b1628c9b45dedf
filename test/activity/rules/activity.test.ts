import { describe, expect, test } from '@jest/globals';
import {
  type ActivityEvent,
  type CallRecord,
  firstMoment,
  placeOfCall,
} from '../../../layers/events/rules/call-record.ts';
import { activityPage } from '../../../layers/activity/rules/page.ts';
import {
  callCounter,
  joinedCounts,
  type StoredCounts,
  daysOf,
  type ToolDay,
  type ToolHour,
} from '../../../layers/activity/rules/call-counts.ts';
import { tallied } from '../../../layers/events/rules/call-outcome.ts';
import { callerTotals } from '../../../layers/activity/rules/call-totals.ts';
import { DAY } from '../../../layers/platform/rules/time.ts';

const NOON = 1_795_176_000;

const at = (place: string): ActivityEvent => ({ type: 'security', place, at: NOON, details: {} });
const aDay = (day: string, tool = 'listPets', over: Partial<ToolDay> = {}): ToolDay => ({
  ...anHour(`${day}T12`, tool, over),
  day,
  hours: [],
});
const anHour = (hour: string, tool = 'listPets', over: Partial<ToolHour> = {}): ToolHour => ({
  hour,
  tool,
  calls: 1,
  ok: 1,
  targetErrors: 0,
  noAnswers: 0,
  refused: 0,
  errors: 0,
  trials: 0,
  sent: 1,
  latencySumMs: 10,
  latencyMaxMs: 10,
  ...over,
});
const counts = (over: Partial<StoredCounts> = {}): StoredCounts => ({
  ok: 1,
  targetErrors: 0,
  noAnswers: 0,
  refused: 0,
  trials: 0,
  latencySumMs: 10,
  latencyMaxMs: 10,
  ...over,
});
const counted = (hour: string, tools: Readonly<Record<string, StoredCounts>>) => ({
  hour,
  tools: new Map(Object.entries(tools)),
});
const countOf = (calls: readonly CallRecord[]) => {
  const counter = callCounter();
  for (const call of calls) counter.add(call);
  return counter.count();
};

const page = (over: Partial<Parameters<typeof activityPage>[0]>) => {
  const parts = { before: '~', events: [], eventsEnd: undefined, days: [], maxTools: 10, ...over };
  const { entries, next } = activityPage(parts);
  const told = entries.map((entry) =>
    entry.kind === 'event' ? entry.event.place : `${entry.day.day} ${entry.day.tool}`,
  );
  return { told, next };
};

describe('a page of activity', () => {
  test('is empty where nothing happened', () => {
    expect(page({})).toEqual({ told: [], next: undefined });
  });

  test('merges events and days in order, with each day after its events', () => {
    const events = [at('2026-11-20T12:00:00.000Z#2'), at('2026-11-19T00:00:00.000Z#1')];
    const days = [aDay('2026-11-18'), aDay('2026-11-20'), aDay('2026-11-19')];

    expect(page({ events, days })).toEqual({
      told: [
        '2026-11-20T12:00:00.000Z#2',
        '2026-11-20 listPets',
        '2026-11-19T00:00:00.000Z#1',
        '2026-11-19 listPets',
        '2026-11-18 listPets',
      ],
      next: undefined,
    });
  });

  test('leaves days that its events have not reached to the next page', () => {
    const events = [at('2026-11-20T12:00:00.000Z#2')];
    const days = [aDay('2026-11-20'), aDay('2026-11-21')];
    const first = page({ events, eventsEnd: '2026-11-20T12:00:00.000Z#2', days });

    expect(first).toEqual({
      told: ['2026-11-21 listPets', '2026-11-20T12:00:00.000Z#2'],
      next: '2026-11-20T12:00:00.000Z#2',
    });
    expect(page({ before: '2026-11-20T12:00:00.000Z#2', days }).told).toEqual([
      '2026-11-20 listPets',
    ]);
  });

  test('ends with a whole day where there are too many tools', () => {
    const days = [
      aDay('2026-11-20', 'a', { calls: 1 }),
      aDay('2026-11-20', 'b', { calls: 9 }),
      aDay('2026-11-19', 'a'),
      aDay('2026-11-19', 'b'),
    ];
    const events = [at('2026-11-19T12:00:00.000Z#1')];

    expect(page({ events, days, maxTools: 3 })).toEqual({
      told: ['2026-11-20 b', '2026-11-20 a'],
      next: '2026-11-20T00:00:00.000Z',
    });
    expect(page({ before: '2026-11-20T00:00:00.000Z', events, days, maxTools: 3 })).toEqual({
      told: ['2026-11-19T12:00:00.000Z#1', '2026-11-19 a', '2026-11-19 b'],
      next: undefined,
    });
  });

  test('has at least one day, no matter how many tools it has', () => {
    const days = ['a', 'b', 'c'].map((tool) => aDay('2026-11-20', tool));

    expect(page({ days: [...days, aDay('2026-11-19')], maxTools: 1 })).toEqual({
      told: ['2026-11-20 a', '2026-11-20 b', '2026-11-20 c'],
      next: '2026-11-20T00:00:00.000Z',
    });
    expect(page({ days, maxTools: 1 }).next).toBeUndefined();
  });
});

const aCall = (over: Partial<CallRecord> = {}): CallRecord => ({
  at: NOON,
  requestId: 'request-1',
  index: 0,
  deploymentId: 'dep-1',
  version: 1,
  tool: 'listPets',
  outcome: 'ok',
  durationMs: 10,
  subject: 'user-1',
  ip: '192.0.2.1',
  ...over,
});

describe('the counts of calls', () => {
  test('are by tool, and by how the calls ended', () => {
    const calls = [
      aCall(),
      aCall({ index: 1, outcome: 'target_error', durationMs: 30 }),
      aCall({ index: 2, outcome: 'no_answer', durationMs: 20 }),
      aCall({ index: 3, outcome: 'refused', durationMs: 0 }),
      aCall({ index: 4, tool: 'addPet' }),
    ];

    expect(countOf(calls)).toEqual({
      seen: 5,
      tools: new Map([
        [
          'listPets',
          counts({ targetErrors: 1, noAnswers: 1, refused: 1, latencySumMs: 60, latencyMaxMs: 30 }),
        ],
        ['addPet', counts()],
      ]),
    });
  });

  test('have each call once, and one that has begun when its end is there', () => {
    const begun = aCall({ outcome: 'unfinished', durationMs: 0 });

    expect(countOf([begun, begun])).toEqual({ seen: 1, tools: new Map() });
    expect(countOf([aCall(), begun, aCall(), begun])).toEqual({
      seen: 2,
      tools: new Map([['listPets', counts()]]),
    });
  });

  test('have the trials of the owner apart, however they ended', () => {
    const outcomes = ['ok', 'target_error', 'no_answer', 'refused'] as const;
    const calls = outcomes.flatMap((outcome, at) => [
      aCall({ outcome, index: at }),
      aCall({ outcome, trial: true, durationMs: 999, index: at + 10 }),
    ]);
    const { tools } = countOf(calls);
    const [day] = daysOf([{ hour: '2026-11-20T12', tools }]);

    expect(day).toMatchObject({
      calls: 4,
      ok: 1,
      targetErrors: 1,
      noAnswers: 1,
      refused: 1,
      errors: 3,
      trials: 4,
      sent: 3,
      latencySumMs: 30,
      latencyMaxMs: 10,
    });
    expect(tallied(calls)).toEqual({ calls: 4, errors: 3, trials: 4 });
    expect(callerTotals(calls)).toMatchObject([{ calls: 4, errors: 3, refused: 1 }]);
    expect(callerTotals(calls.filter(({ trial }) => trial))).toEqual([]);
  });

  test('leave out requests that were refused and call no tool, by tool and by caller', () => {
    const call = aCall({ outcome: 'refused' });
    const request = aCall({ index: 1, outcome: 'refused', tool: 'initialize', withoutTool: true });

    expect([...countOf([request, call]).tools.keys()]).toEqual(['listPets']);
    expect(callerTotals([request, call])).toMatchObject([{ calls: 1, refused: 1 }]);
    expect(callerTotals([request])).toEqual([]);
  });

  test('are added up, with the longest latency of all', () => {
    const slow = counts({ targetErrors: 1, latencySumMs: 50, latencyMaxMs: 45 });
    const parts = [
      { seen: 2, tools: new Map([['listPets', slow]]) },
      { seen: 3, tools: new Map([['listPets', counts()]]) },
    ];

    expect(joinedCounts(parts)).toEqual({
      seen: 5,
      tools: new Map([
        ['listPets', counts({ ok: 2, targetErrors: 1, latencySumMs: 60, latencyMaxMs: 45 })],
      ]),
    });
  });

  test('are shown by day and hour', () => {
    const slow = counts({ ok: 2, targetErrors: 1, latencySumMs: 60, latencyMaxMs: 45 });
    const [day, before] = daysOf([
      counted('2026-11-20T13', { listPets: counts() }),
      counted('2026-11-20T12', { listPets: slow }),
      counted('2026-11-19T12', { listPets: counts() }),
    ]);

    expect(day).toMatchObject({
      day: '2026-11-20',
      calls: 4,
      ok: 3,
      targetErrors: 1,
      latencySumMs: 70,
      latencyMaxMs: 45,
    });
    expect(day?.hours).toEqual([
      anHour('2026-11-20T12', 'listPets', {
        calls: 3,
        ok: 2,
        targetErrors: 1,
        errors: 1,
        sent: 3,
        latencySumMs: 60,
        latencyMaxMs: 45,
      }),
      anHour('2026-11-20T13'),
    ]);
    expect(before).toMatchObject({ day: '2026-11-19', calls: 1 });
  });
});

describe('the place of a call', () => {
  test('follows its time, and is its own within a request', () => {
    const places = [aCall(), aCall({ index: 10 }), aCall({ at: NOON + 1 })].map(placeOfCall);

    expect(places.toSorted()).toEqual(places);
    expect(new Set(places).size).toBe(3);
  });
});

describe('the start of the activity a user asks for', () => {
  test.each([
    ['no start is given', undefined, NOON - 90 * DAY],
    ['it is older than the retention', NOON - 91 * DAY, NOON - 90 * DAY],
    ['it is within the retention', NOON - DAY, NOON - DAY],
  ])('is limited to the retention where %s', (_, since, expected) => {
    expect(firstMoment(since, NOON, 90)).toBe(expected);
  });
});
