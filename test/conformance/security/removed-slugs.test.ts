import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SAMPLE_DESCRIPTION } from '../../../local/sample/index.ts';
import {
  type Person,
  startWholeService,
  type WholeService,
} from '../../support/service/whole-service.ts';

let service: WholeService;
let openapi: string;
beforeAll(async () => {
  service = await startWholeService();
  openapi = await readFile(SAMPLE_DESCRIPTION, 'utf8');
});
afterAll(() => service.stop());

const api = (method: string, path: string, token: string, body?: object): Promise<Response> =>
  service.fetch(`${service.baseUrl}/mcp-management${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    ...(body && { body: JSON.stringify(body) }),
  });

const signIn = async ({ email, password }: Person): Promise<string> => {
  const answer = await api('POST', '/sessions', '', { email, password });
  return ((await answer.json()) as { access_token: string }).access_token;
};

const deploy = (token: string, slug: string) =>
  api('POST', '/deployments', token, {
    openapi,
    slug,
    mcp_auth_method: 'none',
    api_base_url: 'https://api.example.com',
  });

describe('a stranger who waits for the slug of a removed deployment', () => {
  test('does not get it, by the management API or by a command, and clients find nothing there', async () => {
    const [owner, stranger] = [await service.person(), await service.person()];
    const [owners, strangers] = [await signIn(owner), await signIn(stranger)];
    expect((await deploy(owners, 'well-known')).status).toBe(201);
    expect((await api('DELETE', '/deployments/well-known', owners)).status).toBe(204);

    const refused = await deploy(strangers, 'well-known');
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({
      code: 'slug_taken',
      detail: expect.stringContaining('stays reserved for its former owner until'),
    });
    await expect(service.publish(stranger, { slug: 'well-known' })).rejects.toThrow('slug_taken');
    const health = await service.fetch(`${service.baseUrl}/mcp-router/well-known/health`);
    expect(health.status).toBe(404);
    expect((await deploy(owners, 'well-known')).status).toBe(201);
  });

  test('does not get it when the account is gone as well', async () => {
    const [owner, stranger] = [await service.person(), await service.person()];
    const owners = await signIn(owner);
    expect((await deploy(owners, 'left-behind')).status).toBe(201);
    expect((await api('DELETE', '/account', owners)).status).toBe(204);

    expect((await deploy(await signIn(stranger), 'left-behind')).status).toBe(409);
  });
});
