import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type OwnerApi, signInOwner } from '../../local/run/owner.ts';
import { openSample } from '../../local/run/sample.ts';
import { aDescription } from '../support/openapi/descriptions.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

let service: WholeService;
let folders: string;
beforeAll(async () => {
  folders = await mkdtemp(join(tmpdir(), 'hosted-mcp-samples-'));
  service = await startWholeService({ endpoints_per_deployment: 7 });
});
afterAll(async () => {
  await service.stop();
  await rm(folders, { recursive: true });
});

let api: OwnerApi;
let dataFolder: string;
beforeEach(async () => {
  dataFolder = await mkdtemp(join(folders, 'data-'));
  const owner = await service.person();
  const signedIn = await signInOwner(service.baseUrl, owner);
  if (!signedIn) throw new Error('nobody is signed in');
  api = signedIn;
});

/** What a start does about the sample, at the address where its API is then. */
const start = (sampleApiUrl = service.sampleApiUrl) => openSample(api, dataFolder, sampleApiUrl);

const deployments = async () => {
  const { body } = await api('GET', '/deployments');
  const { items } = body as {
    items: readonly { slug: string; name: string; version: number; api_base_url: string }[];
  };
  return items.map(({ slug, name, version, api_base_url: url }) => ({ slug, name, version, url }));
};

const isCallable = async (mcpUrl = ''): Promise<boolean> => {
  const params = { name: 'listBooks', arguments: { limit: 1 } };
  const answer = await service.fetch(mcpUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const { result } = (await answer.json()) as { result?: { isError?: boolean } };
  return result !== undefined && result.isError !== true;
};

describe('the sample of the local run', () => {
  test('is found again after a start that was killed before it could note it', async () => {
    await start();
    await rm(join(dataFolder, 'sample.json'));
    await start();

    expect(await deployments()).toMatchObject([{ slug: 'sample', version: 1 }]);
  });

  test('takes another name where its own is taken, as by an earlier version for nobody', async () => {
    const sample = await start();
    await start();

    expect(sample?.slug).toBe('sample-bookshop');
    expect(await deployments()).toMatchObject([{ slug: 'sample-bookshop', version: 1 }]);
    expect(await isCallable(sample?.mcpUrl)).toBe(true);
  });

  test('is one deployment of the owner, however often the service is started', async () => {
    const first = await start();
    const again = await start();

    expect(again).toEqual(first);
    expect(first).toMatchObject({ toolCount: 7, authMethod: 'none' });
    expect(await deployments()).toMatchObject([{ slug: first?.slug, version: 1 }]);
    expect(await isCallable(first?.mcpUrl)).toBe(true);
  });

  test('stays what the owner has made of it, and follows its API to another port', async () => {
    const { slug } = (await start('http://127.0.0.1:9')) ?? {};
    await api('PATCH', `/deployments/${slug}`, {
      name: 'My books',
      mcp_auth_method: 'oauth',
      operations: { include: [], exclude: ['placeOrder'] },
    });
    const followed = await start();

    expect(followed).toMatchObject({ slug, toolCount: 6, authMethod: 'oauth' });
    expect(await deployments()).toMatchObject([
      { slug, name: 'My books', version: 3, url: service.sampleApiUrl },
    ]);
  });

  test('stays away once the owner has removed it', async () => {
    const { slug } = (await start()) ?? {};
    await api('DELETE', `/deployments/${slug}`);

    expect(await start()).toBeUndefined();
    expect(await deployments()).toEqual([]);
  });

  test('is left alone once the owner has put another API in its place', async () => {
    const { slug } = (await start()) ?? {};
    const url = 'https://pets.example.com';
    await api('PATCH', `/deployments/${slug}`, { openapi: aDescription(), api_base_url: url });

    expect(await start('http://127.0.0.1:9')).toBeUndefined();
    expect(await deployments()).toMatchObject([{ slug, version: 2, url: `${url}/v1` }]);
  });

  test('is reported where the limits leave no place for it', async () => {
    for (let made = 0; made < 3; made += 1)
      await api('POST', '/deployments', { openapi: aDescription() });

    await expect(start()).rejects.toThrow(/^The description of the sample was not published: /);
    expect(await deployments()).toHaveLength(3);
  });
});
