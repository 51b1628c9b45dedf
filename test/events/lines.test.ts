import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CALL_OUTCOMES } from '../../layers/events/rules/call-outcome.ts';
import { type LineName, LINES, publishedSchema } from '../../layers/events/rules/line-schemas.ts';
import {
  COMMAND_OUTCOMES,
  SECURITY_EVENTS,
  type ServiceEvent,
} from '../../layers/events/rules/service-event.ts';
import { dynamoEvents, stdoutCallLog } from '../../layers/events/store/events.ts';
import { PLANS } from '../../layers/limits/rules/plan.ts';
import { embeddedMetrics } from '../../layers/platform/log/embedded-metrics.ts';
import { logLine, stdoutLog } from '../../layers/platform/log/stdout-log.ts';
import { LOG_LEVELS } from '../../layers/platform/rules/log-level.ts';
import { CONNECTION_OUTCOMES } from '../../layers/platform/rules/metrics/metrics.ts';
import { startRouter, type TestRouter } from '../support/mcp/router.ts';
import { at, post, rpc } from '../support/mcp/router-events.ts';
import { strictly } from '../support/openapi/json-schema.ts';

const NAMES = Object.keys(LINES) as LineName[];
const fileOf = (name: string) => new URL(`../../docs/schemas/${name}-1.json`, import.meta.url);
const published = new Map(
  NAMES.filter((name) => existsSync(fileOf(name))).map((name) => [
    name,
    JSON.parse(readFileSync(fileOf(name), 'utf8')) as object,
  ]),
);

const validators = new Map([...published].map(([name, schema]) => [name, strictly(schema)]));

type Line = Readonly<Record<string, unknown>>;

const nameOf = ({ message, type }: Line) => String(type ?? message) as LineName;

/** What is wrong with a line by the schema that is published, and by all that the code knows of it. */
const faultsOf = (line: Line): readonly unknown[] => {
  const name = nameOf(line);
  const validate = validators.get(name);
  if (!validate) return [`no schema of ${name}`];
  const known = LINES[name].safeParse(line);
  return [...(validate(line) ? [] : (validate.errors ?? [])), ...(known.error?.issues ?? [])];
};

const EVENTS: { readonly [Type in ServiceEvent['type']]: readonly ServiceEvent[] } = {
  change: [
    { type: 'change', deploymentId: 'dep-1', slug: 'pets', subject: 'user-1', operation: 'putOne' },
    {
      type: 'change',
      deploymentId: 'dep-1',
      slug: 'pets',
      subject: 'user-1',
      operation: 'putOne',
      members: 'name,network',
    },
  ],
  quota_warning: PLANS.flatMap((plan) =>
    (['hour', 'month'] as const).map((window) => ({
      type: 'quota_warning' as const,
      deploymentId: 'dep-1',
      slug: 'pets',
      subject: 'user-1',
      plan,
      window,
      limit: 1000,
    })),
  ),
  credential_access: CONNECTION_OUTCOMES.flatMap((outcome): ServiceEvent[] => {
    const known = {
      type: 'credential_access',
      deploymentId: 'dep-1',
      version: 'version-1',
      user: 'user-1',
      ip: '192.0.2.1',
      requestId: 'request-1',
      instance: 'router-1',
      outcome,
      durationMs: 12,
    } as const;
    const rest = { name: 'main', why: 'gone', kind: 'oauth_client', code: 'invalid_client' };
    return [
      { ...known, userAgent: undefined },
      { ...known, ...rest, userAgent: 'curl' },
    ];
  }),
  security: SECURITY_EVENTS.flatMap((event): ServiceEvent[] => [
    { type: 'security', event, subject: '192.0.2.1', why: 'twice' },
    {
      type: 'security',
      event,
      deploymentId: 'dep-1',
      slug: 'pets',
      accountId: 'user-2',
      operatorId: 'user-3',
      subject: 'user-1',
      why: 'twice',
    },
  ]),
  operator_command: COMMAND_OUTCOMES.flatMap((outcome): ServiceEvent[] => {
    const known = {
      type: 'operator_command',
      subject: 'operators',
      command: 'lock-account',
      target: 'ann@example.com',
      outcome,
      claimedActor: 'arn:aws:iam::111122223333:user/ann',
    } as const;
    return [known, { ...known, code: 'not_found', requestId: 'invocation-1' }];
  }),
};

let router: TestRouter;
beforeAll(async () => {
  router = await startRouter();
  await router.publish('pets');
  await router.publish('login', { authMethod: 'oauth' });
});
afterAll(() => router.stop());

/** As the log of a function writes it. */
const linesOf = (
  event: ServiceEvent,
  ...options: readonly [
    metrics?: Parameters<typeof stdoutLog>[2],
    level?: (typeof LOG_LEVELS)[number],
  ]
): readonly string[] => {
  const lines: string[] = [];
  const { clock, ports, store } = router;
  const log = stdoutLog(clock, { write: (line) => void lines.push(line) }, ...options);
  const table = store.tableName('security-events');
  dynamoEvents({ clock, log, random: ports.random }, store.instance(), table, 90).record(event);
  return lines;
};

describe('the schemas of lines', () => {
  test.each(NAMES)('say of %s what the code says', (name) => {
    expect(published.get(name)).toEqual(JSON.parse(JSON.stringify(publishedSchema(name))));
  });
});

