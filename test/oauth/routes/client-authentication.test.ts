import { afterAll, describe, expect, test } from '@jest/globals';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import { anOAuthService, type TestCode } from '../../support/oauth/oauth.ts';
import { inOrder } from '../../../layers/mcp/steps/answer-rpc.ts';
import {
  answered,
  basic,
  bodyOf,
  exchangeOf,
  form,
  jsonPost,
  refreshOf,
  type Tokens,
} from '../../support/oauth/oauth-requests.ts';
import { EVENT_LINE } from '../../support/event-line.ts';

const service = await anOAuthService({ limits: { token_per_minute_per_client: 10 } });
afterAll(() => service.stop());

type Method = 'client_secret_post' | 'client_secret_basic' | 'none';

const codeOf = async (authMethod: Method): Promise<TestCode> => {
  const secret = authMethod === 'none' ? {} : { secret: fingerprint('secret_1') };
  const { id } = await service.client({ authMethod, ...secret });
  return service.code({}, { clientId: id });
};

const SECRET = { client_secret: 'secret_1' };
const NO_ID = { client_id: undefined };

describe('client authentication at /token', () => {
  test('accepts a public client without a secret', async () => {
    const code = await codeOf('none');

    expect((await service.send(form('/token', exchangeOf(code)))).statusCode).toBe(200);
  });

  test('accepts a client with its secret in the body', async () => {
    const code = await codeOf('client_secret_post');

    const reply = await service.send(form('/token', exchangeOf(code, SECRET)));

    expect(reply.statusCode).toBe(200);
  });

  test('accepts a client with its secret in HTTP Basic', async () => {
    const code = await codeOf('client_secret_basic');
    const header = basic(code.grant.clientId, 'secret_1');

    const reply = await service.send(form('/token', exchangeOf(code, NO_ID), header));

    expect(reply.statusCode).toBe(200);
  });

  test.each<[string, Method, Record<string, string | undefined>, string | undefined]>([
    ['in HTTP Basic instead of the body', 'client_secret_post', NO_ID, 'secret_1'],
    ['in HTTP Basic beside its id', 'client_secret_post', {}, 'secret_1'],
    ['in the body instead of HTTP Basic', 'client_secret_basic', SECRET, undefined],
  ])('accepts a client with its secret %s', async (_, method, over, headerSecret) => {
    const code = await codeOf(method);
    const header = headerSecret === undefined ? {} : basic(code.grant.clientId, headerSecret);

    const reply = await service.send(form('/token', exchangeOf(code, over), header));

    expect(reply.statusCode).toBe(200);
  });

  test.each<[string, Method, Record<string, string | undefined>, string | undefined]>([
    ['no client id', 'none', NO_ID, undefined],
    ['a secret from a public client', 'none', SECRET, undefined],
    ['no secret', 'client_secret_post', {}, undefined],
    ['another secret', 'client_secret_post', { client_secret: 'secret_2' }, undefined],
    ['a secret in HTTP Basic from a public client', 'none', NO_ID, 'secret_1'],
    ['another secret in the other place', 'client_secret_post', NO_ID, 'secret_2'],
    ['no secret where it has one for HTTP Basic', 'client_secret_basic', {}, undefined],
    ['its secret twice', 'client_secret_basic', SECRET, 'secret_1'],
    ['another secret in HTTP Basic', 'client_secret_basic', NO_ID, 'secret_2'],
    ['another id in the body', 'client_secret_basic', { client_id: 'mcp_other' }, 'secret_1'],
    ['a client assertion', 'none', { client_assertion: 'ey' }, undefined],
  ])('refuses %s and keeps the code unused', async (_, method, over, headerSecret) => {
    const code = await codeOf(method);
    const header = headerSecret === undefined ? {} : basic(code.grant.clientId, headerSecret);

    const refused = await service.send(form('/token', exchangeOf(code, over), header));

    expect(answered(refused)).toEqual({ status: 401, error: 'invalid_client' });
    const right = method === 'client_secret_basic' ? basic(code.grant.clientId, 'secret_1') : {};
    const sent = exchangeOf(code, method === 'client_secret_post' ? SECRET : {});
    expect((await service.send(form('/token', sent, right))).statusCode).toBe(200);
  });

  test.each([
    ['unknown', 'mcp_00000000-0000-4000-8000-000000000000'],
    ['of another format', 'client-1'],
    ['longer than any key', `mcp_${'a'.repeat(4000)}`],
    ['full of NULs', 'mcp_\0\0'],
    ['half a surrogate pair', 'mcp_\ud800'],
  ])('refuses a client id that is %s', async (_, id) => {
    const code = await codeOf('none');

    const refused = await service.send(jsonPost('/token', exchangeOf(code, { client_id: id })));

    expect(answered(refused)).toEqual({ status: 401, error: 'invalid_client' });
  });

  test('challenges with Basic only a client that tried HTTP Basic', async () => {
    const code = await codeOf('client_secret_basic');
    const tried = await service.send(
      form('/token', exchangeOf(code), basic(code.grant.clientId, 'wrong')),
    );
    const other = await service.send(form('/token', exchangeOf(code)));

    expect(tried.headers).toMatchObject({ 'www-authenticate': 'Basic realm="mcp"' });
    expect(other.headers).not.toHaveProperty('www-authenticate');
  });

  test('answers every failure with the same body', async () => {
    const [code, unknown] = [await codeOf('client_secret_post'), { client_id: 'mcp_x' }];
    const bodies = await Promise.all(
      [{}, { client_secret: 'wrong' }, unknown].map(async (over) => {
        const { body } = await service.send(form('/token', exchangeOf(code, over)));
        return body;
      }),
    );

    expect(new Set(bodies).size).toBe(1);
  });

  test('logs a failure as a security event without the secret that was sent', async () => {
    const code = await codeOf('client_secret_post');

    await service.send(form('/token', exchangeOf(code, { client_secret: 'a-guess' })));

    expect(service.lines).toContainEqual({
      ...EVENT_LINE,
      type: 'security',
      event: 'client_authentication_failed',
      subject: code.grant.clientId,
      why: 'A client: wrong secret',
    });
    expect(JSON.stringify(service.lines)).not.toContain('a-guess');
  });
});

