import { describe, expect, test } from '@jest/globals';
import { App, type Stack } from 'aws-cdk-lib';
import type { Template } from 'aws-cdk-lib/assertions';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Stage, stageOf } from '../../lib/stage/stage.ts';
import { composeStacks } from '../../lib/stacks.ts';
import {
  context,
  deployedWith,
  OPTION_STAGES,
  PROD,
  shortBundles,
  synthesized,
} from '../support/stacks/synthesized.ts';
import { fixedNamesOf, resourcesIn } from '../support/stacks/template-graph.ts';

/** Only people read their names; AWS gives each an id. */
const LABELLED = new Set(['AWS::ApiGatewayV2::Api']);

/** Names of stacks, and those that templates choose, of a stage in an account: all that could be in another's way. */
const namesOf = (stage: Stage): readonly string[] => {
  const { deployedAfter, data, service, firewall, edgeAlarms } = synthesized({}, stage);
  const stacks = Object.keys(deployedAfter);
  return [data, service, firewall, edgeAlarms].flatMap((template, index) => {
    if (!template) return [];
    const region = index > 1 ? 'us-east-1' : stage.region;
    const id = `${stacks[index]} in ${region}`;
    return [
      id,
      ...Object.values(resourcesIn(template))
        .filter(({ Type }) => !LABELLED.has(Type))
        .flatMap((resource) =>
          fixedNamesOf(resource)
            .filter(({ below }) => below.length === 0)
            .map(({ name }) => `${resource.Type} ${name.replace('${AWS::StackId}', id)}`),
        ),
    ];
  });
};

describe('names that are chosen, and not made by AWS', () => {
  test.each([
    ['two stages', { name: 'other' }],
    ['one stage in two regions', { region: 'eu-west-1' }],
  ])('of %s of an account are never the same', (_, over) => {
    for (const [, one] of OPTION_STAGES) {
      const names = [...namesOf(one), ...namesOf({ ...one, ...over })];

      expect(names.length).toBeGreaterThan(20);
      expect(names.filter((each, at) => names.indexOf(each) !== at)).toEqual([]);
    }
  });
});

describe('what an option leaves behind when it is turned off', () => {
  /** Who backs up again is told how the vault is taken back. Source: docs/restore.md, "A locked vault". */
  const TAKEN_BACK = new Set(['AWS::Backup::BackupVault']);
  const { region, mail } = deployedWith();
  const BARE = stageOf('prod', JSON.stringify({ region, mail, retain_data: true }));
  const RETAINING = [BARE, ...OPTION_STAGES.map(([, stage]) => stage)]
    .filter(({ retainData }) => retainData)
    .map((stage) => synthesized({}, stage));

  /** Those that stay under a name that the next resource of that place has, too. */
  const staying = (template: Template): readonly string[] =>
    Object.values(resourcesIn(template))
      .filter(({ Type }) => !TAKEN_BACK.has(Type))
      .filter(({ DeletionPolicy = 'Delete' }) => DeletionPolicy !== 'Delete')
      .flatMap((resource) =>
        fixedNamesOf(resource)
          .filter(({ name }) => !/\$\{(?!AWS::)/.test(name))
          .map(({ name }) => `${resource.Type} ${name}`),
      );

  test.each(['data', 'service', 'firewall', 'edgeAlarms'] as const)(
    'is not in its way when it is turned on again, in the stack %s',
    (stack) => {
      const each = RETAINING.flatMap((one) => (one[stack] ? [staying(one[stack])] : []));
      const sometimes = new Set(
        each.flat().filter((name) => each.some((all) => !all.includes(name))),
      );

      expect(each.length).toBeGreaterThan(1);
      expect([...sometimes]).toEqual([]);
    },
  );
});

describe('lists in a template', () => {
  /** Where the properties of a resource have a list of nothing. */
  const emptyIn = (value: unknown, at: string): readonly string[] => {
    if (typeof value !== 'object' || value === null) return [];
    if (Array.isArray(value) && value.length === 0) return [at];
    return Object.entries(value).flatMap(([key, one]) => emptyIn(one, `${at}.${key}`));
  };

  test.each(OPTION_STAGES)('have something in them, which AWS may ask for: %s', (_, stage) => {
    const { data, service, firewall, edgeAlarms } = synthesized({}, stage);

    const empty = [data, service, firewall, edgeAlarms].flatMap((template) =>
      Object.entries(template ? resourcesIn(template) : {}).flatMap(([id, { Type, Properties }]) =>
        emptyIn(Properties, `${Type} ${id}`),
      ),
    );
    expect(empty).toEqual([]);
  });
});

test('names that people read tell stages apart: the API and the plans of backups', () => {
  const { data, service } = synthesized({ name: 'other' });

  service.hasResourceProperties('AWS::ApiGatewayV2::Api', { Name: 'HostedMcp-other' });
  for (const often of ['daily', 'monthly']) {
    data.hasResourceProperties('AWS::Backup::BackupPlan', {
      BackupPlan: { BackupPlanName: `HostedMcp-other-Data-${often}` },
    });
  }
});

test('a stage tells its warnings when it is synthesized', () => {
  const warningsOf = (over: Partial<Stage>) => {
    const folder = mkdtempSync(join(tmpdir(), 'hosted-mcp-warned-'));
    try {
      const app = new App({ outdir: join(folder, 'cdk.out'), context });
      const stage = { ...PROD, permissionsBoundary: 'HostedMcpBoundary', ...over };
      const { service } = composeStacks(app, stage, shortBundles(folder));
      return service.node.metadata.filter(({ type }) => type === 'aws:cdk:warning');
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  expect(warningsOf({})).toEqual([]);
  expect(warningsOf({ assumableRoles: ['arn:aws:iam::444455556666:role/a'] })).toHaveLength(1);
});

test.each([true, false])(
  'all stacks are protected from deletion where data is kept: %s',
  (retainData) => {
    const folder = mkdtempSync(join(tmpdir(), 'hosted-mcp-protected-'));
    const [, atTheEdge] = OPTION_STAGES.find(([, stage]) => stage.edge !== undefined)!;
    const app = new App({ outdir: join(folder, 'cdk.out'), context });
    const stacks = composeStacks(app, { ...atTheEdge, retainData }, shortBundles(folder));
    rmSync(folder, { recursive: true });

    const all = Object.values<Stack>({ ...stacks });
    expect(all).toHaveLength(4);
    expect(all.filter((stack) => stack.terminationProtection !== retainData)).toEqual([]);
  },
);
