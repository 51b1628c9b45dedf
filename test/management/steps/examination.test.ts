import { describe, expect, test } from '@jest/globals';
import type { Deployment } from '../../../layers/deployments/rules/deployment.ts';
import {
  examined,
  type ExaminedFacts,
  type PlanUse,
} from '../../../layers/servers/steps/descriptions/examination.ts';
import { PROTOCOL_VERSIONS } from '../../../layers/platform/rules/protocol-versions.ts';
import type { CallFault } from '../../../layers/events/rules/call-record.ts';
import { problemsOf } from '../../../layers/activity/rules/problems.ts';
import type { ArgumentChecks } from '../../../layers/tools/arguments/argument-checks.ts';
import { sumOfCalls } from '../../../layers/activity/rules/call-totals.ts';
import { DAY } from '../../../layers/platform/rules/time.ts';
import { aDeployment } from '../../support/aws/dynamodb-fixtures.ts';

const used = (hour: number, month: number): PlanUse => ({
  plan: 'free',
  hour: { used: hour, most: 20 },
  month: { used: month, most: 1000 },
});
const NOW = 1_795_176_000;
const facts = (deployment: Partial<Deployment> = {}, over: Partial<ExaminedFacts> = {}) => ({
  deployment: aDeployment({ authMethod: 'oauth', access: { mode: 'owner' }, ...deployment }),
  warnings: [],
  refusedOperations: 0,
  unmetNeeds: [],
  refreshed: undefined,
  missingCredentials: [],
  tokenRetrievals: [],
  credentialRefusals: [],
  refusedTools: [],
  liveTokens: 0,
  calls: sumOfCalls([]),
  plan: used(0, 0),
  refused: [],
  problems: [],
  servedVersions: PROTOCOL_VERSIONS,
  now: NOW,
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

const NEED = {
  operations: 2,
  example: 'GET /pets',
  ways: [{ type: 'basic' as const }],
  others: [],
};

const counted = (calls: number, targetErrors: number, noAnswers: number) => ({
  calls: {
    ...sumOfCalls([]),
    calls,
    targetErrors,
    noAnswers,
    errors: targetErrors + noAnswers,
  },
});

describe('the examination of a deployment', () => {
  test('tells that no token was given for a credential, when, and who mends it', () => {
    const client = { ...CREDENTIAL, type: 'oauth_client', clientId: 'service' } as const;
    const retrieval = {
      name: 'main',
      at: NOW - 60,
      outcome: 'token_refused',
      code: 'invalid_scope',
    };
    const after = (outcome: string) =>
      stepOf(
        facts({ credential: client }, { tokenRetrievals: [{ ...retrieval, outcome }] }),
        'Credential',
      );
    expect(after('token_refused')).toEqual({
      step: 'Credential',
      outcome: 'failed',
      what: 'No token was given for it at 2026-11-20 11:59 UTC (invalid_scope), so that no call is sent.',
      hint: expect.stringContaining('refuses the client'),
    });
    expect(after('ok')).toMatchObject({ outcome: 'ok' });
  });

  test.each([
    [['a@example.com'], [], 'You, and 1 address.'],
    [['a@example.com', 'b@example.com'], ['example.org'], 'You, and 2 addresses and 1 domain.'],
    [[], ['example.com', 'example.org'], 'You, and 2 domains.'],
  ])('counts who is on the list: %j and %j', (emails, domains, what) => {
    const access = { mode: 'allow_list', emails, domains } as const;
    expect(stepOf(facts({ authMethod: 'oauth', access }), 'Who may call')).toMatchObject({ what });
  });

  test('finds nothing in the way of one that is in order', () => {
    expect(examined(facts()).map(({ outcome }) => outcome)).toEqual(Array(9).fill('ok'));
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
      'no credential where one is asked for',
      'Credential',
      'warning',
      facts({}, { unmetNeeds: [NEED] }),
    ],
    [
      'a credential of another type',
      'Credential',
      'warning',
      facts({ credential: CREDENTIAL }, { unmetNeeds: [NEED] }),
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
      facts({ credential: CREDENTIAL }, { missingCredentials: ['main'] }),
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
    ['a plan that is half used', 'Your plan', 'ok', facts({}, { plan: used(10, 500) })],
    ['an hour that is nearly used up', 'Your plan', 'warning', facts({}, { plan: used(16, 16) })],
    ['an hour that is used up', 'Your plan', 'failed', facts({}, { plan: used(20, 700) })],
    ['a month that is used up', 'Your plan', 'failed', facts({}, { plan: used(3, 1000) })],
    ['too few calls to tell', 'Calls since yesterday', 'ok', facts({}, counted(4, 4, 0))],
  ] as const)('tells of %s', (_, step, outcome, given) => {
    const found = stepOf(given, step);

    expect(found?.outcome).toBe(outcome);
    expect(found?.hint !== undefined).toBe(outcome !== 'ok');
  });

  test('tells of what clients do that model APIs do not', () => {
    const limit = {
      client: 'Cursor',
      outcome: 'hides',
      tools: ['a', 'b', 'c', 'd'],
      why: 'their names are long',
      hint: 'Shorten them.',
    };

    expect(stepOf(facts({}, { brokenLimits: [limit] }), 'Clients')).toEqual({
      step: 'Clients',
      outcome: 'ok',
      what: 'Cursor hides 4 tools (a, b, c, ...): their names are long. Shorten them.',
    });
    expect(stepOf(facts(), 'Clients')).toBeUndefined();
  });

  test('says which window of the plan is nearest its end', () => {
    expect(stepOf(facts({}, { plan: used(20, 700) }), 'Your plan')?.what).toBe(
      '20 of 20 requests of this hour are used (plan free).',
    );
    expect(stepOf(facts({}, { plan: used(3, 1000) }), 'Your plan')?.what).toBe(
      '1000 of 1000 requests of this month are used (plan free).',
    );
  });

  test('tells trials from calls of clients', () => {
    const { calls } = counted(6, 1, 0);
    const found = stepOf(facts({}, { calls: { ...calls, trials: 4 } }), 'Calls since yesterday');

    expect(found?.what).toBe('6, of which 1 failed. Besides, 4 trials of yours.');
  });

  test('tells calls that were refused from those that failed, and says where to look', () => {
    const { calls } = counted(10, 0, 0);
    const found = stepOf(
      facts({}, { calls: { ...calls, refused: 8, errors: 8 } }),
      'Calls since yesterday',
    );

    expect(found).toMatchObject({
      outcome: 'warning',
      what: '10, of which 8 failed, 8 of them refused before they were sent.',
      hint: expect.stringContaining('list of calls'),
    });
  });

  test.each([
    ['rate_limited', 'Plans of callers', 'no requests left'],
    ['insufficient_scope', 'Rights of clients', 'not call them'],
  ])('tells of calls that were refused for %s, and whose it is to mend', (reason, step, why) => {
    const of = (one: string) => ({ at: NOW, reason: one });
    const refused = [of(reason), of('invalid_params'), of(reason)];
    const found = stepOf(facts({}, { refused }), step);

    expect(found?.outcome).toBe('warning');
    expect(found?.what).toContain('2 calls since yesterday were refused');
    expect(found?.what).toContain(why);
    expect(found?.hint).toBeDefined();
    expect(stepOf(facts({}, { refused: [of('invalid_params')] }), step)).toBeUndefined();
  });

  test('names the pages in browsers that were refused, and those that may use it', () => {
    const of = (origin: string) => ({ at: NOW, reason: 'forbidden_origin', origin });
    const refused = [of('https://a.example'), of('https://b.example'), of('https://a.example')];
    const allowedOrigins = ['https://app.example'];
    const found = stepOf(facts({ allowedOrigins }, { refused }), 'Clients in browsers');

    expect(found).toMatchObject({
      outcome: 'warning',
      what: expect.stringContaining('(https://a.example, https://b.example)'),
      hint: expect.stringContaining('Access'),
    });
    expect(found?.what).toContain('only those of https://app.example');
    expect(stepOf(facts({ allowedOrigins }), 'Clients in browsers')).toBeUndefined();
  });

  test('names versions of MCP that were withdrawn, and warns if calls were refused for theirs within a day', () => {
    const step = 'Versions of MCP';
    const servedVersions = ['2025-06-18', '2025-03-26'] as const;
    const refusedAt = (at: number) => [{ at, reason: 'unsupported_protocol_version' }];
    const withdrawn = 'has withdrawn 2026-07-28 and 2025-11-25';

    for (const refused of [[], refusedAt(NOW - DAY)]) {
      expect(stepOf(facts({}, { servedVersions, refused }), step)).toEqual({
        step,
        outcome: 'ok',
        what: expect.stringContaining(withdrawn),
      });
    }
    const warned = stepOf(facts({}, { servedVersions, refused: refusedAt(NOW - DAY + 1) }), step);
    expect(warned).toMatchObject({
      outcome: 'warning',
      what: expect.stringContaining('One call was refused within the last day'),
    });
    expect(warned?.what).toContain(withdrawn);
  });

  test('says what most of the failures were', () => {
    const name = 'Calls since yesterday';

    expect(stepOf(facts({}, counted(8, 0, 8)), name)?.hint).toContain('no answer');
    expect(stepOf(facts({}, counted(8, 8, 0)), name)?.hint).toContain('credential');
  });

  test('says after five calls that lacked an argument how the API can be let decide', () => {
    const missing = (
      calls: number,
      checks: ArgumentChecks = 'strict',
      fault: CallFault = { argument: 'body.length', keyword: 'required' },
    ) =>
      problemsOf(
        Array.from({ length: calls }, () => ({
          at: NOW,
          requestId: 'r',
          index: 0,
          deploymentId: 'd',
          version: 1,
          tool: 'addField',
          outcome: 'refused' as const,
          durationMs: 0,
          subject: '192.0.2.1',
          ip: '192.0.2.1',
          faults: [fault],
        })),
        checks,
      );
    const name = 'Refused arguments';

    expect(stepOf(facts({}, { problems: missing(5) }), name)).toMatchObject({
      outcome: 'warning',
      what: '5 calls of addField were refused, as the description has it: body.length is missing.',
      hint: expect.stringContaining('--argument-checks lenient'),
    });
    expect(stepOf(facts({}, { problems: missing(4) }), name)).toBeUndefined();
    const wrong = missing(5, 'strict', { argument: 'id', keyword: 'type', sent: 'string' });
    expect(stepOf(facts({}, { problems: wrong }), name)).toMatchObject({
      what: '5 calls of addField were refused, as the description has it: id is sent as a string.',
      hint: expect.stringContaining('--argument-checks lenient'),
    });
    expect(
      stepOf(facts({ argumentChecks: 'lenient' }, { problems: missing(9, 'lenient') }), name),
    ).toBeUndefined();
  });
});
