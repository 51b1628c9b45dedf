import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { functions } from '../../lambdas/manifest.ts';
import { localFunction, type LocalFunction } from '../../local/functions/index.ts';
import { type Gateway, startGateway } from '../../local/gateway/index.ts';
import { tokenBucket } from '../../local/gateway/throttle.ts';

let gateway: Gateway;
let fn: LocalFunction;

beforeAll(async () => {
  fn = localFunction({
    name: 'sample',
    entry: new URL('./fixtures/function.ts', import.meta.url),
    memoryMb: 256,
    timeoutSeconds: 29,
    start: Promise.resolve({ environment: {}, options: {} }),
  });
  gateway = await startGateway({
    port: 0,
    routes: [
      { key: 'ANY /v1/x/{rest+}', functionName: 'sample' },
      { key: 'GET /v1/x/exact', functionName: 'sample' },
      { key: 'POST /v1/pets/{id}', functionName: 'sample' },
    ],
    invoke: (_, event) => fn.invoke(event),
  });
});

afterAll(async () => {
  await gateway.close(0);
  await fn.close();
});

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Buffer;
}

/** Sends exactly what is given: nothing is normalized, as `fetch` would. */
const send = async (path: string, { method = 'GET', headers = {}, body }: Sent = {}) => {
  const host = `127.0.0.1:${gateway.port}`;
  const outgoing = request({
    host: '127.0.0.1',
    port: gateway.port,
    method,
    path,
    headers: { host, ...headers },
  });
  outgoing.end(body);
  const [answer] = await once(outgoing, 'response');
  const received = await text(answer);
  return { status: answer.statusCode, headers: answer.headers, raw: answer.rawHeaders, received };
};

/** The event that the function gets for a request. */
const eventOf = async (path: string, sent?: Sent): Promise<APIGatewayProxyEventV2> =>
  JSON.parse((await send(path, sent)).received);

/** What the gateway makes of a function's result. */
const answerTo = (result: unknown) =>
  send('/v1/x/y?answer=body', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(result),
  });

