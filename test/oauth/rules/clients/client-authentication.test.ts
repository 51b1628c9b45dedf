import { describe, expect, test } from '@jest/globals';
import {
  authenticationFault,
  readPresentedClient,
} from '../../../../layers/oauth/rules/clients/clients.ts';
import { fingerprint } from '../../../../layers/platform/rules/fingerprint.ts';

const parameters = (sent: Readonly<Record<string, unknown>>) =>
  new Map(Object.entries(sent).map(([name, value]) => [name, [value]]));

const basic = (credentials: string | Uint8Array) =>
  `Basic ${Buffer.from(credentials).toString('base64')}`;

describe('the client authentication that a request presents', () => {
  test('is only the client id for a public client', () => {
    expect(readPresentedClient(undefined, parameters({ client_id: 'mcp_1' }))).toEqual({
      id: 'mcp_1',
      method: 'none',
    });
  });

  test('may be a client secret in the body', () => {
    const sent = parameters({ client_id: 'mcp_1', client_secret: 'secret_1' });

    expect(readPresentedClient(undefined, sent)).toEqual({
      id: 'mcp_1',
      method: 'client_secret_post',
      secret: fingerprint('secret_1'),
    });
  });

  test.each([
    ['with plain credentials', basic('mcp_1:secret_1')],
    ['with the scheme in lower case', basic('mcp_1:secret_1').replace('Basic', 'basic')],
    ['with spaces around', ` ${basic('mcp_1:secret_1')} `],
    ['with form-encoded credentials', basic('mcp%5F1:secret%5f1')],
  ])('may be HTTP Basic, %s', (_, header) => {
    expect(readPresentedClient(header, parameters({}))).toEqual({
      id: 'mcp_1',
      method: 'client_secret_basic',
      secret: fingerprint('secret_1'),
    });
  });

  test('may contain any character in the secret, once it is form-encoded', () => {
    const secret = 'a b+c%d:e&ü';
    const header = basic(`mcp_1:${encodeURIComponent(secret).replaceAll('%20', '+')}`);

    expect(readPresentedClient(header, parameters({}))).toMatchObject({
      secret: fingerprint(secret),
    });
  });

  test('may repeat the client id of the HTTP Basic credentials in the body', () => {
    const sent = parameters({ client_id: 'mcp_1' });

    expect(readPresentedClient(basic('mcp_1:secret_1'), sent)).toMatchObject({ id: 'mcp_1' });
  });

  test.each<[string, string | undefined, Readonly<Record<string, unknown>>]>([
    ['no client id', undefined, {}],
    ['an empty client id', undefined, { client_id: '' }],
    ['a secret without a client id', undefined, { client_secret: 'secret_1' }],
    ['two methods', basic('mcp_1:secret_1'), { client_id: 'mcp_1', client_secret: 'secret_1' }],
    ['two different client ids', basic('mcp_1:secret_1'), { client_id: 'mcp_2' }],
    ['a bearer token', 'Bearer mcp_access_1', { client_id: 'mcp_1' }],
    ['two credentials in the header', `${basic('mcp_1:secret_1')}, ${basic('mcp_1:secret_1')}`, {}],
    ['Basic without credentials', 'Basic', { client_id: 'mcp_1' }],
    ['Basic with credentials that are not base64', 'Basic mcp_1:secret_1', {}],
    ['Basic without a colon', basic('mcp_1'), {}],
    ['Basic without an id', basic(':secret_1'), {}],
    ['Basic with credentials that are not UTF-8', basic(Uint8Array.of(0xff, 0x3a, 0x61)), {}],
    ['Basic with a broken percent sign', basic('mcp_1:secret%zz'), {}],
    ['Basic with percent-encoded bytes that are not UTF-8', basic('mcp_1:secret%ff'), {}],
    ['a client assertion', undefined, { client_id: 'mcp_1', client_assertion: 'ey' }],
    ['a client assertion type', undefined, { client_id: 'mcp_1', client_assertion_type: 'urn:x' }],
  ])('is refused for %s', (_, authorization, sent) => {
    expect(() => readPresentedClient(authorization, parameters(sent))).toThrow(
      expect.objectContaining({ code: 'invalid_client' }),
    );
  });

  test('is challenged with Basic only if the request tried HTTP Basic', () => {
    expect(() => readPresentedClient('Basic x', parameters({}))).toThrow(
      expect.objectContaining({ details: { challenge: 'Basic' } }),
    );
    expect(() => readPresentedClient(undefined, parameters({}))).toThrow(
      expect.objectContaining({ details: {} }),
    );
  });
});

describe('the authentication of a registered client', () => {
  const secret = fingerprint('secret_1');
  const registered = { authMethod: 'client_secret_post', secret } as const;

  test('succeeds with the secret of the client', () => {
    const presented = { id: 'mcp_1', method: 'client_secret_post', secret } as const;

    expect(authenticationFault(presented, registered)).toBeUndefined();
  });

  test.each(['client_secret_post', 'client_secret_basic'] as const)(
    'succeeds with its secret in either place: %s',
    (method) => {
      expect(authenticationFault({ id: 'mcp_1', method, secret }, registered)).toBeUndefined();
    },
  );

  test('succeeds with the client id alone for a public client', () => {
    expect(
      authenticationFault({ id: 'mcp_1', method: 'none' }, { authMethod: 'none' }),
    ).toBeUndefined();
  });

  test.each([
    ['another secret', 'client_secret_post', fingerprint('secret_2'), 'wrong secret'],
    ['another secret by HTTP Basic', 'client_secret_basic', fingerprint('x'), 'wrong secret'],
    ['no secret', 'none', undefined, 'another method than registered'],
  ] as const)('fails with %s', (_, method, shown, why) => {
    const presented = { id: 'mcp_1', method, ...(shown && { secret: shown }) };

    expect(authenticationFault(presented, registered)).toBe(why);
  });

  test('fails for a public client that sends a secret', () => {
    const presented = { id: 'mcp_1', method: 'client_secret_post', secret } as const;

    expect(authenticationFault(presented, { authMethod: 'none' })).toBe(
      'another method than registered',
    );
  });

  test('fails for a confidential client whose stored secret is missing', () => {
    const presented = { id: 'mcp_1', method: 'client_secret_post', secret } as const;

    expect(authenticationFault(presented, { authMethod: 'client_secret_post' })).toBe(
      'wrong secret',
    );
  });
});
