import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { measuredIn } from '../../../layers/platform/rules/metrics/measured.ts';
import { filtersIn, stage } from '../../support/stacks/alarms.ts';
import { filteredFrom } from '../../support/aws/cloudwatch.ts';
import {
  startWholeService,
  type Person,
  type WholeService,
} from '../../support/service/whole-service.ts';

/** Words by which people look for failures in logs. */
const HOSTILE = 'AccessDenied ThrottlingException SlowDown "outcome":"bug" {"message":"swept"}';
const NAMES = ['AccessDeniedException', 'TooManyRequestsException', 'LimitExceededException'];

let service: WholeService;
let owner: Person;

beforeAll(async () => {
  service = await startWholeService();
  owner = await service.person();
});
afterAll(() => service.stop());

const describing = (title: string, [first, second, third]: readonly string[]) =>
  JSON.stringify({
    openapi: '3.0.3',
    info: { title, version: '1', description: title },
    paths: Object.fromEntries(
      [first, second, third].map((operationId) => [
        `/${operationId}`,
        { get: { operationId, summary: title, responses: { 200: { description: title } } } },
      ]),
    ),
  });

/** Writes words wherever strangers may: names, titles, headers, paths, credentials, texts. */
const visit = async (word: string, names: readonly string[]): Promise<void> => {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'user-agent': word,
    'x-amzn-trace-id': word,
    referer: `https://example.com/${encodeURIComponent(word)}`,
    'accept-language': word,
  };
  const post = (url: string, body: unknown, more: Record<string, string> = {}) =>
    service.fetch(url, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify(body),
    });
  const { messagesUrl, url } = await service.publish(owner, {
    authMethod: 'none',
    openapi: describing(word, names),
    name: word,
  });
  const rpc = (method: string, params: object) =>
    post(messagesUrl, { jsonrpc: '2.0', id: word, method, params });
  await rpc('initialize', {
    protocolVersion: word,
    capabilities: {},
    clientInfo: { name: word, title: word, version: word },
  });
  for (const name of names) await rpc('tools/call', { name, arguments: {} });
  await rpc('tools/call', { name: word, arguments: {} });
  await rpc('prompts/get', { name: word });
  await rpc('resources/read', { uri: `answer://${word}` });
  await rpc(word, {});
  await service.fetch(`${url}/${encodeURIComponent(word)}`, { headers });
  await service.fetch(`${service.baseUrl}/mcp-router/${encodeURIComponent(word)}/health`);
  const { messagesUrl: guarded } = await service.publish(owner, { name: word });
  await post(guarded, {}, { authorization: `Bearer ${encodeURIComponent(word)}` });
  await post(`${service.issuer}/register`, {
    client_name: word,
    redirect_uris: ['https://app.example.com/callback'],
  });
  await service.fetch(`${service.issuer}/token`, {
    method: 'POST',
    headers: { 'user-agent': word },
    body: new URLSearchParams({ grant_type: word, client_id: word, code: word }),
  });
  await post(`${service.baseUrl}/mcp-management/sessions`, {
    email: `${names[0]}@example.com`,
    password: word,
  });
  await post(`${service.baseUrl}/mcp-management/accounts`, { email: word, password: word });
};

type Line = readonly [functionName: string, line: string];

const filesOfLogs = async () => (await service.kept()).filter(([where]) => where.endsWith('.log'));

/** The lines that come of something, each with its function. */
const linesOf = async (act: () => Promise<void>): Promise<readonly Line[]> => {
  const before = new Map(await filesOfLogs());
  await act();
  return (await filesOfLogs()).flatMap(([where, text]) =>
    text
      .slice(before.get(where)?.length)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [/^[a-z]+/.exec(where)?.[0] ?? '', line] as const),
  );
};

/** How often each metric is counted, by the members of lines and by filters. */
const counted = (lines: readonly Line[]) => {
  const filters = filtersIn(stage());
  const counts: Record<string, number> = {};
  const add = (name: string, dimensions: object) => {
    const key = `${name} ${JSON.stringify(dimensions)}`;
    counts[key] = (counts[key] ?? 0) + 1;
  };
  for (const [functionName, line] of lines) {
    for (const filter of filters) {
      if (filter.logGroup.toLowerCase() !== `logs${functionName}`) continue;
      for (const { name, dimensions } of filteredFrom(line, 0, filter)) add(name, dimensions);
    }
    if (!line.startsWith('{')) continue;
    for (const { dimensions, values } of measuredIn(JSON.parse(line))) {
      for (const [name, value] of Object.entries(values)) {
        // How long it took differs; that it took something does not.
        if (value > 0 || name === 'Latency') add(name, dimensions);
      }
    }
  }
  return counts;
};

describe('what strangers write', () => {
  test('is counted by no metric: with words of failures as with others', async () => {
    const ordinary = await linesOf(() => visit('an ordinary client', ['list', 'get', 'add']));
    const hostile = await linesOf(() => visit(HOSTILE, NAMES));

    for (const word of ['AccessDenied ThrottlingException', ...NAMES]) {
      expect(JSON.stringify(hostile)).toContain(word);
    }
    expect(counted(hostile)).toEqual(counted(ordinary));
  });
});
