import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type FunctionName, functions } from '../../lambdas/manifest.ts';
import { type LineName, LINES } from '../../layers/events/rules/line-schemas.ts';
import { matchesFilter } from '../support/aws/cloudwatch.ts';
import { placeholderOf } from '../support/stacks/alarms.ts';
import { deployedWith, synthesized } from '../support/stacks/synthesized.ts';
import {
  callTool,
  type Person,
  type PublishedServer,
  startWholeService,
  type WholeService,
} from '../support/service/whole-service.ts';
import { leaksIn } from '../support/service/wire.ts';
import { anHttpServer, type TargetServer } from '../support/target/target-server.ts';

/** Answers with what it was sent. */
const ECHO = {
  openapi: '3.1.0',
  info: { title: 'Echo', version: '1' },
  paths: {
    '/echo': {
      get: {
        operationId: 'echo',
        parameters: [{ name: 'text', in: 'query', required: true, schema: { type: 'string' } }],
        responses: { 200: { description: 'The request' } },
      },
    },
    '/gone': { get: { operationId: 'gone', responses: { 200: { description: 'Nothing' } } } },
  },
};

type Line = Readonly<Record<string, unknown>>;

let service: WholeService;
let target: TargetServer;
let person: Person;
let server: PublishedServer;

const api = async (method: string, path: string, body: object, session = '') =>
  service.fetch(`${service.baseUrl}/mcp-management${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(session !== '' && { authorization: `Bearer ${session}` }),
    },
    body: JSON.stringify(body),
  });

const canary = (kind: string): string => {
  const text = `canary_${randomUUID()}`;
  service.wire.plant(kind, text);
  return text;
};

/** What each function has logged, line by line. */
const logged = (): ReadonlyMap<string, readonly string[]> => {
  const folder = join(service.dataFolder, 'logs');
  const lines = new Map<string, string[]>();
  for (const file of readdirSync(folder).toSorted()) {
    const name = Object.keys(functions).find((one) => file.startsWith(`${one}-`)) ?? file;
    const text = readFileSync(join(folder, file), 'utf8');
    lines.set(name, [...(lines.get(name) ?? []), ...text.split('\n').filter((one) => one !== '')]);
  }
  return lines;
};

/** The patterns of a stage, by the functions whose log groups they are on. */
const filtersOf = (calls: boolean): ReadonlyMap<string, string> => {
  const { service: template } = synthesized({}, deployedWith({ stream: { to: 'own', calls } }));
  const names = new Map(
    Object.keys(functions).map((name) => [`logs${name.replace('-', '')}`, name]),
  );
  return new Map(
    Object.values(template.findResources('AWS::Logs::SubscriptionFilter'))
      .filter(({ Properties }) => String(Properties.FilterName).endsWith('lines-out'))
      .map(({ Properties }) => [
        names.get(placeholderOf(Properties.LogGroupName).toLowerCase()) ?? '',
        String(Properties.FilterPattern),
      ]),
  );
};

/** What goes out of a stage, by the filters of its templates. */
const linesOut = (calls = true): readonly string[] => {
  const filters = filtersOf(calls);
  return [...logged()].flatMap(([name, lines]) => {
    const pattern = filters.get(name);
    return pattern === undefined ? [] : lines.filter((line) => matchesFilter(pattern, line));
  });
};

const read = (line: string): Line => {
  try {
    return JSON.parse(line) as Line;
  } catch {
    return {};
  }
};

const kindOf = ({ message, type }: Line): string => String(type ?? message);

beforeAll(async () => {
  [service, target] = await Promise.all([
    startWholeService(),
    anHttpServer(({ url, headers }, response) => {
      if (url === '/gone') return void response.destroy();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ url, headers }));
    }),
  ]);
  person = await service.person();
  server = await service.publish(person, {
    openapi: JSON.stringify(ECHO),
    apiBaseUrl: target.url,
    authMethod: 'none',
  });
  const answer = await api('POST', '/sessions', person);
  const { access_token: session = '' } = (await answer.json()) as Record<string, string>;
  const { slug } = server;
  await api(
    'PUT',
    `/deployments/${slug}/credential`,
    { type: 'bearer', token: canary('credential') },
    session,
  );
  await callTool(server, 'echo', { text: canary('argument') });
  await callTool(server, 'echo', {});
  await callTool(server, 'gone', {});
  // A wrong password, and a token that nobody has made.
  await api('POST', '/sessions', { ...person, password: canary('password') });
  const guarded = await service.publish(person);
  await service.fetch(guarded.messagesUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${canary('access_token')}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  await service.operate({
    operator: 'stop-deployment',
    slug,
    claimedActor: 'arn:aws:iam::111122223333:user/ann',
  });
});
afterAll(async () => {
  await service.stop();
  await target[Symbol.asyncDispose]();
});

describe('what goes out of a running service', () => {
  test('is every call and every event, each as its schema says', () => {
    const out = linesOut().map(read);
    const all = [...logged().values()].flat().map(read);

    expect(out.filter((line) => kindOf(line) in LINES)).toEqual(out);
    expect(out.length).toBe(all.filter((line) => kindOf(line) in LINES).length);
    for (const line of out) {
      const { error } = LINES[kindOf(line) as LineName].safeParse(line);
      expect([line, error?.issues]).toEqual([line, undefined]);
    }
  });

  test('has something of each kind that has happened', () => {
    const kinds = new Set(linesOut().map((line) => kindOf(read(line))));

    expect([...kinds].toSorted()).toEqual([
      'change',
      'credential_access',
      'operator_command',
      'security',
      'tool_call',
    ]);
    expect(linesOut().map((line) => read(line)['outcome'])).toEqual(
      expect.arrayContaining(['ok', 'unfinished', 'refused', 'no_answer', 'done']),
    );
  });

  test('is none of the other lines, of which there are as many', () => {
    const out = new Set(linesOut());
    const others = [...logged().values()].flat().filter((line) => !out.has(line));

    expect(others.length).toBeGreaterThan(5);
    expect(others.map(read).filter((line) => 'schema' in line)).toEqual([]);
  });

  test('is events alone where calls are to stay', () => {
    const events = linesOut(false);

    expect(events.map((line) => kindOf(read(line)))).not.toContain('tool_call');
    expect(events.length).toBe(
      linesOut().filter((line) => kindOf(read(line)) !== 'tool_call').length,
    );
  });

  test('comes from no function that is not known to log such lines', () => {
    for (const [name, lines] of logged()) {
      const has = lines.map(read).some((line) => 'schema' in line);
      if (has) expect([name, functions[name as FunctionName].logsEvents]).toEqual([name, true]);
    }
  });

  test('has no secret in it that was sent', async () => {
    const secrets = service.wire.secrets();

    expect(secrets.length).toBeGreaterThan(4);
    expect(leaksIn('lines', linesOut().join('\n'), secrets)).toEqual([]);
    expect(await service.leaks()).toEqual([]);
  });
});