describe('the rate limit of /token', () => {
  const spend = (code: TestCode, times: number, over = {}, sourceIp?: string) =>
    Promise.all(
      Array.from({ length: times }, () => {
        const event = form('/token', exchangeOf(code, { code: 'mcp_code_x', ...over }));
        const { http, ...context } = event.requestContext;
        return service.send({
          ...event,
          requestContext: { ...context, http: { ...http, ...(sourceIp && { sourceIp }) } },
        });
      }),
    );

  test('allows ten requests of a client from an address in a minute and refuses the eleventh', async () => {
    const code = await codeOf('none');
    service.clock.time += 20;

    const replies = await spend(code, 11, {}, '192.0.2.3');

    service.clock.time -= 20;
    const statuses = replies.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 400)).toHaveLength(10);
    expect(replies.find(({ statusCode }) => statusCode === 429)).toMatchObject({
      headers: { 'retry-after': '40', 'cache-control': 'no-store' },
      body: expect.stringContaining('"error":"too_many_requests"'),
    });
  });

  test('allows requests again in the next minute', async () => {
    const code = await codeOf('none');
    await spend(code, 10, {}, '192.0.2.4');

    service.clock.time += 60;
    const [reply] = await spend(code, 1, { code: code.text }, '192.0.2.4');
    service.clock.time -= 60;

    expect(reply?.statusCode).toBe(200);
  });

  test('counts each client separately', async () => {
    await spend(await codeOf('none'), 10, {}, '192.0.2.5');
    const other = await codeOf('none');

    const [reply] = await spend(other, 1, { code: other.text }, '192.0.2.5');
    expect(reply?.statusCode).toBe(200);
  });

  test('does not let requests of others in its name shut a public client out', async () => {
    const code = await codeOf('none');
    await spend(code, 11, {}, '192.0.2.6');

    expect((await service.send(form('/token', exchangeOf(code)))).statusCode).toBe(200);
  });

  test.each(['none', 'client_secret_post'] as const)(
    'counts each user of a client apart, over all addresses: %s',
    async (method) => {
      const secret = method === 'none' ? {} : SECRET;
      const mine = await codeOf(method);
      const theirs = await service.code({}, { clientId: mine.grant.clientId });
      const wrong = { ...secret, code: mine.text, code_verifier: 'b'.repeat(43) };

      const spent = await spend(mine, 11, wrong);
      const [reply] = await spend(theirs, 1, { ...secret, code: theirs.text }, '192.0.2.7');

      expect(spent.filter(({ statusCode }) => statusCode === 429)).toHaveLength(1);
      expect(reply?.statusCode).toBe(200);
    },
  );

  test.each<[string, string | undefined, object]>([
    ['a registered one', undefined, SECRET],
    ['one with a document', 'https://hosted.example.com/client.json', {}],
  ])(
    'lets all users of a hosted client in from one address, whatever strangers show there: %s',
    async (_, documentId, secret) => {
      const { clientId } =
        documentId === undefined
          ? (await codeOf('client_secret_post')).grant
          : { clientId: documentId };
      const address = documentId === undefined ? '192.0.2.20' : '192.0.2.21';
      const codes = await inOrder(Array.from({ length: 60 }), 5, () =>
        service.code({}, { clientId }),
      );
      const [first] = codes;
      const strangers = await spend(first!, 12, secret, address);

      const statuses = await inOrder(codes, 5, async (code) => {
        const [reply] = await spend(code, 1, { ...secret, code: code.text }, address);
        const tokens = bodyOf(reply!) as unknown as Tokens;
        const event = form('/token', refreshOf(code, tokens, { ...secret }));
        const { http, ...context } = event.requestContext;
        const again = await service.send({
          ...event,
          requestContext: { ...context, http: { ...http, sourceIp: address } },
        });
        return [reply?.statusCode, again.statusCode];
      });

      expect(strangers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(2);
      expect(new Set(statuses.flat())).toEqual(new Set([200]));
    },
  );

  test('does not let wrong secrets from others lock a client out', async () => {
    const code = await codeOf('client_secret_post');

    const guesses = await spend(code, 11, { client_secret: 'wrong' }, '192.0.2.1');

    expect(guesses.map(({ statusCode }) => statusCode).sort()).toEqual([
      ...Array(10).fill(401),
      429,
    ]);
    const reply = await service.send(form('/token', exchangeOf(code, SECRET)));
    expect(reply.statusCode).toBe(200);
  });

  test('counts each user of a client with a metadata document separately', async () => {
    const clientId = 'https://app.example.com/client.json';
    const mine = await service.code({}, { clientId });
    const theirs = await service.code({}, { clientId });
    const wrong = { code_verifier: 'b'.repeat(43) };

    const spent = await spend(mine, 11, { code: mine.text, ...wrong });

    expect(spent.filter(({ statusCode }) => statusCode === 429)).toHaveLength(1);
    expect((await service.send(form('/token', exchangeOf(theirs)))).statusCode).toBe(200);
  });

  test('counts by address the requests without a valid code of a client with a document', async () => {
    const clientId = 'https://app.example.com/shared.json';
    const code = await service.code({}, { clientId });

    const spent = await spend(code, 11, {}, '192.0.2.2');

    expect(spent.filter(({ statusCode }) => statusCode === 429)).toHaveLength(1);
    expect((await service.send(form('/token', exchangeOf(code)))).statusCode).toBe(200);
  });
});

describe('a client with a metadata document', () => {
  const clientId = 'https://app.example.com/client.json';

  test('gets tokens for its own codes without a fetch of its document', async () => {
    const code = await service.code({}, { clientId });

    expect((await service.send(form('/token', exchangeOf(code)))).statusCode).toBe(200);
  });

  test('gets no tokens for codes of another client or with a secret', async () => {
    const code = await codeOf('none');
    const own = await service.code({}, { clientId });

    const foreign = await service.send(form('/token', exchangeOf(code, { client_id: clientId })));
    const secret = await service.send(form('/token', exchangeOf(own, SECRET)));

    expect(answered(foreign)).toEqual({ status: 400, error: 'invalid_grant' });
    expect(answered(secret)).toEqual({ status: 401, error: 'invalid_client' });
  });
});
