import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { monthBill, MONTHS, stageBill, steadyCost } from '../../bench/costs/bill.ts';
import { costsDocument } from '../../bench/costs/document.ts';
import { measureCall } from '../../bench/costs/measured.ts';
import { largestOf, millionOf, partsOf, sumOf } from '../../bench/costs/model.ts';
import { readRecording } from '../../bench/costs/recording.ts';
import { RESOURCE_TYPES } from '../../bench/costs/resource-types.ts';
import { OPTION_COSTS, type OptionCost } from '../../bench/costs/options.ts';
import { chargedByOption, chargedIn } from '../../bench/costs/stage.ts';
import { functions } from '../../lambdas/manifest.ts';
import {
  AT_THE_EDGE,
  EDGE,
  type EdgeFile,
  type File,
  filesOf,
  type Option,
  OPTIONS,
} from '../support/stacks/options.ts';
import { deployedWith, STAGES, synthesized } from '../support/stacks/synthesized.ts';

const recording = readRecording();

describe('docs/costs.md', () => {
  test('is what `npm run costs` writes of the last measurement', () => {
    const path = new URL('../../docs/costs.md', import.meta.url);

    expect(readFileSync(path, 'utf8')).toBe(costsDocument(recording));
  });

  test('is made of what a call still takes, to the write and nearly to the byte', async () => {
    const {
      logBytes,
      metricBytes,
      callBytes,
      answerBytes,
      storedBytes,
      storedBytesOfOne,
      ...counted
    } = await measureCall();
    const { call } = recording;

    expect(call).toMatchObject(counted);
    for (const [now, then] of [
      [logBytes, call.logBytes],
      [metricBytes, call.metricBytes],
      [callBytes, call.callBytes],
      [answerBytes, call.answerBytes],
      [storedBytes, call.storedBytes],
      [storedBytesOfOne, call.storedBytesOfOne],
    ] as const) {
      expect(Math.abs(now - then) / then).toBeLessThan(0.1);
    }
  });

  test('counts the alarms, metrics and keys of a stage', () => {
    expect(recording.stage).toEqual(chargedIn(synthesized()));
  });

  test('counts what each option adds', () => {
    expect(recording.options).toEqual(chargedByOption());
  });

  test('prints the memory that functions have', () => {
    const text = readFileSync(new URL('../../docs/costs.md', import.meta.url), 'utf8');

    for (const [name, { memoryMb }] of Object.entries(functions)) {
      expect(text).toContain(`| ${name} | ${memoryMb} MB |`);
    }
  });
});

describe('what is billed', () => {
  test('has a row, or a reason why it is free, for each type of resource of all stages', () => {
    const types = Object.values(STAGES).flatMap((stage) => {
      const { data, service, firewall } = synthesized({}, stage);
      return [data, service, firewall].flatMap((template) =>
        Object.values((template?.toJSON()['Resources'] ?? {}) as Resources).map(({ Type }) => Type),
      );
    });

    expect(Object.keys(RESOURCE_TYPES).toSorted()).toEqual([...new Set(types)].toSorted());
  });

  test('names rows that there are', () => {
    const [before = '', after = ''] = costsDocument(recording).split('## What is billed');
    const rows = Object.values(RESOURCE_TYPES).flatMap((one) => ('free' in one ? [] : one));

    // Beside the table itself.
    const rest = before + after.slice(after.indexOf('## '));
    expect(rows.filter((row) => !rest.includes(row))).toEqual([]);
  });
});

interface Resources {
  readonly [id: string]: { readonly Type: string };
}

describe('an option that counts nothing', () => {
  const counted = new Set<string>(
    Object.entries<OptionCost>(OPTION_COSTS).flatMap(([name, one]) => (one.counted ? [name] : [])),
  );
  const forms = (Object.keys(OPTIONS) as Option[])
    .filter((name) => !counted.has(name))
    .flatMap((name): readonly Partial<File>[] => OPTIONS[name]);
  const base = chargedIn(synthesized({}, deployedWith()));
  const more = (file: Partial<File>, than = base) => {
    const charged = chargedIn(synthesized({}, deployedWith(file)));
    return Object.entries(charged).filter(
      ([name, count]) => count > (than[name as keyof typeof than] ?? 0),
    );
  };

  test.each(filesOf(forms).map((file) => [Object.keys(file).join(', '), file] as const))(
    'adds nothing to the stacks: %s',
    (_, file) => {
      expect(more(file)).toEqual([]);
    },
  );

  test('adds nothing to the edge either', () => {
    const at = (edge: EdgeFile) => ({ edge, ...AT_THE_EDGE });
    const edge = chargedIn(synthesized({}, deployedWith(at({}))));
    const names = (Object.keys(EDGE) as (keyof EdgeFile)[]).filter(
      (name) => OPTION_COSTS[`edge.${name}`].counted === undefined,
    );

    expect(names).toContain('requests_per_five_minutes');
    for (const name of names) {
      for (const form of EDGE[name]) expect(more(at({ [name]: form }), edge)).toEqual([]);
    }
  });
});

describe('what a month costs', () => {
  test('is less than 46 dollars for a stage that nobody calls, canary and backups included', () => {
    expect(sumOf(stageBill(recording))).toBeLessThan(46);
  });

  test('is less than 120 dollars for storage, backups and keeping calls, at 100 a second', () => {
    const busy = MONTHS.find(({ name }) => name === '100 a second')!;

    expect(busy.millionCalls).toBeCloseTo((100 * 730 * 3600) / 1e6, 1);
    expect(monthBill(recording, busy).kept).toBeLessThan(120);
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
  test('is charged for most where the router waits', () => {
    expect(largestOf(partsOf(recording)).what).toContain('waits');
    // 700 ms more of half a GB.
    const half = { routerMemoryMb: 512 };
    const longer = millionOf(recording, { ...half, targetMs: 1000 });
    expect(longer - millionOf(recording, half)).toBeCloseTo(0.7 * 0.5 * 13.3334, 2);
  });

  test('is less than four and a half dollars for a million calls that come evenly, and five for others', () => {
    expect(millionOf(recording)).toBeLessThan(5);
    expect(steadyCost(recording, 100)).toMatchObject({ instances: 32 });
    expect(steadyCost(recording, 100).million).toBeLessThan(4.5);
  });

  test('is less than half a dollar for metrics, and nothing without them', () => {
    const metrics = millionOf(recording) - millionOf(recording, { metrics: false });

    expect(metrics).toBeGreaterThan(0);
    expect(metrics).toBeLessThan(0.5);
  });
});
