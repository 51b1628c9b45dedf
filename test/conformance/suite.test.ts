import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aFreePort } from '../support/target/listening.ts';
import { seedRunning } from '../support/aws/data-folder.ts';
import { authorize } from '../support/oauth/form-browser.ts';
import { aRawClient } from '../support/oauth/raw-oauth-client.ts';
import type { TargetServer } from '../support/target/target-server.ts';
import {
  type Person,
  startWholeService,
  type WholeService,
} from '../support/service/whole-service.ts';
import { startSuiteApi, SUITE_CONTENT, SUITE_DESCRIPTION } from './suite/api.ts';
import { INAPPLICABLE, INAPPLICABLE_CHECKS } from './suite/inapplicable.ts';
import { failuresOf, type Outcomes, runSuite, scenariosOf } from './suite/run.ts';

let service: WholeService;
let person: Person;

beforeAll(async () => {
  service = await startWholeService();
  person = await service.person();
});
afterAll(() => service.stop());

/**
 * All scenarios there are, which the suite runs in 2025-11-25 unless they are newer, and those that a version
 * requires, in that version. What 2025-11-25 requires is among the first, in the same version.
 */
const RUNS: readonly (readonly [name: string, args: readonly string[], fewest: number])[] = [
  ['all', ['--suite', 'all'], 30],
  ['required of 2026-07-28', ['--requirements', '2026-07-28'], 25],
  ...(process.env['ALL_SUITES'] === '1'
    ? [['required of 2025-11-25', ['--requirements', '2025-11-25'], 21] as const]
    : []),
];

describe('the server scenarios of the MCP conformance suite', () => {
  let api: TargetServer;
  let scenarios: readonly string[];
  const runs = new Map<string, Outcomes>();

  beforeAll(async () => {
    api = await startSuiteApi();
    const server = await service.publish(person, {
      authMethod: 'none',
      openapi: SUITE_DESCRIPTION,
      apiBaseUrl: api.url,
    });
    await seedRunning(service.aws, server.slug, SUITE_CONTENT);
    scenarios = await scenariosOf('server');
    for (const [name, args] of RUNS) {
      runs.set(name, await runSuite('server', ['--url', server.messagesUrl, ...args]));
    }
  });
  afterAll(async () => {
    await api[Symbol.asyncDispose]();
  });

  const inapplicable = Object.values(INAPPLICABLE).flat();
  const failuresIn = (outcomes: Outcomes, name: string) =>
    failuresOf(outcomes, name, INAPPLICABLE_CHECKS[name]);

  test.each(RUNS)('pass, except those that do not apply: %s', (name, _, fewest) => {
    const outcomes = runs.get(name) ?? new Map();
    const ran = name === 'all' ? scenarios : [...outcomes.keys()];
    const applicable = ran.filter((scenario) => !inapplicable.includes(scenario));

    expect(applicable.length).toBeGreaterThanOrEqual(fewest);
    expect(applicable.flatMap((scenario) => failuresIn(outcomes, scenario))).toEqual([]);
  });

  test.each(RUNS)('that do not apply exist and do not pass: %s', (name) => {
    const outcomes = runs.get(name) ?? new Map();
    const ran = inapplicable.filter((scenario) => name === 'all' || outcomes.has(scenario));

    expect(scenarios).toEqual(expect.arrayContaining(inapplicable));
    expect(ran.filter((scenario) => failuresOf(outcomes, scenario).length === 0)).toEqual([]);
  });
});

describe('the authorization scenarios of the MCP conformance suite', () => {
  test('pass', async () => {
    const server = await service.publish(person);
    const client = await aRawClient(service);
    const port = await aFreePort();
    const openIfAddress = async (line: string): Promise<void> => {
      if (!line.startsWith(`${service.issuer}/authorize?`)) return;
      await fetch(await authorize(service.browser(), line, person));
    };

    const args = {
      '--url': service.issuer,
      '--client-id': client.id,
      '--resource': server.messagesUrl,
      '--port': String(port),
    };
    const outcomes = await runSuite('authorization', Object.entries(args).flat(), openIfAddress);

    const scenarios = await scenariosOf('authorization');
    expect(scenarios).toContain('authorization-code-grant');
    expect(scenarios.flatMap((name) => failuresOf(outcomes, name))).toEqual([]);
    const notes = scenarios.flatMap((name) => outcomes.get(name) ?? []);
    expect(notes.filter(({ status }) => status !== 'SUCCESS')).toEqual([]);
  });
});
