import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { costsDocument } from '../../bench/costs/document.ts';
import { measureCall } from '../../bench/costs/measured.ts';
import { largestOf, partsOf, type Situation, sumOf } from '../../bench/costs/model.ts';
import { readRecording } from '../../bench/costs/recording.ts';
import { stageCounts } from '../../bench/costs/stage.ts';
import { functions } from '../../lambdas/manifest.ts';
import { synthesized } from '../support/synthesized.ts';

const recording = readRecording();
const usual: Situation = {
  targetMs: 300,
  routerMemoryMb: functions.router.memoryMb,
  metrics: true,
};

describe('docs/costs.md', () => {
  test('is what `npm run costs` writes of the last measurement', () => {
    const path = new URL('../../docs/costs.md', import.meta.url);

    expect(readFileSync(path, 'utf8')).toBe(costsDocument(recording));
  });

  test('is made of what a call still takes, to the write and nearly to the byte', async () => {
    const { logBytes, metricBytes, answerBytes, ...counted } = await measureCall();
    const { call } = recording;

    expect(call).toMatchObject(counted);
    for (const [now, then] of [
      [logBytes, call.logBytes],
      [metricBytes, call.metricBytes],
      [answerBytes, call.answerBytes],
    ] as const) {
      expect(Math.abs(now - then) / then).toBeLessThan(0.1);
    }
  });

  test('counts the alarms, metrics and keys of a stage', () => {
    expect(recording.stage).toEqual(stageCounts(synthesized()));
  });

  test('prints the memory that functions have', () => {
    const text = readFileSync(new URL('../../docs/costs.md', import.meta.url), 'utf8');

    for (const [name, { memoryMb }] of Object.entries(functions)) {
      expect(text).toContain(`| ${name} | ${memoryMb} MB |`);
    }
  });
});

describe('provisioned concurrency', () => {
  const provisioned = (over: Parameters<typeof synthesized>[0]) =>
    Object.values(synthesized(over).service.findResources('AWS::Lambda::Alias')).flatMap(
      ({ Properties }) => Properties.ProvisionedConcurrencyConfig ?? [],
    );

  test('is of the live alias of the functions that the stage names, and of none otherwise', () => {
    expect(provisioned({ provisionedConcurrency: { router: 5 } })).toEqual([
      { ProvisionedConcurrentExecutions: 5 },
    ]);
    expect(provisioned({})).toEqual([]);
  });
});

describe('what calls cost', () => {
  const total = (over: Partial<Situation>) => sumOf(partsOf(recording, { ...usual, ...over }));

  test('is charged for most where the router waits', () => {
    expect(largestOf(partsOf(recording, usual)).what).toContain('waits');
    // 700 ms more of half a GB.
    const half = { routerMemoryMb: 512 };
    expect(total({ ...half, targetMs: 1000 }) - total(half)).toBeCloseTo(0.7 * 0.5 * 13.3334, 2);
  });

  test('is less than five dollars for a million calls whose target takes 300 ms', () => {
    expect(total({})).toBeLessThan(5);
  });

  test('is less than half a dollar for metrics, and nothing without them', () => {
    const metrics = total({}) - total({ metrics: false });

    expect(metrics).toBeGreaterThan(0);
    expect(metrics).toBeLessThan(0.5);
  });
});