describe('the event that the gateway gives a function', () => {
  test('has the shape of payload format 2.0', async () => {
    const event = await eventOf('/v1/x/some/path?a=1', { headers: { 'user-agent': 'test' } });
    const { port } = gateway;

    expect(event).toEqual({
      version: '2.0',
      routeKey: 'ANY /v1/x/{rest+}',
      rawPath: '/v1/x/some/path',
      rawQueryString: 'a=1',
      headers: {
        host: `127.0.0.1:${port}`,
        'user-agent': 'test',
        'content-length': '0',
        'x-amzn-trace-id': expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/),
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-port': String(port),
        'x-forwarded-proto': 'http',
      },
      queryStringParameters: { a: '1' },
      pathParameters: { rest: 'some/path' },
      isBase64Encoded: false,
      requestContext: {
        accountId: '000000000000',
        apiId: 'local',
        domainName: `127.0.0.1:${port}`,
        domainPrefix: '127',
        http: {
          method: 'GET',
          path: '/v1/x/some/path',
          protocol: 'HTTP/1.1',
          sourceIp: '127.0.0.1',
          userAgent: 'test',
        },
        requestId: expect.stringMatching(/^[\w-]{15}=$/),
        routeKey: 'ANY /v1/x/{rest+}',
        stage: '$default',
        time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
        timeEpoch: expect.any(Number),
      },
    });
  });

  test('leaves out members that the request has nothing for', async () => {
    const event = await eventOf('/v1/x/exact');

    expect(Object.keys(event)).not.toEqual(
      expect.arrayContaining(['body', 'cookies', 'pathParameters', 'queryStringParameters']),
    );
  });

  test.each([
    ['/v1/x/a%20b%2Fc', '/v1/x/a b/c', 'a b/c'],
    ['/v1/x/%E2%82%AC', '/v1/x/€', '€'],
    ['/v1/x/a%252Fb', '/v1/x/a%2Fb', 'a%2Fb'],
    ['/v1/x/a+b', '/v1/x/a+b', 'a+b'],
    ['/v1/x/a/../b', '/v1/x/a/../b', 'a/../b'],
    ['/v1/x/a/', '/v1/x/a/', 'a/'],
    ['/v1/x//a', '/v1/x//a', '/a'],
  ])(
    'carries the path %s percent-decoded once, and otherwise as it came',
    async (path, rawPath, rest) => {
      expect(await eventOf(path)).toMatchObject({
        rawPath,
        pathParameters: { rest },
        requestContext: { http: { path: rawPath } },
      });
    },
  );

  test('carries the query string as it came, and decoded with repeated names joined by commas', async () => {
    expect(await eventOf('/v1/x/y?a=1&b=%20%2F&a=2,3&c=&d&a=&e=x+y?z')).toMatchObject({
      rawQueryString: 'a=1&b=%20%2F&a=2,3&c=&d&a=&e=x+y?z',
      queryStringParameters: { a: '1,2,3,', b: ' /', c: '', d: '', e: 'x y?z' },
    });
  });

  test('joins repeated headers by commas, `authorization` too, under lower-case names', async () => {
    const { headers } = await eventOf('/v1/x/y', {
      headers: { 'X-Many': ['1', '', '2,3'], Authorization: ['Bearer a', 'Bearer b'] },
    });

    expect(headers).toMatchObject({ 'x-many': '1,,2,3', authorization: 'Bearer a,Bearer b' });
  });

  test('carries cookies apart from the headers', async () => {
    const event = await eventOf('/v1/x/y', { headers: { cookie: ['a=1; b=2;', 'c=3;d=4'] } });

    expect(event.cookies).toEqual(['a=1', 'b=2', 'c=3', 'd=4']);
    expect(event.headers).not.toHaveProperty('cookie');
  });

  test('leaves out hop-by-hop headers', async () => {
    const { headers } = await eventOf('/v1/x/y', {
      method: 'POST',
      headers: { 'keep-alive': 'timeout=5', te: 'trailers', 'transfer-encoding': 'chunked' },
      body: 'abc',
    });

    expect(headers).toMatchObject({ 'content-length': '3' });
    expect(Object.keys(headers)).not.toEqual(
      expect.arrayContaining(['connection', 'keep-alive', 'te', 'transfer-encoding']),
    );
  });

  test('adds the address of the client to those in x-forwarded-for', async () => {
    const { headers, requestContext } = await eventOf('/v1/x/y', {
      headers: { 'x-forwarded-for': '203.0.113.7' },
    });

    expect(headers['x-forwarded-for']).toBe('203.0.113.7, 127.0.0.1');
    expect(requestContext.http.sourceIp).toBe('127.0.0.1');
  });

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'Text/Plain',
    'application/xml',
  ])('carries a body of type %s as text', async (type) => {
    const sent = { method: 'POST', headers: { 'content-type': type }, body: '{"a":"€"}' };

    expect(await eventOf('/v1/x/y', sent)).toMatchObject({
      body: '{"a":"€"}',
      isBase64Encoded: false,
    });
  });

  test.each([
    ['application/octet-stream', 'abc'],
    ['application/x-www-form-urlencoded', 'a=1'],
    ['application/vnd.api+json', '{}'],
    ['', 'no type at all'],
    ['application/gzip', Buffer.from([0x1f, 0x8b, 0xff])],
    ['application/yaml', 'a: 1'],
  ])('carries a body of type "%s" as base64', async (type, body) => {
    const sent = { method: 'POST', headers: { 'content-type': type }, body };

    expect(await eventOf('/v1/x/y', sent)).toMatchObject({
      body: Buffer.from(body).toString('base64'),
      isBase64Encoded: true,
    });
  });

  test.each([
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), '"\u{fffd}"'],
    ['a packed body', Buffer.from([0x1f, 0x8b, 0x08, 0xc3]), '\u001f\u{fffd}\u0008\u{fffd}'],
  ])('spoils %s in a body of a text type, as API Gateway does', async (_, body, text) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };

    expect(await eventOf('/v1/x/y', { method: 'POST', headers, body })).toMatchObject({
      body: text,
      isBase64Encoded: false,
      headers: { 'content-length': String(body.length) },
    });
  });
});

