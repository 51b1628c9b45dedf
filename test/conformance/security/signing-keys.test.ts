import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import {
  type Person,
  type PublishedServer,
  startWholeService,
  type WholeService,
} from '../../support/service/whole-service.ts';

let service: WholeService;
let owner: Person;
let server: PublishedServer;
beforeAll(async () => {
  service = await startWholeService({ signing_key_notice_seconds: 1 });
  owner = await service.person();
  server = await service.publish(owner, { authMethod: 'jwt' });
});
afterAll(() => service.stop());

const rotate = () => service.operate({ operator: 'rotate-signing-key' }, 'oauth');

const keySet = async (): Promise<JSONWebKeySet> => {
  const answer = await service.fetch(`${service.issuer}/.well-known/jwks.json`);
  return (await answer.json()) as JSONWebKeySet;
};
/** Those of sessions, which come first, as many as of minted tokens. */
const kids = async () => {
  const all = (await keySet()).keys.map(({ kid }) => kid);
  return all.slice(0, all.length / 2);
};
const kidOf = (token: string) => decodeProtectedHeader(token).kid;

const session = async (): Promise<string> => {
  const answer = await service.fetch(`${service.baseUrl}/mcp-management/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: owner.email, password: owner.password }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
};
const mintedToken = async (): Promise<string> => {
  const command = { operator: 'mint-token', ownerId: owner.id, slug: server.slug };
  return (await service.operate(command))['token'] ?? '';
};

const withBearer = (token: string) => ({ authorization: `Bearer ${token}` });
const statusAtManagement = async (token: string): Promise<number> => {
  const headers = withBearer(token);
  return (await service.fetch(`${service.baseUrl}/mcp-management/account`, { headers })).status;
};
const statusAtServer = async (token: string): Promise<number> => {
  const answer = await service.fetch(server.messagesUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...withBearer(token) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
  return answer.status;
};

describe('the rotation of the signing key', () => {
  test('publishes the next key before it signs, and ends no token', async () => {
    const before = { session: await session(), minted: await mintedToken() };
    const first = kidOf(before.session);
    expect(await kids()).toEqual([first]);
    expect(await statusAtManagement(before.session)).toBe(200);
    expect(await statusAtServer(before.minted)).toBe(200);

    expect(await rotate()).toMatchObject({ step: 'published' });
    const [current, next] = await kids();
    expect([current, next]).toEqual([first, expect.any(String)]);
    expect(kidOf(await session())).toBe(first);

    let { step } = await rotate();
    while (step !== 'rotated') {
      expect(step).toBe('waiting');
      await setTimeout(250);
      ({ step } = await rotate());
    }
    const after = await session();
    expect(kidOf(after)).toBe(next);
    expect(await kids()).toEqual([next, first]);
    expect(await statusAtManagement(after)).toBe(200);
    expect(await statusAtManagement(before.session)).toBe(200);
    expect(await statusAtServer(before.minted)).toBe(200);
    for (const token of [before.session, before.minted, after]) {
      await expect(jwtVerify(token, createLocalJWKSet(await keySet()))).resolves.toBeDefined();
    }
  });

  test('is refused once no key is left that has not signed', async () => {
    await expect(rotate()).rejects.toThrow('limit_reached');
  });
});
