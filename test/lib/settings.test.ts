import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { App, Stack, Token } from 'aws-cdk-lib';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { checkEnvironmentSize } from '../../lib/functions/environment-size.ts';
import type { StageNetwork } from '../../lib/stage/networks.ts';
import { dataFormats, releases } from '../../lambdas/data-formats.ts';
import { checkDataFormats } from '../../lib/release/data-formats.ts';
import { composeStacks } from '../../lib/stacks.ts';
import { camelCase } from '../../lib/stage/setting.ts';
import { SETTINGS } from '../../lib/stage/settings.ts';
import { inPlace, type Stage } from '../../lib/stage/stage.ts';
import { FUNCTION_SETTINGS, variableOf } from '../../lib/stage/variables.ts';
import { AT_THE_EDGE as EDGE_OPTIONS } from '../support/stacks/options.ts';
import {
  AT_THE_EDGE,
  context,
  deployedWith,
  shortBundles,
  synthesized,
  variablesOf,
} from '../support/stacks/synthesized.ts';

/** As many networks as a stage may have, each with hosts of 60 characters, under the longest names there are. */
const networks: readonly StageNetwork[] = Array.from({ length: 10 }, (_, network) => ({
  name: `a-private-network-of-32-letter-${network}`.slice(-32),
  vpc: 'vpc-0123456789abcdef0',
  subnets: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'],
  securityGroups: ['sg-0123456789abcdef0'],
  hosts: Array.from({ length: 20 }, (__, host) => `${network}-${host}.`.padEnd(60, 'x')),
  ranges: Array.from({ length: 20 }, (__, range) => `10.${network}.${range}.0/24`),
  http: false,
  executions: 50,
  certificateAuthorities: [],
}));

const LARGE: Partial<Stage> = {
  name: 'twenty-letters-stage',
  domain: { ...AT_THE_EDGE.domain!, name: `${'mcp.'.repeat(60)}acme.com` },
  networks,
  signingKeys: [1, 2, 3, 4, 5],
  allowedRedirectUris: Array.from({ length: 200 }, (_, app) => `com.example.app${app}:/callback`),
  signUp: { domains: Array.from({ length: 200 }, (_, company) => `company${company}.example`) },
  modelHosts: Array.from({ length: 50 }, (_, host) => ({
    name: `host-${host}`,
    url: `https://llm${host}.example.com/v1`,
  })),
};

describe('settings that may be long', () => {
  test('fit as many as a stage may have, and are where functions read them', () => {
    const large = synthesized(LARGE, AT_THE_EDGE);

    const offered = JSON.parse(String(variablesOf(large, 'FunctionsManagement')['NETWORKS']));
    const own = JSON.parse(String(variablesOf(large, 'Networks')['NETWORK']));
    expect(offered.map(({ hosts }: StageNetwork) => hosts)).toEqual(
      networks.map(({ hosts }) => hosts),
    );
    expect(own).toMatchObject({ hosts: networks[0]?.hosts, ranges: networks[0]?.ranges });
    expect(JSON.parse(String(variablesOf(large, 'FunctionsConsole')['MODEL_HOSTS']))).toEqual(
      LARGE.modelHosts,
    );
  });

  test('are in no environment', () => {
    const { service } = synthesized();
    const inEnvironments = Object.values(service.findResources('AWS::Lambda::Function')).flatMap(
      ({ Properties }) => Object.keys(Properties.Environment?.Variables ?? {}),
    );

    const long: readonly string[] = [
      ...FUNCTION_SETTINGS.flatMap(([key, { isLong }]) => (isLong ? [variableOf(key)] : [])),
      'NETWORK',
    ];
    expect(inEnvironments.filter((name) => long.includes(name))).toEqual([]);
    expect(inEnvironments).toContain('SETTINGS_FILE');
  });

  test('make a new version of the functions that read them, and of no others', () => {
    const changed = (over: Partial<Stage>): readonly string[] => {
      const [before, after] = [synthesized(), synthesized(over)].map(({ service }) =>
        Object.entries(service.findResources('AWS::Lambda::Function')),
      );
      return before!.flatMap(([id, { Properties }], index) => {
        const now = after![index]![1]['Properties'];
        const isOld = Properties.Code.S3Key === now.Code.S3Key;
        expect(
          Properties.Environment?.Variables.SETTINGS_FILE ===
            now.Environment?.Variables.SETTINGS_FILE,
        ).toBe(isOld);
        return isOld ? [] : [id.replace(/^Functions(\w+)Function\w+$/, '$1')];
      });
    };

    expect(changed({ name: 'other' })).toEqual([]);
    expect(changed({ modelHosts: [{ name: 'ours', url: 'https://llm.example.com/v1' }] })).toEqual([
      'Console',
    ]);
    expect(changed({ assumableRoles: ['arn:aws:iam::444455556666:role/a'] })).toEqual([
      'Connections',
      'Management',
    ]);
  });
});

