import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { toToolIndex } from '../../../../layers/openapi/tool-index.ts';
import { anOperation } from '../../../support/openapi/intake.ts';
import { structuredTools } from '../../../support/openapi/output-validators.ts';
import { startRouter, type TestRouter } from '../../../support/mcp/router.ts';
import { anAddress, at, post, rpc } from '../../../support/mcp/router-events.ts';
import {
  anHttpServer,
  type ReceivedRequest,
  type TargetServer,
} from '../../../support/target/target-server.ts';

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** In place of a status: the connection breaks. */
const BROKEN = -1;

let router: TestRouter;
let target: TargetServer;
let answers: (request: ReceivedRequest) => Answer = () => ({});

const JSON_TYPE = 'application/json';
const ORDERS = {
  [JSON_TYPE]: { schema: { type: 'object', properties: { id: { type: 'integer' } } } },
};
const answering = (operationId: string, responses: object) =>
  anOperation({ operationId, responses: responses as never });

beforeAll(async () => {
  router = await startRouter();
  target = await anHttpServer((request, response) => {
    const { status = 200, headers = {}, body = '' } = answers(request);
    if (status === BROKEN) response.destroy();
    else response.writeHead(status, { 'content-type': JSON_TYPE, ...headers }).end(body);
  });
  const ok = { 200: { description: '', content: ORDERS } };
  const page = { 'text/html': { schema: { type: 'string' } } };
  const paths = {
    '/orders': {
      get: answering('list', ok),
      post: answering('add', ok),
      delete: answering('clear', ok),
    },
    '/page': { get: answering('page', { 200: { description: '', content: page } }) },
    '/open': { get: answering('open', { 200: { description: '' } }) },
    '/any': { get: answering('any', { 200: { description: '', content: { '*/*': {} } } }) },
    '/file': { get: answering('file', { 302: { description: 'elsewhere' } }) },
    '/refused': {
      get: answering('refused', { ...ok, 403: { description: '', content: page } }),
    },
  };
  const { tools } = structuredTools(paths, { servers: [{ url: target.url }] });
  await router.publish('shop', {}, { tools: toToolIndex(tools).tools });
});
afterAll(async () => {
  await router.stop();
  await target[Symbol.asyncDispose]();
});
afterEach(() => {
  answers = () => ({});
});

const answered = async (name: string) => {
  const sent = rpc('tools/call', { name, arguments: {} });
  const headers = { 'mcp-protocol-version': '2025-06-18' };
  return JSON.parse(
    (await router.send(post(at('shop', '/messages'), sent, headers, anAddress()))).body,
  );
};
const call = async (name: string) => (await answered(name)).result;

const recorded = () => router.lines.findLast(({ message }) => message === 'tool_call');
const textOf = ({ content }: { content: readonly { text: string }[] }) => content[0]?.text ?? '';

describe('the answer of another request, after a redirect', () => {
  test.each(['add', 'clear'])('of %s says first whose it is, in structure, too', async (name) => {
    answers = ({ method, url }) =>
      method === 'GET'
        ? { body: `{"id":17,"asked":"${url}"}` }
        : { status: 302, headers: { location: '/orders/17?full=1' } };
    const { content, structuredContent, isError } = await call(name);
    const method = name === 'add' ? 'POST' : 'DELETE';

    expect(isError).toBeUndefined();
    expect(content[0].text).toMatch(
      `[The API answered ${method} with 302; this is the answer of GET /orders/17?full=1.`,
    );
    expect(content[1].text).toBe('{"id":17,"asked":"/orders/17?full=1"}');
    expect(structuredContent).toMatchObject({ id: 17, _note: content[0].text });
  });

  test('is told for 303 as well, which means nothing else', async () => {
    answers = ({ method }) =>
      method === 'GET' ? { body: '{"id":1}' } : { status: 303, headers: { location: '/orders/1' } };

    expect(textOf(await call('add'))).toBe(
      '[The API answered POST with 303; this is the answer of GET /orders/1.]',
    );
  });

  test.each([301, 302, 307, 308])(
    'is none with %d to the same place with a slash',
    async (status) => {
      answers = ({ method, url }) =>
        url === '/orders/'
          ? { body: `{"id":1,"m":"${method}"}` }
          : { status, headers: { location: '/orders/' } };

      expect((await call('add')).content).toEqual([{ type: 'text', text: '{"id":1,"m":"POST"}' }]);
    },
  );

  test.each(['add', 'list'])(
    'that %s may not be redirected to is an error with the place',
    async (name) => {
      answers = () => ({
        status: 307,
        headers: { location: 'https://other.example.com/orders?x=1' },
      });
      const { content, isError } = await call(name);

      expect(isError).toBe(true);
      expect(content).toHaveLength(1);
      expect(content[0].text).toMatch(
        /^HTTP 307 Temporary Redirect: .* https:\/\/other\.example\.com\/orders\?x=1,/,
      );
      expect(recorded()).toMatchObject({
        outcome: 'target_error',
        reason: 'redirect_not_followed',
      });
    },
  );

  test.each<[string, Answer, string, RegExp]>([
    [
      'without a place, with its text',
      { status: 302, body: '{"state":"moved"}' },
      'list',
      /^HTTP 302 Found: the target API sends this GET elsewhere and does not say where: its answer has no Location header\. Its text:\n\n\{"state":"moved"\}$/,
    ],
    [
      'with an empty place, after what changes something',
      { status: 303, headers: { location: '' } },
      'add',
      /^HTTP 303 See Other: the target API sends this POST elsewhere and does not say where: .* has been carried out, it does not say: look before you send it again\.$/,
    ],
    [
      'without a place, with a page',
      {
        status: 301,
        headers: { 'content-type': 'text/html' },
        body: '<html><title>Moved</title><p>Gone to v2</p></html>',
      },
      'list',
      /does not say where: .* a page for people in place of data\. .*\n\nMoved\nGone to v2$/,
    ],
    [
      'to no address',
      { status: 307, headers: { location: 'http://[' } },
      'add',
      /^HTTP 307 Temporary Redirect: .* elsewhere, to http:\/\/\[, and it was not sent there: that is no address of the web\.$/,
    ],
    [
      'to what is no web',
      { status: 302, headers: { location: 'mailto:ada@example.com' } },
      'list',
      /to mailto:ada@example\.com, .* no address of the web\.$/,
    ],
  ])('%s is an error that says so', async (_, sent, name, told) => {
    answers = () => sent;
    const result = await call(name);

    expect(result.isError).toBe(true);
    expect(result.content).toHaveLength(1);
    expect(textOf(result)).toMatch(told);
    expect(recorded()).toMatchObject({ reason: 'redirect_not_followed' });
  });

  test('that never ends is told as such', async () => {
    answers = () => ({ status: 302, headers: { location: '/orders' } });
    const sent = rpc('tools/call', { name: 'list', arguments: {} });
    const { body } = await router.send(post(at('shop', '/messages'), sent, {}, anAddress()));

    expect(JSON.parse(body).error.message).toContain('redirected the request more than five times');
  });

  test('is what a description announces, where it describes the redirect', async () => {
    answers = () => ({ status: 302, headers: { location: 'https://files.example.com/7' } });
    const result = await call('file');

    expect(result.isError).toBeUndefined();
    expect(textOf(result)).toContain('https://files.example.com/7');
  });
});

const SIGN_IN =
  '<!DOCTYPE html><html><head><title>Sign in</title><style>a{}</style></head><body><script>let x = "<p>";</script>' +
  '<!-- hidden > --><h1>Welcome &amp; hello</h1><form><input type="password" name="p"></form></body></html>';
const html = (body: string, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body,
});

