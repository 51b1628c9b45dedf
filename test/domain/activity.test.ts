import { describe, expect, test } from '@jest/globals';
import {
  type ActivityEvent,
  activityPage,
  firstMoment,
  joinedDays,
  type ToolDay,
} from '../../layers/core/domain/activity/index.ts';
import { DAY } from '../../layers/core/domain/time.ts';

const NOON = 1_795_176_000;

const at = (place: string): ActivityEvent => ({ type: 'security', place, at: NOON, details: {} });
const aDay = (day: string, tool = 'listPets', over: Partial<ToolDay> = {}): ToolDay => ({
  day,
  tool,
  calls: 1,
  ok: 1,
  targetErrors: 0,
  noAnswers: 0,
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

  test('has days and events in one order, a day behind the events in it', () => {
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

  test('leaves the days that the events have not passed to the next page', () => {
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

  test('has at least one day, however many tools it has', () => {
    const days = ['a', 'b', 'c'].map((tool) => aDay('2026-11-20', tool));

    expect(page({ days: [...days, aDay('2026-11-19')], maxTools: 1 })).toEqual({
      told: ['2026-11-20 a', '2026-11-20 b', '2026-11-20 c'],
      next: '2026-11-20T00:00:00.000Z',
    });
    expect(page({ days, maxTools: 1 }).next).toBeUndefined();
  });
});

describe('the days of a tool', () => {
  test('are added up, with the longest latency of all', () => {
    const other = {
      calls: 2,
      ok: 0,
      targetErrors: 1,
      noAnswers: 1,
      latencySumMs: 50,
      latencyMaxMs: 45,
    };
    expect(
      joinedDays([aDay('2026-11-20'), aDay('2026-11-20', 'listPets', other), aDay('2026-11-19')]),
    ).toEqual([
      aDay('2026-11-20', 'listPets', {
        calls: 3,
        ok: 1,
        targetErrors: 1,
        noAnswers: 1,
        latencySumMs: 60,
        latencyMaxMs: 45,
      }),
      aDay('2026-11-19'),
    ]);
  });
});

describe('the first moment', () => {
  test.each([
    ['nothing is asked for', undefined, NOON - 90 * DAY],
    ['it is longer ago than logs are kept', NOON - 91 * DAY, NOON - 90 * DAY],
    ['it is yesterday', NOON - DAY, NOON - DAY],
  ])('is right where %s', (_, since, expected) => {
    expect(firstMoment(since, NOON, 90)).toBe(expected);
  });
});
