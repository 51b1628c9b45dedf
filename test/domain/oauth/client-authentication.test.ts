import { describe, expect, test } from '@jest/globals';
import {
  authenticationFault,
  readPresentedClient,
} from '../../../layers/core/domain/oauth/client-authentication.ts';
import { fingerprint } from '../../../layers/core/domain/oauth/records.ts';

const parameters = (sent: Readonly<Record<string, unknown>>) =>
  new Map(Object.entries(sent).map(([name, value]) => [name, [value]]));

const basic = (credentials: string | Uint8Array) =>
  `Basic ${Buffer.from(credentials).toString('base64')}`;

describe('a client shows itself (K1, D20)', () => {
  test('by its id alone', () => {
    expect(readPresentedClient(undefined, parameters({ client_id: 'mcp_1' }))).toEqual({
      id: 'mcp_1',
      method: 'none',
    });
  });

  test('by a secret in the body', () => {
    const sent = parameters({ client_id: 'mcp_1', client_secret: 'secret_1' });

    expect(readPresentedClient(undefined, sent)).toEqual({
      id: 'mcp_1',
      method: 'client_secret_post',
      secret: fingerprint('secret_1'),
    });
  });

  test.each([
    ['plain', basic('mcp_1:secret_1')],
    ['with the scheme in small letters', basic('mcp_1:secret_1').replace('Basic', 'basic')],
    ['with spaces around', ` ${basic('mcp_1:secret_1')} `],
    ['form-encoded', basic('mcp%5F1:secret%5f1')],
  ])('by HTTP Basic, %s', (_, header) => {
    expect(readPresentedClient(header, parameters({}))).toEqual({
      id: 'mcp_1',
      method: 'client_secret_basic',
      secret: fingerprint('secret_1'),
    });
  });

  test('by a secret with every sign in it, form-encoded', () => {
    const secret = 'a b+c%d:e&ü';
    const header = basic(`mcp_1:${encodeURIComponent(secret).replaceAll('%20', '+')}`);

    expect(readPresentedClient(header, parameters({}))).toMatchObject({
      secret: fingerprint(secret),
    });
  });

  test('by HTTP Basic, and the same id in the body', () => {
    const sent = parameters({ client_id: 'mcp_1' });

    expect(readPresentedClient(basic('mcp_1:secret_1'), sent)).toMatchObject({ id: 'mcp_1' });
  });

  test.each<[string, string | undefined, Readonly<Record<string, unknown>>]>([
    ['nothing', undefined, {}],
    ['an empty id', undefined, { client_id: '' }],
    ['a secret without an id', undefined, { client_secret: 'secret_1' }],
    ['two methods', basic('mcp_1:secret_1'), { client_id: 'mcp_1', client_secret: 'secret_1' }],
    ['two ids', basic('mcp_1:secret_1'), { client_id: 'mcp_2' }],
    ['a bearer token', 'Bearer mcp_access_1', { client_id: 'mcp_1' }],
    ['two headers', `${basic('mcp_1:secret_1')}, ${basic('mcp_1:secret_1')}`, {}],
    ['Basic with nothing', 'Basic', { client_id: 'mcp_1' }],
    ['Basic with no base64', 'Basic mcp_1:secret_1', {}],
    ['Basic without a colon', basic('mcp_1'), {}],
    ['Basic without an id', basic(':secret_1'), {}],
    ['Basic that is no UTF-8', basic(Uint8Array.of(0xff, 0x3a, 0x61)), {}],
    ['Basic with a broken percent sign', basic('mcp_1:secret%zz'), {}],
    ['Basic with percents that are no UTF-8', basic('mcp_1:secret%ff'), {}],
    ['an assertion', undefined, { client_id: 'mcp_1', client_assertion: 'ey' }],
    ['a kind of assertion', undefined, { client_id: 'mcp_1', client_assertion_type: 'urn:x' }],
  ])('in vain with %s', (_, authorization, sent) => {
    expect(() => readPresentedClient(authorization, parameters(sent))).toThrow(
      expect.objectContaining({ code: 'invalid_client' }),
    );
  });

  test('is challenged in the scheme it tried (D23)', () => {
    expect(() => readPresentedClient('Basic x', parameters({}))).toThrow(
      expect.objectContaining({ details: { challenge: 'Basic' } }),
    );
    expect(() => readPresentedClient(undefined, parameters({}))).toThrow(
      expect.objectContaining({ details: {} }),
    );
  });
});

describe('a client that shows itself', () => {
  const secret = fingerprint('secret_1');
  const registered = { authMethod: 'client_secret_post', secret } as const;

  test('is it with its own secret', () => {
    const presented = { id: 'mcp_1', method: 'client_secret_post', secret } as const;

    expect(authenticationFault(presented, registered)).toBeUndefined();
  });

  test('is it with its id, if it is public', () => {
    expect(
      authenticationFault({ id: 'mcp_1', method: 'none' }, { authMethod: 'none' }),
    ).toBeUndefined();
  });

  test.each([
    ['another secret', 'client_secret_post', fingerprint('secret_2'), 'wrong secret'],
    ['its secret elsewhere', 'client_secret_basic', secret, 'another method than registered'],
    ['no secret', 'none', undefined, 'another method than registered'],
  ] as const)('is not it with %s (K1)', (_, method, shown, why) => {
    const presented = { id: 'mcp_1', method, ...(shown && { secret: shown }) };

    expect(authenticationFault(presented, registered)).toBe(why);
  });

  test('is not it with a secret, if it is public (K1)', () => {
    const presented = { id: 'mcp_1', method: 'client_secret_post', secret } as const;

    expect(authenticationFault(presented, { authMethod: 'none' })).toBe(
      'another method than registered',
    );
  });

  test('is not it, if its own secret was lost', () => {
    const presented = { id: 'mcp_1', method: 'client_secret_post', secret } as const;

    expect(authenticationFault(presented, { authMethod: 'client_secret_post' })).toBe(
      'wrong secret',
    );
  });
});
