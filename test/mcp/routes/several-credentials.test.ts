import { afterAll, describe, expect, test } from '@jest/globals';
import { toToolIndex } from '../../../layers/openapi/tool-index.ts';
import {
  removeCredential,
  setCredential,
} from '../../../layers/servers/steps/credential/credential.ts';
import type { Credential } from '../../../layers/target/rules/credential.ts';
import { compiled } from '../../support/openapi/compile.ts';
import { startRouter } from '../../support/mcp/router.ts';
import { anAddress, at, post, rpc } from '../../support/mcp/router-events.ts';
import { anHttpServer } from '../../support/target/target-server.ts';

const router = await startRouter();
afterAll(() => router.stop());

const ID: Credential = { type: 'api_key', name: 'app_id', in: 'header', value: 'canary-id-1' };
const KEY: Credential = { type: 'api_key', name: 'app_key', in: 'query', value: 'canary-key-2' };
const TOKEN: Credential = { type: 'bearer', token: 'canary-token-3' };

const operation = (operationId: string, security: readonly Record<string, never[]>[]) => ({
  get: { operationId, security: [...security], responses: { 200: { description: 'Done.' } } },
});

const description = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: `${router.target.url}/echo` }],
  components: {
    securitySchemes: {
      appId: { type: 'apiKey', in: 'header', name: 'app_id' },
      appKey: { type: 'apiKey', in: 'query', name: 'app_key' },
      login: { type: 'http', scheme: 'bearer' },
    },
  },
  paths: {
    '/both': operation('both', [{ appId: [], appKey: [] }]),
    '/either': operation('either', [{ login: [] }, { appId: [] }]),
    '/open': operation('open', []),
  },
};

let deployments = 0;

const aShop = async () => {
  deployments += 1;
  const slug = `shop-${deployments}`;
  const { tools } = toToolIndex(compiled(description).tools);
  const { ownerId } = await router.publish(slug, {}, { tools });
  const owned = { ownerId, slug };
  const address = anAddress();
  return {
    slug,
    owned,
    set: (name: string, credential: Credential, schemes?: readonly string[]) =>
      setCredential(router.owner, { ...owned, name, credential, schemes }),
    remove: (name: string) => removeCredential(router.owner, { ...owned, name }),
    call: async (name: string) => {
      const sent = rpc('tools/call', { name, arguments: {} });
      const reply = await router.send(post(at(slug), sent, {}, address));
      const { error, result } = JSON.parse(reply.body);
      return error ?? JSON.parse(result.content[0].text);
    },
    read: () => router.owner.deploymentEditor.read(slug),
  };
};

describe('several credentials of one deployment', () => {
  test('go with one call together, are masked both, and stand on its record', async () => {
    const shop = await aShop();
    await shop.set('main', ID, ['appId']);
    await shop.set('key', KEY, ['appKey']);

    const echoed = await shop.call('both');

    expect(router.target.seen).toContain('GET /echo/both?app_key=canary-key-2');
    expect(echoed).toMatchObject({
      path: '/echo/both?app_key=[masked]',
      headers: { app_id: '[masked]' },
    });
    expect(JSON.stringify(router.lines)).not.toMatch(/canary/);
    expect(router.lines.findLast(({ message }) => message === 'tool_call')).toMatchObject({
      credentials: [
        { name: 'main', type: 'api_key', version: expect.any(String) },
        { name: 'key', type: 'api_key', version: expect.any(String) },
      ],
    });
  });

  test('go as the alternatives of the description say', async () => {
    const shop = await aShop();
    await shop.set('main', ID, ['appId']);
    await shop.set('user', TOKEN, ['login']);

    const { headers } = await shop.call('either');
    expect(headers).toMatchObject({ authorization: 'Bearer [masked]' });
    expect(headers).not.toHaveProperty('app_id');
    expect((await shop.call('open')).headers).not.toHaveProperty('app_id');
    await shop.remove('user');
    router.clock.time += 20;
    expect((await shop.call('either')).headers).toMatchObject({ app_id: '[masked]' });
  });

  test('may not stand in the same place of one request', async () => {
    const shop = await aShop();
    await shop.set('main', TOKEN);

    await expect(
      shop.set('second', { type: 'basic', username: 'a', password: 'b'.repeat(20) }),
    ).rejects.toMatchObject({
      code: 'conflict',
      description: expect.stringContaining(
        'The credential main is sent in the header authorization',
      ),
    });
    // For schemes that no operation wants at once they may.
    await shop.set('main', TOKEN, ['login']);
    await shop.set('second', { ...ID, name: 'Authorization' } as Credential, ['appId']);
    await expect(
      shop.set('third', { ...KEY, name: 'app_key' } as Credential),
    ).resolves.toBeDefined();
  });

  test('are five at most, and what is stored of one goes with it and with the deployment', async () => {
    const shop = await aShop();
    const keys = ['a', 'b', 'c', 'd'];
    for (const name of keys) await shop.set(name, { ...KEY, name } as Credential);
    await expect(shop.set('e', { ...KEY, name: 'e' } as Credential)).rejects.toMatchObject({
      code: 'limit_reached',
    });
    expect(Object.keys((await shop.read())?.credentials ?? {})).toEqual(keys);

    await shop.remove('a');
    await shop.set('e', { ...KEY, name: 'e' } as Credential);
    expect(await shop.read()).toMatchObject({ credentialNames: ['b', 'c', 'd', 'e'] });
    for (const name of ['b', 'c', 'd', 'e']) await shop.remove(name);
    const left = await shop.read();
    expect(left).not.toHaveProperty('credentials');
    expect(left).not.toHaveProperty('credentialNames');
    expect(JSON.stringify(router.store.aws.secrets())).not.toContain(`dep-${shop.slug}/`);
  });

  test.each(['Main', '1key', 'a_b', '', 'x'.repeat(33), '../main', 'a#b'])(
    'are not called %j',
    async (name) => {
      const shop = await aShop();

      await expect(shop.set(name, TOKEN)).rejects.toMatchObject({ code: 'invalid_request' });
    },
  );
});

describe('a credential that another one has taken the place of', () => {
  test('is masked where the API repeats it later, in short answers and in those that are cut', async () => {
    const seen: string[] = [];
    const target = await anHttpServer(({ headers, url }, response) => {
      seen.push(headers.authorization ?? 'none');
      const answer = { seen, filling: url === '/long' ? 'words '.repeat(40_000) : '' };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    try {
      const slug = 'replaced';
      const paths = { '/short': operation('short', []), '/long': operation('long', []) };
      const api = { ...description, servers: [{ url: target.url }], paths };
      const { tools } = toToolIndex(compiled(api).tools);
      const { ownerId } = await router.publish(slug, { apiBaseUrl: target.url }, { tools });
      const set = (token: string) =>
        setCredential(router.owner, { ownerId, slug, credential: { type: 'bearer', token } });
      const call = async (name: string) => {
        const sent = rpc('tools/call', { name, arguments: {} });
        return (await router.send(post(at(slug), sent, {}, anAddress()))).body;
      };
      await set('canary-first-0123456789');
      await call('short');
      await set('canary-second-0123456789');
      router.clock.time += 20;

      const bodies = [await call('short'), await call('long'), await call('short')];

      expect(seen).toContain('Bearer canary-first-0123456789');
      expect(seen).toContain('Bearer canary-second-0123456789');
      expect(bodies.join()).not.toMatch(/canary/);
      expect(bodies[0]).toContain('Bearer [masked]');
    } finally {
      await target[Symbol.asyncDispose]();
    }
  });
});
