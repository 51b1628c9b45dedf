import { describe, expect, test } from '@jest/globals';
import {
  type ActivityEvent,
  type CallRecord,
  firstMoment,
  placeOfCall,
} from '../../../layers/events/rules/call-record.ts';
import { activityPage } from '../../../layers/activity/rules/page.ts';
import {
  countedCalls,
  daysOf,
  type StoredHour,
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
const storedHour = (
  hour: string,
  tool = 'listPets',
  over: Partial<StoredHour> = {},
): StoredHour => ({
  hour,
  tool,
  calls: 1,
  ok: 1,
  targetErrors: 0,
  noAnswers: 0,
  refused: 0,
  trials: 0,
  trialTargetErrors: 0,
  trialNoAnswers: 0,
  trialRefused: 0,
  latencySumMs: 10,
  latencyMaxMs: 10,
  ...over,
});

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
  test('are by tool and hour, and by how the calls ended', () => {
    const calls = [
      aCall(),
      aCall({ outcome: 'target_error', durationMs: 30 }),
      aCall({ outcome: 'no_answer', durationMs: 20 }),
      aCall({ outcome: 'refused', durationMs: 0 }),
      aCall({ tool: 'addPet' }),
      aCall({ at: NOON - 1 }),
    ];

    expect(countedCalls(calls)).toEqual([
      storedHour('2026-11-20T12', 'listPets', {
        calls: 4,
        ok: 1,
        targetErrors: 1,
        noAnswers: 1,
        refused: 1,
        latencySumMs: 60,
        latencyMaxMs: 30,
      }),
      storedHour('2026-11-20T12', 'addPet'),
      storedHour('2026-11-20T11'),
    ]);
  });

  test('have the trials of the owner apart, however they ended', () => {
    const outcomes = ['ok', 'target_error', 'no_answer', 'refused'] as const;
    const calls = outcomes.flatMap((outcome) => [
      aCall({ outcome }),
      aCall({ outcome, trial: true, durationMs: 999 }),
    ]);
    const [day] = daysOf(countedCalls(calls));

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

  test('of before, which do not tell how trials ended, take them for successes', () => {
    const [day] = daysOf([
      storedHour('2026-11-20T12', 'a', { calls: 3, ok: 2, refused: 1, trials: 1 }),
    ]);

    expect(day).toMatchObject({ calls: 2, ok: 1, refused: 1, errors: 1, trials: 1 });
  });

  test('leave out requests that were refused and call no tool, by tool and by caller', () => {
    const call = aCall({ outcome: 'refused' });
    const request = aCall({ outcome: 'refused', tool: 'initialize', withoutTool: true });

    expect(countedCalls([request, call])).toMatchObject([{ tool: 'listPets', calls: 1 }]);
    expect(callerTotals([request, call])).toMatchObject([{ calls: 1, refused: 1 }]);
    expect(callerTotals([request])).toEqual([]);
  });

  test('are added up by day, whoever counted them, with the longest latency of all', () => {
    const slow = { calls: 2, targetErrors: 1, latencySumMs: 50, latencyMaxMs: 45 };
    const counted = [
      storedHour('2026-11-20T13'),
      storedHour('2026-11-20T12', 'listPets', slow),
      storedHour('2026-11-20T12'),
      storedHour('2026-11-19T12'),
    ];

    const [day, before] = daysOf(counted);

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
        ...slow,
        calls: 3,
        ok: 2,
        errors: 1,
        sent: 3,
        latencySumMs: 60,
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
