import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Deployment } from '../../../layers/deployments/rules/deployment.ts';
import { estimateTokens } from '../../../layers/openapi/model-apis/token-estimate.ts';
import { toToolIndex } from '../../../layers/openapi/tool-index.ts';
import { tryTool } from '../../../layers/mcp/steps/calls/try-tool.ts';
import { structuredTools } from '../../support/openapi/output-validators.ts';
import { anOperation } from '../../support/openapi/intake.ts';
import { startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { anAddress, at, post, rpc } from '../../support/mcp/router-events.ts';
import { anHttpServer, type TargetServer } from '../../support/target/target-server.ts';

const ROW = { type: 'object', properties: { id: { type: 'integer' }, text: { type: 'string' } } };
const ROWS = Array.from({ length: 500 }, (_, id) => ({
  id,
  text: 'one of many words '.repeat(30),
}));
const PAGE = { data: ROWS, total: ROWS.length };

let router: TestRouter;
let target: TargetServer;

beforeAll(async () => {
  router = await startRouter();
  target = await anHttpServer(({ url = '' }, response) => {
    response.writeHead(url.startsWith('/failing') ? 500 : 200, {
      'content-type': 'application/json',
    });
    response.end(JSON.stringify(url.startsWith('/few') ? PAGE.data.slice(0, 3) : PAGE));
  });
  await publish('default', {});
  await publish('small', { answerTokenBudget: 2000 });
  await publish('any', { answerTokenBudget: null });
  const overrides = { rows: { answerTokenBudget: 1000 }, failing: { answerTokenBudget: null } };
  await publish('overridden', { answerTokenBudget: 2000, publication: { overrides } });
});
afterAll(async () => {
  await router.stop();
  await target[Symbol.asyncDispose]();
});

const publish = (slug: string, over: Partial<Deployment>) => {
  const data = { type: 'object', properties: { data: { type: 'array', items: ROW } } };
  const operation = (operationId: string) =>
    anOperation({
      operationId,
      parameters: [
        { name: 'limit', in: 'query', schema: { type: 'integer' } },
        { name: 'id', in: 'query', schema: { type: 'integer' } },
      ],
      responses: { 200: { description: '', content: { 'application/json': { schema: data } } } },
    });
  const names = ['rows', 'few', 'failing'];
  const paths = Object.fromEntries(names.map((name) => [`/${name}`, { get: operation(name) }]));
  const { tools } = structuredTools(paths, { servers: [{ url: target.url }] });
  return router.publish(slug, over, { tools: toToolIndex(tools).tools });
};

const ask = async (slug: string, sent: unknown, address: string) => {
  const headers = { 'mcp-protocol-version': '2025-06-18' };
  const reply = await router.send(post(at(slug, '/messages'), sent, headers, address));
  return JSON.parse(Buffer.from(reply.body, reply.isBase64Encoded ? 'base64' : 'utf8').toString())
    .result;
};

const call = (slug: string, name: string, address = anAddress()) =>
  ask(slug, rpc('tools/call', { name, arguments: {} }), address);

describe('an answer over its budget', () => {
  test.each([
    ['default', 'rows', 20_000],
    ['small', 'rows', 2000],
    ['overridden', 'rows', 1000],
  ])(
    'of %s %s shows whole elements in %i tokens, and what asks for less',
    async (slug, name, most) => {
      const { content } = await call(slug, name);
      const [{ text: shown }, { text: note }] = content;
      const { data, total } = JSON.parse(shown);

      expect(total).toBe(500);
      expect(data).toEqual(ROWS.slice(0, data.length));
      expect(estimateTokens(shown)).toBeLessThanOrEqual(most);
      expect(estimateTokens(shown)).toBeGreaterThan(most * 0.8);
      expect(note).toContain(`${data.length} of 500 elements of "/data" are shown.`);
      expect(note).toContain('To get less, use what this tool has for it: limit.');
    },
  );

  test('is on record with the tokens that it takes, as the budget counts them', async () => {
    const { content } = await call('small', 'rows');
    const [{ text: shown }, { text: note }] = content;
    const tokens = estimateTokens(shown) + estimateTokens(note);
    const line = router.lines.findLast(({ message }) => message === 'tool_call');

    expect(line).toMatchObject({ tool: 'rows', outcome: 'ok' });
    // The addresses of parts are noted after it.
    expect(Number(line?.['answer_tokens'])).toBeGreaterThan(tokens * 0.8);
    expect(Number(line?.['answer_tokens'])).toBeLessThanOrEqual(tokens);
  });

  test('is read on without a gap, each part JSON', async () => {
    const address = anAddress();
    const { content } = await call('small', 'rows', address);
    const [{ text: shown }, { text: note }] = content;
    const [, first = '', last = ''] = /(kept-answer:\S+) to (kept-answer:\S+)/.exec(note) ?? [];
    const count = Number(last.split('/').at(-1));
    const read = [...JSON.parse(shown).data];
    for (let number = 1; number <= count; number += 1) {
      const uri = first.replace(/\d+$/, String(number));
      const { contents } = await ask('small', rpc('resources/read', { uri }), address);
      expect(estimateTokens(contents[0].text)).toBeLessThan(6000);
      read.push(...JSON.parse(contents[0].text));
    }

    expect(read).toEqual(ROWS);
  });

  test('has the shown part in its structured content, in its form', async () => {
    const { content, structuredContent } = await call('small', 'rows');

    expect(structuredContent).toMatchObject({
      ...JSON.parse(content[0].text),
      _note: content[1].text,
    });
    expect(structuredContent._parts.length).toBeGreaterThan(4);
  });

  test('keeps its status where the target failed', async () => {
    const { content, isError } = await call('small', 'failing');

    expect(isError).toBe(true);
    expect(content[0].text).toMatch(/^HTTP 500 Internal Server Error\n\n\{"data":\[/);
    expect(content[1].text).toContain('elements of "/data" are shown');
  });

  test('is cut where its owner tries the tool too, where nothing is kept', async () => {
    const { id, slug, ownerId, version } = await publish('tried', { answerTokenBudget: 2000 });
    const { result } = await tryTool(router.ports, {
      deployment: { id, slug, ownerId, version, answerTokenBudget: 2000 },
      tool: 'rows',
      arguments: {},
      sender: { ip: anAddress(), userAgent: undefined, requestId: 'r' },
    });

    expect(JSON.stringify(result)).toContain('of 500 elements of');
    expect(JSON.stringify(result)).toContain('The rest is not kept.');
  });
});

describe('an answer within its budget, or without one', () => {
  test.each([
    ['any', 'rows', PAGE],
    ['overridden', 'failing', PAGE],
    ['small', 'few', ROWS.slice(0, 3)],
  ])('of %s %s stays as it is, to the byte', async (slug, name, answer) => {
    const { content } = await call(slug, name);

    expect(content).toHaveLength(1);
    expect(content[0].text.endsWith(JSON.stringify(answer))).toBe(true);
  });
});
