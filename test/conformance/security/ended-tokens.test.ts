import { afterAll, describe, expect, test } from '@jest/globals';
import { mailsAt } from '../../support/oauth/people.ts';
import {
  type Person,
  type PublishedServer,
  startWholeService,
} from '../../support/service/whole-service.ts';

const service = await startWholeService();
afterAll(() => service.stop());

const manage = (method: string, path: string, body?: object, session = ''): Promise<Response> =>
  service.fetch(`${service.baseUrl}/mcp-management${path}`, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(session && { authorization: `Bearer ${session}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });

const sessionOf = async ({ email, password }: Person): Promise<string> => {
  const answer = await manage('POST', '/sessions', { email, password });
  return ((await answer.json()) as { access_token: string }).access_token;
};

interface OwnedServer {
  readonly owner: Person;
  readonly session: string;
  readonly server: PublishedServer;
}

const anOwnedServer = async (): Promise<OwnedServer> => {
  const owner = await service.person();
  const server = await service.publish(owner, { authMethod: 'jwt' });
  return { owner, session: await sessionOf(owner), server };
};

const mint = async ({ server }: OwnedServer, session: string): Promise<string> => {
  const answer = await manage('POST', `/deployments/${server.slug}/tokens`, {}, session);
  const { token } = (await answer.json()) as { token: string };
  return token;
};

const statusWith = async ({ messagesUrl }: PublishedServer, token: string): Promise<number> => {
  const answer = await service.fetch(messagesUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
  return answer.status;
};

const resetPassword = async ({ email }: Person, password: string): Promise<void> => {
  await manage('POST', '/accounts/password-reset', { email });
  const mail = (await mailsAt(service)).findLast(({ to }) => to === email);
  const sent = { token: mail?.token, password };
  expect((await manage('POST', '/accounts/password-reset/confirm', sent)).ok).toBe(true);
};

describe('a minted token, after a password reset of the owner', () => {
  test('ends at once, and the list of tokens says so', async () => {
    const owned = await anOwnedServer();
    const token = await mint(owned, owned.session);
    expect(await statusWith(owned.server, token)).toBe(200);

    const password = 'another umbrella, quite long';
    await resetPassword(owned.owner, password);

    expect(await statusWith(owned.server, token)).toBe(401);
    const session = await sessionOf({ ...owned.owner, password });
    const list = await manage(
      'GET',
      `/deployments/${owned.server.slug}/tokens`,
      undefined,
      session,
    );
    expect(await list.json()).toMatchObject({ items: [{ revoked: true }] });
  });

  test('ends too if an operator minted it', async () => {
    const { owner, server } = await anOwnedServer();
    const command = { operator: 'mint-token', ownerId: owner.id, slug: server.slug };
    const { token = '' } = await service.operate(command);
    expect(await statusWith(server, token)).toBe(200);

    await resetPassword(owner, 'another umbrella, quite long');
    expect(await statusWith(server, token)).toBe(401);
  });

  test('can be minted again, and works', async () => {
    const owned = await anOwnedServer();
    const password = 'another umbrella, quite long';
    await resetPassword(owned.owner, password);

    const token = await mint(owned, await sessionOf({ ...owned.owner, password }));
    expect(await statusWith(owned.server, token)).toBe(200);
  });

  test('works on where it is of another owner', async () => {
    const [owned, others] = [await anOwnedServer(), await anOwnedServer()];
    const token = await mint(others, others.session);
    await resetPassword(owned.owner, 'another umbrella, quite long');

    expect(await statusWith(others.server, token)).toBe(200);
  });
});

describe('a minted token of a deployment that was removed', () => {
  test('does not open what the same owner publishes at the same address', async () => {
    const owned = await anOwnedServer();
    const token = await mint(owned, owned.session);
    const { owner, server, session } = owned;
    const { slug } = server;
    expect((await manage('DELETE', `/deployments/${slug}`, undefined, session)).ok).toBe(true);
    await service.publish(owner, { authMethod: 'jwt', slug });

    expect(await statusWith(server, token)).toBe(401);
    expect(await statusWith(server, await mint(owned, session))).toBe(200);
  });
});
