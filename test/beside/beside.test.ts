import { AssertionError } from 'node:assert';
import { tmpdir } from 'node:os';
import { describe, expect, test } from '@jest/globals';
import { type FunctionName, functions } from '../../lambdas/manifest.ts';
import { bundlesOfThisRun } from '../support/aws/bundles.ts';
import { recordedShape } from '../support/aws/stored-shape.ts';
import { startWholeService } from '../support/service/whole-service.ts';
import { checkShape, formerVersion } from './former-version.ts';
import { addAttribute } from './later-additions.ts';
import { alternating, byChance } from './turns.ts';
import { type FormerFunctions, openVersions } from './versions.ts';
import { walk } from './walk.ts';

const ROOT = new URL('../../', import.meta.url);

/** This version, as if it were the one before. */
const theSame = async (): Promise<FormerFunctions> => {
  const { bundles } = await bundlesOfThisRun();
  return Object.fromEntries(
    Object.entries(functions).map(([name, { entry, environment }]) => [
      name,
      { entry: bundles?.[name as FunctionName] ?? new URL(entry, ROOT), environment },
    ]),
  );
};

describe('two versions that take turns on the same data', () => {
  test('give every answer that one gives, also where a later one has added to every item', async () => {
    const { runFunction, renew } = openVersions(await theSame(), alternating('former'));
    const service = await startWholeService({}, { runFunction });
    let added = 0;
    try {
      await walk(service, {
        renewRouter: () => renew('router'),
        between: async () => {
          added += await addAttribute(service.aws, 'hosted-mcp-');
        },
      });
    } finally {
      await service.stop();
    }

    expect(added).toBeGreaterThan(20);
    expect(service.aws.takeDenials()).toEqual([]);
  });

  test('are found out where one of them answers otherwise', async () => {
    const former = await theSame();
    const { runFunction, renew } = openVersions(
      { ...former, management: former['console']! },
      alternating('new'),
    );
    const service = await startWholeService({}, { runFunction });
    try {
      await expect(walk(service, { renewRouter: () => renew('router') })).rejects.toThrow(
        AssertionError,
      );
    } finally {
      await service.stop();
    }
  });

  test('do not start where the former one asks for a variable that is not set any more', async () => {
    const former = await theSame();
    const { entry } = former['mails']!;
    const asking = { ...former, mails: { entry, environment: ['GONE'] } };
    const { runFunction } = openVersions(asking, byChance(1));

    await expect(startWholeService({}, { runFunction })).rejects.toThrow(
      'mails of the former version asks for GONE, which no stage sets now',
    );
  });
});

describe('a former version', () => {
  const now = recordedShape();

  test('may serve beside this one if what is stored was only added to', () => {
    const [kind, attributes] = Object.entries(now.kinds)[0]!;
    const { [Object.keys(attributes)[0]!]: _, ...fewer } = attributes;
    const former = { ...now, kinds: { ...now.kinds, [kind]: fewer } };

    expect(checkShape('former', former, now)).toEqual([
      `${kind}: ${Object.keys(attributes)[0]} is new`,
    ]);
  });

  test('is refused if there is none', () => {
    expect(() => formerVersion('no-such-commit', tmpdir())).toThrow(
      'there is no commit no-such-commit in this repository',
    );
  });

  test('is refused if it needs what is not stored any more', () => {
    const former = { ...now, kinds: { ...now.kinds, 'users gone': { id: 'S' } } };

    expect(() => checkShape('1234567', former, now)).toThrow(
      '1234567 cannot read what this version writes: users gone is not stored any more',
    );
  });

  test('is refused if the data has another format', () => {
    const later = { ...now, format: now.format + 1 };

    expect(() => checkShape('1234567', now, later)).toThrow(
      `1234567 writes data of format ${now.format}, this version format ${later.format}: deploy a version between`,
    );
  });
});