describe('the gateway', () => {
  test.each([
    ['GET', '/v1/x/exact', 'GET /v1/x/exact'],
    ['POST', '/v1/x/exact', 'ANY /v1/x/{rest+}'],
    ['POST', '/v1/pets/7', 'POST /v1/pets/{id}'],
    ['OPTIONS', '/v1/x/a/b', 'ANY /v1/x/{rest+}'],
  ])('routes %s %s to the route %s', async (method, path, routeKey) => {
    expect(await eventOf(path, { method })).toMatchObject({ routeKey });
  });

  test.each([
    ['GET', '/'],
    ['GET', '/v1/x'],
    ['GET', '/v1/x/'],
    ['GET', '/v2/x/y'],
    ['GET', '/v1/pets/7'],
    ['POST', '/v1/pets/7/toys'],
    ['GET', '/v1/xxx/y'],
  ])('has no route for %s %s', async (method, path) => {
    const { status, received, headers } = await send(path, { method });

    expect({ status, received }).toEqual({ status: 404, received: '{"message":"Not Found"}' });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'apigw-requestid': expect.stringMatching(/=$/),
    });
  });
});

describe('the HTTP response to what a function returns', () => {
  test('carries its status, headers, cookies and body', async () => {
    const { status, headers, raw, received } = await answerTo({
      statusCode: 201,
      headers: { 'Content-Type': 'application/json; charset=utf-8', 'X-Number': 5, 'X-Yes': true },
      cookies: ['a=1; HttpOnly', 'b=2'],
      body: '{"a":"€"}',
      multiValueHeaders: { 'x-old': ['1'] },
    });

    expect({ status, received }).toEqual({ status: 201, received: '{"a":"€"}' });
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': '11',
      'x-number': '5',
      'x-yes': 'true',
      'set-cookie': ['a=1; HttpOnly', 'b=2'],
    });
    expect(headers).not.toHaveProperty('x-old');
    expect(raw.filter((name: string) => name.toLowerCase() === 'content-type')).toHaveLength(1);
  });

  test('carries a base64 body as the bytes that it encodes', async () => {
    const { headers, received } = await answerTo({
      statusCode: 200,
      headers: { 'content-type': 'image/png' },
      body: Buffer.from('bytes').toString('base64'),
      isBase64Encoded: true,
    });

    expect(received).toBe('bytes');
    expect(headers['content-length']).toBe('5');
  });

  test('is plain text where the function names no content type', async () => {
    const { headers } = await answerTo({ statusCode: 200, body: 'hello' });

    expect(headers['content-type']).toBe('text/plain;charset=utf-8');
  });

  test.each([
    ['an object', { a: 1 }, '{"a":1}'],
    ['an array', [1, 2], '[1,2]'],
    ['a string', 'hello', 'hello'],
    ['nothing', null, 'null'],
  ])('is a JSON 200 where the function returns %s without a status', async (_, result, body) => {
    const { status, headers, received } = await answerTo(result);

    expect({ status, received }).toEqual({ status: 200, received: body });
    expect(headers['content-type']).toBe('application/json');
  });

  test('has no body and no length where the status allows none', async () => {
    const { status, headers, received } = await answerTo({ statusCode: 204, body: 'ignored' });

    expect({ status, received }).toEqual({ status: 204, received: '' });
    expect(headers).not.toHaveProperty('content-length');
  });

  test('has the length of the body but not the body where the request was HEAD', async () => {
    const { status, headers, received } = await send('/v1/x/y', { method: 'HEAD' });

    expect({ status, received }).toEqual({ status: 200, received: '' });
    expect(Number(headers['content-length'])).toBeGreaterThan(100);
  });

  test.each([
    ['a status that is no number', { statusCode: 'fine', body: '' }],
    ['a status that is not final', { statusCode: 101 }],
    ['a status that does not exist', { statusCode: 1000 }],
    ['a body that is no text', { statusCode: 200, body: { a: 1 } }],
    ['a header that is a list', { statusCode: 200, headers: { a: ['1'] } }],
    ['a header that would split the answer', { statusCode: 200, headers: { a: '1\r\nb: 2' } }],
    ['a header name that is none', { statusCode: 200, headers: { 'a b': '1' } }],
    ['cookies that are no list', { statusCode: 200, cookies: 'a=1' }],
    ['a cookie that would split the answer', { statusCode: 200, cookies: ['a\r\nb: 2'] }],
  ])('is a 500 where the function returns %s', async (_, result) => {
    const { status, received } = await answerTo(result);

    expect({ status, received }).toEqual({
      status: 500,
      received: '{"message":"Internal Server Error"}',
    });
  });
});