describe.each(Object.entries(EVENTS))('a line of %s', (type, events) => {
  test('is one line for each event, and as its schema says, at every level of the log', () => {
    expect(events.length).toBeGreaterThan(0);
    for (const event of events) {
      for (const level of LOG_LEVELS) {
        const [line = '', ...others] = linesOf(event, undefined, level);

        expect(others).toEqual([]);
        expect(JSON.parse(line)).toMatchObject({ type, schema: 1, id: expect.stringMatching(/./) });
        expect([event, faultsOf(JSON.parse(line))]).toEqual([event, []]);
      }
    }
  });

  test('has beside it what CloudWatch makes metrics of, where the stage has them', () => {
    for (const event of events) {
      const [line = ''] = linesOf(event, embeddedMetrics('HostedMcp/test'));

      expect([event, validators.get(type as LineName)?.(JSON.parse(line))]).toEqual([event, true]);
    }
  });
});

describe('the lines of calls', () => {
  const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const seen = new Set<unknown>();
  const recorded = async (slug: string, sent: object, headers: Record<string, string> = {}) => {
    const before = router.lines.length;
    await router.send(post(at(slug, '/messages'), sent, headers));
    return router.lines.slice(before).filter(({ message }) => message === 'tool_call');
  };
  const call = (name: string, args: object = {}) => rpc('tools/call', { name, arguments: args });

  test.each([
    ['ok', 'pets', call('getPet', { id: 1 })],
    ['target_error', 'pets', call('fail', { status: 500 })],
    ['no_answer', 'pets', call('closed')],
    ['refused', 'pets', call('getPet')],
  ])('that end as %s are as their schema says', async (outcome, slug, sent) => {
    const lines = await recorded(slug, sent, { traceparent: TRACE });
    for (const line of lines) {
      seen.add(line['outcome']);
      expect([line, faultsOf(line)]).toEqual([line, []]);
    }

    expect(lines.at(-1)).toMatchObject({ outcome, schema: 1, slug: 'pets', trace: TRACE });
    expect(lines.at(-1)?.['method']).toMatch(/^[A-Z]+$/);
    for (const begun of lines.slice(0, -1)) {
      expect(begun).toMatchObject({ outcome: 'unfinished', schema: 1 });
      expect(Object.keys(begun)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(?:slug|method|trace|duration_ms)$/)]),
      );
    }
  });

  test('are of every outcome that there is', () => {
    expect([...seen].toSorted()).toEqual([...CALL_OUTCOMES].toSorted());
  });

  test('have the trace of their message before that of the request, and none that is malformed', async () => {
    const other = TRACE.replace('0af7', '1bf7');
    const traceOf = async (_meta: object, headers: Record<string, string>) => {
      const sent = rpc('tools/call', { name: 'getPet', arguments: { id: 1 }, _meta });
      return (await recorded('pets', sent, headers)).at(-1)?.['trace'];
    };

    expect(await traceOf({ traceparent: other }, { traceparent: TRACE })).toBe(other);
    expect(await traceOf({}, { traceparent: TRACE })).toBe(TRACE);
    expect(await traceOf({}, { traceparent: 'aeRoh7ohquee8' })).toBeUndefined();
  });

  test('of a page in a browser that was refused are as their schema says', async () => {
    const lines = await recorded('pets', rpc('tools/list'), { origin: 'x' });

    expect(lines).toMatchObject([{ without_tool: true, outcome: 'refused', slug: 'pets' }]);
    expect(lines.flatMap(faultsOf)).toEqual([]);
  });

  test('with all members that a call can have are as their schema says', () => {
    let text = '';
    stdoutCallLog({ write: (line) => void (text += line) }).write({
      at: router.clock.time,
      requestId: 'request-1',
      index: 0,
      deploymentId: 'dep-1',
      version: 1,
      tool: 'getPet',
      outcome: 'ok',
      withoutTool: true,
      trial: true,
      status: 200,
      reason: 'timeout',
      faults: [{ argument: 'id', keyword: 'type', sent: 'string' }],
      words: ['pets'],
      origin: 'https://page.example',
      durationMs: 1,
      answerTokens: 1,
      ip: '192.0.2.1',
      network: 'orders',
      credentialVersion: 'version-1',
      credentials: [{ name: 'main', type: 'bearer', version: 'version-1' }],
      subject: 'user-1',
      clientId: 'client-1',
      grantId: 'grant-1',
      tokenId: 'jti-1',
      slug: 'pets',
      method: 'GET',
      trace: TRACE,
    });

    expect(faultsOf(JSON.parse(text))).toEqual([]);
    expect(Object.keys(JSON.parse(text)).toSorted()).toEqual(
      Object.keys(LINES.tool_call.shape).toSorted(),
    );
  });
});

describe('a line with a fault', () => {
  const call = { message: 'tool_call', schema: 1 };

  test.each([
    ['lacks members', call],
    ['has another version', { ...call, schema: 2 }],
    ['has a member that no schema has', { ...JSON.parse(logLine({ ...call })), secret: 1 }],
  ])('is found: it %s', (_, line) => {
    expect(faultsOf(line)).not.toEqual([]);
  });
});