describe('a page for people in place of data', () => {
  test('is an error that says what page it is, after which redirect, with its text', async () => {
    answers = ({ url }) =>
      url === '/login?next=%2Forders'
        ? html(SIGN_IN)
        : { status: 302, headers: { location: '/login?next=%2Forders' } };
    const { content, isError, structuredContent } = await call('list');

    expect({ isError, structuredContent }).toEqual({ isError: true });
    expect(content[0].text).toBe(
      `HTTP 200 OK: the target API answered with a sign-in page for people in place of data, after a redirect (302) of GET to ${target.url}/login?next=%2Forders. ` +
        "This server's credential is missing, has ended, or is not taken here: calling again does not help, the owner of this server has to look at it. " +
        'Its text:\n\nSign in\nWelcome & hello',
    );
    expect(recorded()).toMatchObject({ outcome: 'target_error', reason: 'answer_is_a_page' });
  });

  test('takes 500 tokens of the model at most', async () => {
    const lines = Array.from({ length: 9000 }, (_, line) => `<p class="x">some words ${line}</p>`);
    answers = () => html(`<html><body>${lines.join('')}</body></html>`);
    const text = textOf(await call('list'));

    expect(text.endsWith(' …')).toBe(true);
    expect(text.length).toBeLessThan(4000);
    expect(recorded()?.['answer_tokens']).toBeLessThan(620);
  });

  test.each([
    [
      'of an error',
      html('<html><body><h1>502 Bad Gateway</h1></body></html>', 502),
      /a page of an error/,
    ],
    [
      'with another name',
      { ...html('<html><p>hi</p></html>'), headers: {} },
      /answered with a page for/,
    ],
    ['without a beginning', html('<p>hi</p>'), /answered with a page for/],
    ['behind blanks and a mark', html('\ufeff \n<!doctype HTML>hi'), /answered with a page for/],
  ])('is found %s', async (_, sent, told) => {
    answers = () => sent;
    const result = await call('list');

    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(told);
  });

  test.each([
    ['where it is described', 'page', html('<html>a page</html>')],
    ['where it is described for that status', 'refused', html('<html>no</html>', 403)],
    ['where nothing is described', 'open', html('<html>a page</html>')],
    ['where anything is described', 'any', html('<html>a page</html>')],
    ['JSON that is called HTML', 'list', html('{"id":1}')],
    ['text that is called HTML', 'list', html('OK')],
    [
      'XML that is no page',
      'list',
      { headers: { 'content-type': 'application/xml' }, body: '<a/>' },
    ],
  ])('is not seen in an answer %s', async (_, name, sent) => {
    answers = () => sent;

    expect(textOf(await call(name))).toContain(sent.body);
  });

  test.each(['open', 'any'])(
    'is seen of %s, where nothing is described, if it is to sign in',
    async (name) => {
      answers = () => html(SIGN_IN);

      expect(textOf(await call(name))).toContain('a sign-in page');
    },
  );
});

describe('a connection that breaks', () => {
  test.each([
    ['list', 'one that only reads: call again.'],
    ['add', 'look before you ask again.'],
    ['clear', 'look before you ask again.'],
  ])('says of %s what to do next: %s', async (name, advice) => {
    answers = () => ({ status: BROKEN });

    const { error } = await answered(name);

    expect(error).toMatchObject({ code: -32000, data: { reason: 'connection_failed' } });
    expect(error.message).toContain(advice);
  });
});