describe('a function that fails', () => {
  test('is answered 500 when it returns more than 6 MB', async () => {
    expect((await send('/v1/x/y?ask=large')).status).toBe(500);
  });

  test.each(['throw', 'exit', 'crash'])(
    'is answered 500 when it ends by "%s", and the next request works',
    async (ask) => {
      const { status, received } = await send(`/v1/x/y?ask=${ask}`);

      expect({ status, received }).toEqual({
        status: 500,
        received: '{"message":"Internal Server Error"}',
      });
      expect((await send('/v1/x/y')).status).toBe(200);
    },
  );

  test('is not invoked for more requests than its route lets in', async () => {
    let invocations = 0;
    const throttled = await startGateway({
      port: 0,
      routes: [
        {
          key: 'ANY /{rest+}',
          functionName: 'sample',
          throttle: { requestsPerSecond: 0.001, burst: 2 },
        },
      ],
      invoke: async () => `{"count":${(invocations += 1)}}`,
    });
    const answers = [];
    for (let count = 0; count < 3; count += 1) {
      const answer = await fetch(`http://127.0.0.1:${throttled.port}/v1`);
      answers.push([answer.status, answer.headers.get('retry-after'), await answer.text()]);
    }
    await throttled.close(0);

    expect(answers).toEqual([
      [200, null, '{"count":1}'],
      [200, null, '{"count":2}'],
      [429, null, '{"message":"Too Many Requests"}'],
    ]);
    expect(invocations).toBe(2);
  });

  test('is invoked for calls while pages, documents and unknown addresses are flooded', async () => {
    const stage = { requestsPerSecond: 0.001, burst: 3 };
    const service = await startGateway({
      port: 0,
      // Each route of the service as on AWS, but for the numbers.
      routes: Object.entries(functions).flatMap(([functionName, { routes }]) =>
        routes.map((key) => ({ key, functionName, throttle: stage })),
      ),
      invoke: async (functionName) => JSON.stringify({ functionName }),
    });
    const statuses = async (path: string, count: number) => {
      const found: number[] = [];
      for (let sent = 0; sent < count; sent += 1) {
        found.push((await fetch(`http://127.0.0.1:${service.port}${path}`)).status);
      }
      return found;
    };
    const flooded = [200, 200, 200, 429];

    expect(await statuses('/v1/console/servers', 4)).toEqual(flooded);
    expect(await statuses('/wp-login.php', 4)).toEqual(flooded);
    expect(await statuses('/v1/mcp-router/pets/docs', 4)).toEqual(flooded);
    expect(await statuses('/v1/mcp-router/pets/messages', 3)).toEqual([200, 200, 200]);
    await service.close(0);
  });

  test('is answered 503 when it does not return in time', async () => {
    const impatient = await startGateway({
      port: 0,
      routes: [{ key: 'ANY /{rest+}', functionName: 'sample' }],
      invoke: () => new Promise(() => undefined),
      integrationTimeoutMs: 20,
    });
    const answer = await fetch(`http://127.0.0.1:${impatient.port}/v1`);
    const body = await answer.text();
    await impatient.close(0);

    expect({ status: answer.status, body }).toEqual({
      status: 503,
      body: '{"message":"Service Unavailable"}',
    });
  });
});