describe('the environment of a function', () => {
  test('is refused from 4,097 bytes on, names included', () => {
    const of = (bytes: number) => ({ MAIL_FROM: 'x'.repeat(bytes - 9) });

    expect(() => checkEnvironmentSize('router', of(4096))).not.toThrow();
    expect(() => checkEnvironmentSize('router', of(4097))).toThrow(
      'the environment of router may have 4097 bytes, and Lambda takes 4096: shorten `mail.from` (4097 bytes)',
    );
  });

  test('is refused with the settings that it is long for, the longest first, and no other', () => {
    const arn = Token.asString({ 'Fn::GetAtt': ['Key', 'Arn'] });
    const text = (bytes: number) => 'x'.repeat(bytes);

    expect(() =>
      checkEnvironmentSize('router', {
        USERS_TABLE: text(2000),
        SIGNING_KEY_IDS: [arn, arn, arn].join(','),
        MINTING_KEY_IDS: text(300),
        NETWORK_FUNCTIONS: text(1500),
      }),
    ).toThrow(/4096: shorten `networks` \(1517 bytes\), or `signing_keys` \(782 bytes\)$/);
  });

  test('counts what is known only at the deployment as long as it may become', () => {
    const unknown = Token.asString({ Ref: 'Table' });
    const of = (bytes: number, value = unknown) => ({ A: 'x'.repeat(bytes), BB: value });

    expect(() => checkEnvironmentSize('router', of(3943))).not.toThrow();
    expect(() => checkEnvironmentSize('router', of(3944))).toThrow();
    const code = { zipFile: '' };
    const name = new CfnFunction(new Stack(new App()), 'One', { code, role: 'arn' }).ref;
    expect(() => checkEnvironmentSize('router', of(4029, name))).not.toThrow();
    expect(() => checkEnvironmentSize('router', of(4030, name))).toThrow();
  });
});

describe('a setting of the stacks', () => {
  /** Held against others when the file is read, and of no use afterwards. */
  const OF_THE_FILE = ['accountConcurrency'];

  test('is read when they are made: none is taken and comes to nothing', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hosted-mcp-settings-'));
    const read = new Set<string>();
    const stage = new Proxy(deployedWith({ edge: true, ...EDGE_OPTIONS }), {
      get: (target, key) => {
        read.add(String(key));
        return Reflect.get(target, key) as unknown;
      },
    });
    try {
      const app = new App({ outdir: join(folder, 'cdk.out'), context, treeMetadata: false });
      checkDataFormats(inPlace(stage, {}), { releases, dataFormats });
      composeStacks(app, stage, shortBundles(folder));
    } finally {
      rmSync(folder, { recursive: true });
    }

    const all = Object.keys(SETTINGS).map(camelCase);
    expect(all.filter((key) => !read.has(key) && !OF_THE_FILE.includes(key))).toEqual([]);
  });
});
