import { afterAll, describe, expect, test } from '@jest/globals';
import { anOAuthService, type TestCode } from '../../support/oauth/oauth.ts';
import {
  answered,
  basic,
  form,
  jsonPost,
  opens,
  redeem,
  refreshOf,
  type Tokens,
} from '../../support/oauth/oauth-requests.ts';

const service = await anOAuthService();
afterAll(() => service.stop());

const begun = async (): Promise<[TestCode, Tokens]> => {
  const code = await service.code();
  return [code, await redeem(service, code)];
};

const refreshes = async (code: TestCode, tokens: Tokens): Promise<boolean> =>
  (await service.send(form('/token', refreshOf(code, tokens)))).statusCode === 200;

describe('POST /revoke', () => {
  test('with a refresh token ends refreshing but not the access tokens', async () => {
    const [code, tokens] = await begun();

    const reply = await service.send(form('/revoke', { token: tokens.refresh_token }));

    expect(reply).toMatchObject({
      statusCode: 200,
      body: '',
      headers: { 'cache-control': 'no-store' },
    });
    expect(reply.headers).not.toHaveProperty('content-type');
    expect(await refreshes(code, tokens)).toBe(false);
    expect(await opens(service, tokens.access_token)).toBe(true);
  });

  test('with an access token revokes that token only', async () => {
    const [code, tokens] = await begun();

    await service.send(form('/revoke', { token: tokens.access_token }));

    expect(await opens(service, tokens.access_token)).toBe(false);
    expect(await refreshes(code, tokens)).toBe(true);
  });

  test('accepts a JSON body', async () => {
    const [code, tokens] = await begun();
    const sent = { token: tokens.refresh_token, token_type_hint: 'refresh_token' };

    expect((await service.send(jsonPost('/revoke', sent))).statusCode).toBe(200);
    expect(await refreshes(code, tokens)).toBe(false);
  });

  test('ignores a wrong token_type_hint', async () => {
    const [, tokens] = await begun();
    const sent = { token: tokens.access_token, token_type_hint: 'refresh_token' };

    await service.send(form('/revoke', sent));

    expect(await opens(service, tokens.access_token)).toBe(false);
  });

  test('with a refresh token also revokes its successors', async () => {
    const [code, tokens] = await begun();
    const reply = await service.send(form('/token', refreshOf(code, tokens)));
    const next: Tokens = JSON.parse(reply.body);

    await service.send(form('/revoke', { token: tokens.refresh_token }));

    expect(await refreshes(code, next)).toBe(false);
  });

  test('accepts the client id of the token itself', async () => {
    const [code, tokens] = await begun();
    const { clientId } = code.grant;

    await service.send(
      form('/revoke', { token: tokens.access_token, client_id: clientId }, basic(clientId, 'x')),
    );

    expect(await opens(service, tokens.access_token)).toBe(false);
  });
});

describe('POST /revoke without an effect', () => {
  test.each<
    [string, (clientId: string) => [Record<string, string>, Record<string, string | undefined>]]
  >([
    ['another client in the body', () => [{ client_id: 'mcp_other' }, {}]],
    ['another client in the header', () => [{}, basic('mcp_other', 'x')]],
    ['two clients', (id) => [{ client_id: id }, basic('mcp_other', 'x')]],
  ])('is answered with success where the request names %s', async (_, named) => {
    const [code, tokens] = await begun();
    const [body, headers] = named(code.grant.clientId);

    for (const token of [tokens.access_token, tokens.refresh_token]) {
      const reply = await service.send(form('/revoke', { token, ...body }, headers));
      expect(reply).toMatchObject({ statusCode: 200, body: '' });
    }

    expect(await opens(service, tokens.access_token)).toBe(true);
    expect(await refreshes(code, tokens)).toBe(true);
  });

  test.each([
    'mcp_access_00000000-0000-4000-8000-000000000000',
    'mcp_refresh_unknown',
    'ey.ey.x',
    'x',
    ' ',
    '\0',
    'a'.repeat(50_000),
  ])('is answered with success for an unknown token', async (token) => {
    expect(await service.send(form('/revoke', { token }))).toMatchObject({
      statusCode: 200,
      body: '',
    });
  });

  test('is answered with success for a token that is revoked already', async () => {
    const [, { access_token: token }] = await begun();
    await service.send(form('/revoke', { token }));

    expect(await service.send(form('/revoke', { token }))).toMatchObject({ statusCode: 200 });
  });
});

describe('an invalid request to POST /revoke', () => {
  test.each([
    ['without a token', form('/revoke', {})],
    ['with an empty token', form('/revoke', { token: '' })],
    ['with two tokens', form('/revoke', 'token=a&token=b')],
    ['with a token that is not a string', jsonPost('/revoke', { token: ['a'] })],
    ['with a token of null', jsonPost('/revoke', { token: null })],
    ['with a plain text body', form('/revoke', 'token=a', { 'content-type': 'text/plain' })],
  ])('is refused %s', async (_, event) => {
    expect(answered(await service.send(event))).toEqual({ status: 400, error: 'invalid_request' });
  });
});