describe('the gateway', () => {
  const host = (name: string) => ({
    headers: { host: name.replace('PORT', String(gateway.port)) },
  });

  test.each(['127.0.0.1:PORT', 'localhost:PORT', 'LOCALHOST:PORT', '[::1]:PORT'])(
    'accepts requests to the host %s',
    async (name) => {
      expect((await send('/v1/x/y', host(name))).status).toBe(200);
    },
  );

  test.each([
    'evil.example',
    'evil.example:PORT',
    'localhost.evil.example:PORT',
    '127.0.0.1.evil.example:PORT',
    'localhost',
    'localhost:1',
    '0.0.0.0:PORT',
    'user@localhost:PORT',
  ])(
    'refuses requests to the host "%s", which a page elsewhere could have bound to loopback',
    async (name) => {
      const { status, received } = await send('/v1/x/y', host(name));

      expect(status).toBe(403);
      expect(received).toContain('answers only to its own host and port');
    },
  );

  test.each([
    ['a broken escape', '/v1/x/%zz'],
    ['an escape that is no UTF-8', '/v1/x/%ff'],
    ['an address of another server', 'http://evil.example/v1/x/y'],
    ['a target that is no path', '*'],
  ])('refuses %s in the request line', async (_, path) => {
    const { status, received } = await send(path, { method: 'OPTIONS' });

    expect({ status, received }).toEqual({ status: 400, received: '{"message":"Bad Request"}' });
  });

  const pad = (path: string, total: number) => {
    const fixed = `GET ${path} HTTP/1.1`.length + `127.0.0.1:${gateway.port}`.length;
    return {
      headers: { connection: 'close', 'x-pad': 'a'.repeat(total - fixed - 'close'.length) },
    };
  };

  test('refuses more than 10,240 bytes of request line and header values, and not one byte less', async () => {
    expect((await send('/v1/x/y', pad('/v1/x/y', 10_240))).status).toBe(200);

    const { status, received } = await send('/v1/x/y', pad('/v1/x/y', 10_241));
    expect({ status, received }).toEqual({
      status: 431,
      received: '{"message":"Request Header Fields Too Large"}',
    });
  });

  test('refuses headers that are larger by far', async () => {
    expect((await send('/v1/x/y', pad('/v1/x/y', 60_000))).status).toBe(431);
  });

  test.each([
    ['of 10 MB and a byte', 10 * 1024 * 1024 + 1, 'application/json'],
    ['that makes an event larger than 6 MB', 6_291_456, 'application/json'],
    ['that makes an event larger than 6 MB as base64', 4_800_000, 'application/pdf'],
  ])('refuses a body %s', async (_, bytes, type) => {
    const { status, received } = await send('/v1/x/y', {
      method: 'POST',
      headers: { 'content-type': type },
      body: Buffer.alloc(bytes, 'a'),
    });

    expect({ status, received }).toEqual({
      status: 413,
      received: '{"message":"Request Entity Too Large"}',
    });
  });

  test('accepts a body of 4 MB', async () => {
    const { status } = await send('/v1/x/y?ask=count', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.alloc(4 * 1024 * 1024, 'a'),
    });

    expect(status).toBe(200);
  });

  test('refuses what is no HTTP request', async () => {
    const socket = connect(gateway.port, '127.0.0.1');
    socket.end('hello\r\n\r\n');

    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[^]*"Bad Request"/);
  });
});

describe('a client that closes its connection', () => {
  const headOf = (more: string) =>
    `POST /v1/x/y?ask=wait HTTP/1.1\r\nhost: 127.0.0.1:${gateway.port}\r\n${more}\r\n`;

  test.each([
    ['in the middle of its request', 'content-length: 100\r\n'],
    ['while its answer is awaited', ''],
  ])('%s disturbs no other request', async (_, more) => {
    const socket = connect(gateway.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(headOf(more));
    await send('/v1/x/y');
    socket.resetAndDestroy();

    expect((await send('/v1/x/y')).status).toBe(200);
  });
});

describe('closing the gateway', () => {
  const aGateway = async () => {
    const entered = Promise.withResolvers<void>();
    const release = Promise.withResolvers<string>();
    const closing = await startGateway({
      port: 0,
      routes: [{ key: 'ANY /{rest+}', functionName: 'sample' }],
      invoke: () => {
        entered.resolve();
        return release.promise;
      },
    });
    return { closing, entered: entered.promise, release: release.resolve };
  };

  test('lets requests under way finish, and takes no new ones', async () => {
    const { closing, entered, release } = await aGateway();
    const url = `http://127.0.0.1:${closing.port}/v1`;
    const underWay = fetch(url);
    await entered;
    const closed = closing.close(60_000);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
    release('"done"');

    expect(await (await underWay).text()).toBe('done');
    await closed;
  });

  test('closes connections whose requests take longer than the grace period', async () => {
    const { closing, entered } = await aGateway();
    const underWay = fetch(`http://127.0.0.1:${closing.port}/v1`);
    await entered;
    await Promise.all([closing.close(20), expect(underWay).rejects.toThrow('fetch failed')]);
  });
});

describe('a throttle', () => {
  test('lets a burst in, then so many a second, and never saves more than a burst', () => {
    const letsIn = tokenBucket({ requestsPerSecond: 2, burst: 3 });
    const at = (ms: number, count: number) => Array.from({ length: count }, () => letsIn(ms));

    expect(at(0, 4)).toEqual([true, true, true, false]);
    expect(at(500, 2)).toEqual([true, false]);
    expect(at(60_000, 4)).toEqual([true, true, true, false]);
  });
});
