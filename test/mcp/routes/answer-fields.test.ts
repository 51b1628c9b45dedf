import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Deployment } from '../../../layers/deployments/rules/deployment.ts';
import type { JsonObject } from '../../../layers/platform/rules/json/json.ts';
import { toToolIndex } from '../../../layers/openapi/tool-index.ts';
import {
  officialVerdicts,
  schemaOf,
  structuredTools,
} from '../../support/openapi/output-validators.ts';
import { anOperation } from '../../support/openapi/intake.ts';
import { startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { anAddress, at, post, rpc } from '../../support/mcp/router-events.ts';
import { anHttpServer, type TargetServer } from '../../support/target/target-server.ts';

const ROW = {
  type: 'object',
  required: ['id', 'text'],
  properties: { id: { type: 'integer' }, text: { type: 'string' } },
};
const ROWS = Array.from({ length: 300 }, (_, id) => ({
  id,
  text: 'one of many words '.repeat(30),
}));

const ANSWERS: Readonly<Record<string, readonly [status: number, type: string, body: string]>> = {
  '/rows': [200, 'application/json', JSON.stringify({ data: ROWS, total: 300 })],
  '/list': [200, 'application/json', JSON.stringify(ROWS)],
  '/failing': [422, 'application/json', '{"error":"name is taken"}'],
  '/text': [200, 'text/plain', 'plain text'],
  '/events': [200, 'text/event-stream', 'data: {"data":1}\n\n'],
};

let router: TestRouter;
let target: TargetServer;

beforeAll(async () => {
  router = await startRouter();
  target = await anHttpServer(({ url = '' }, response) => {
    const [status, type, body] = ANSWERS[url] ?? [404, 'text/plain', ''];
    response.writeHead(status, { 'content-type': type }).end(body);
  });
});
afterAll(async () => {
  await router.stop();
  await target[Symbol.asyncDispose]();
});

const operation = (operationId: string, schema: JsonObject) =>
  anOperation({
    operationId,
    responses: { 200: { description: '', content: { 'application/json': { schema } } } },
  });

const described = () => {
  const page = {
    type: 'object',
    required: ['data'],
    properties: { data: { type: 'array', items: ROW } },
  };
  const paths = Object.fromEntries(
    Object.keys(ANSWERS).map((path) => [
      path,
      { get: operation(path.slice(1), path === '/list' ? { type: 'array', items: ROW } : page) },
    ]),
  );
  return structuredTools(paths, { servers: [{ url: target.url }] }).tools;
};

const publish = (slug: string, fields: readonly string[], over: Partial<Deployment> = {}) => {
  const overrides = Object.fromEntries(
    Object.keys(ANSWERS).map((path) => [path.slice(1), { answerFields: fields }]),
  );
  const index = { tools: toToolIndex(described()).tools };
  return router.publish(slug, { publication: { overrides }, ...over }, index);
};

const call = async (slug: string, name: string) => {
  const sent = rpc('tools/call', { name, arguments: {} });
  const headers = { 'mcp-protocol-version': '2025-06-18' };
  const reply = await router.send(post(at(slug, '/messages'), sent, headers, anAddress()));
  return JSON.parse(Buffer.from(reply.body, reply.isBase64Encoded ? 'base64' : 'utf8').toString())
    .result;
};

describe('answers of which an owner chose members', () => {
  test('hold those alone, and cost only what they take', async () => {
    await publish('ids', ['/data/*/id', '/total']);
    const { content, structuredContent } = await call('ids', 'rows');
    const value = { data: ROWS.map(({ id }) => ({ id })), total: 300 };

    expect(content).toHaveLength(1);
    expect(JSON.parse(content[0].text)).toEqual(value);
    expect(structuredContent).toEqual(value);
    const line = router.lines.findLast(({ message }) => message === 'tool_call');
    expect(line?.['answer_tokens']).toBeLessThan(3000);
  });

  test('are cut by the budget behind that, and read on', async () => {
    await publish('texts', ['/data/*/text'], { answerTokenBudget: 1000 });
    const { content } = await call('texts', 'rows');

    expect(Object.keys(JSON.parse(content[0].text).data[0])).toEqual(['text']);
    expect(content[1].text).toMatch(/of 300 elements of "\/data" are shown/);
  });

  test.each(['/data/*/id', '/*/id', '/data/0', '/nothing', '/data/*/text/deeper'])(
    'fit the output schema still, whatever %s leaves',
    async (pointer) => {
      const slug = `schema-${pointer.replaceAll(/[^a-z0-9]/g, '-')}e`;
      await publish(slug, [pointer]);

      for (const name of ['rows', 'list']) {
        const { structuredContent } = await call(slug, name);
        const tool = described().find((one) => one.name === name);
        for (const fits of officialVerdicts(schemaOf(tool))) {
          expect(fits(structuredContent)).toBe(true);
        }
      }
    },
  );

  test('say so where none of them is there, and show nothing else', async () => {
    await publish('none', ['/secret']);
    const { content } = await call('none', 'rows');

    expect(content[0].text).toBe('{}');
    expect(content[1].text).toContain('The owner of this server chose which members');
  });

  test.each(['failing', 'text', 'events'])('of %s stay as they are', async (name) => {
    await publish(`as-${name}`, ['/data']);
    const { content } = await call(`as-${name}`, name);

    expect(content[0].text).toContain(ANSWERS[`/${name}`]?.[2]);
  });
});
