import { describe, expect, test } from '@jest/globals';
import type { Deployment } from '../../../layers/core/domain/deployments/deployment.ts';
import {
  examined,
  type ExaminedFacts,
} from '../../../layers/core/usecases/management/descriptions/examination.ts';
import { sumOfCalls } from '../../../layers/core/domain/activity/index.ts';
import { aDeployment } from '../../adapters/dynamodb/fixtures.ts';

const facts = (deployment: Partial<Deployment> = {}, over: Partial<ExaminedFacts> = {}) => ({
  deployment: aDeployment({ authMethod: 'oauth', access: { mode: 'owner' }, ...deployment }),
  warnings: [],
  refusedOperations: 0,
  isCredentialMissing: false,
  refusedTools: [],
  liveTokens: 0,
  calls: sumOfCalls([]),
  ...over,
});

const stepOf = (given: ExaminedFacts, name: string) =>
  examined(given).find(({ step }) => step === name);

const CREDENTIAL = {
  type: 'bearer',
  version: 'v',
  setAt: 0,
  origins: [],
} as unknown as NonNullable<Deployment['credential']>;

const counted = (calls: number, targetErrors: number, noAnswers: number) => ({
  calls: { ...sumOfCalls([]), calls, targetErrors, noAnswers },
});

describe('the examination of a deployment', () => {
  test('finds nothing in the way of one that is in order', () => {
    expect(examined(facts()).map(({ outcome }) => outcome)).toEqual(Array(7).fill('ok'));
  });

  test.each([
    ['a paused one', 'State', 'failed', facts({ status: 'paused' })],
    ['a stopped one', 'State', 'failed', facts({ status: 'stopped' })],
    ['one for anybody', 'Who may call', 'warning', facts({ authMethod: 'none' })],
    ['mode jwt without tokens', 'Who may call', 'failed', facts({ authMethod: 'jwt' })],
    [
      'mode jwt with a token',
      'Who may call',
      'ok',
      facts({ authMethod: 'jwt' }, { liveTokens: 1 }),
    ],
    [
      'an empty list',
      'Who may call',
      'warning',
      facts({ access: { mode: 'allow_list', emails: [], domains: [] } }),
    ],
    [
      'a list',
      'Who may call',
      'ok',
      facts({ access: { mode: 'allow_list', emails: [], domains: ['example.com'] } }),
    ],
    [
      'a credential that is not for all hosts',
      'Credential',
      'warning',
      facts({ credential: CREDENTIAL }, { refusedOperations: 2 }),
    ],
    [
      'a credential that is not stored any more',
      'Credential',
      'failed',
      facts({ credential: CREDENTIAL }, { isCredentialMissing: true }),
    ],
    [
      'an API without encryption',
      'Target API',
      'warning',
      facts({ apiBaseUrl: 'http://a.example' }),
    ],
    ['a tool that is refused', 'Model APIs', 'warning', facts({}, { refusedTools: ['addPet'] })],
    [
      'warnings',
      'Description',
      'warning',
      facts({}, { warnings: [{ where: '', what: 'w', hint: 'h' }] }),
    ],
    ['calls of which half fail', 'Calls since yesterday', 'failed', facts({}, counted(6, 3, 0))],
    ['calls of which fewer fail', 'Calls since yesterday', 'ok', facts({}, counted(6, 1, 1))],
    ['too few calls to tell', 'Calls since yesterday', 'ok', facts({}, counted(4, 4, 0))],
  ] as const)('tells of %s', (_, step, outcome, given) => {
    const found = stepOf(given, step);

    expect(found?.outcome).toBe(outcome);
    expect(found?.hint !== undefined).toBe(outcome !== 'ok');
  });

  test('says what most of the failures were', () => {
    const name = 'Calls since yesterday';

    expect(stepOf(facts({}, counted(8, 0, 8)), name)?.hint).toContain('no answer');
    expect(stepOf(facts({}, counted(8, 8, 0)), name)?.hint).toContain('credential');
  });
});
