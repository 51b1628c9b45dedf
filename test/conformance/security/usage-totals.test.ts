import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { anIssuer } from '../../support/oauth/jwt-issuer.ts';
import { mailsAt } from '../../support/oauth/people.ts';
import { aRawClient } from '../../support/oauth/raw-oauth-client.ts';
import { type Person, startWholeService } from '../../support/service/whole-service.ts';

const LIMIT = 3;

const service = await startWholeService({
  free_requests_per_hour: LIMIT,
  free_issuer_requests_per_hour: LIMIT,
});
afterAll(() => service.stop());

const listTools = async (url: string, token: string): Promise<number> => {
  const answer = await service.fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  return answer.status;
};

describe('an issuer that calls every request another subject', () => {
  test('has a limit for all of them, also over several deployments', async () => {
    await using issuer = await anIssuer();
    const person = await service.person();
    const over = { authMethod: 'jwt', jwtIssuer: issuer.config };
    const first = await service.publish(person, over);
    const second = await service.publish(person, over);
    const stranger = await service.publish(await service.person(), over);
    const now = Math.floor(Date.now() / 1000);
    const status = async ({ messagesUrl }: { readonly messagesUrl: string }) =>
      listTools(messagesUrl, await issuer.sign({ sub: randomUUID(), iat: now, exp: now + 600 }));

    const statuses = [];
    for (const server of [first, second, first, first, second]) statuses.push(await status(server));

    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect(await status(stranger)).toBe(200);
  });
});

interface Account extends Person {
  manage(method: string, path: string): Promise<Response>;
}

const signUp = async (email: string): Promise<Account> => {
  const password = `kestrel umbrella ${randomUUID()}`;
  const send = (method: string, path: string, body?: object, authorization = '') =>
    service.fetch(`${service.baseUrl}/mcp-management${path}`, {
      method,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  await send('POST', '/accounts', { email });
  const mail = (await mailsAt(service)).findLast(({ to }) => to === email);
  await send('POST', '/accounts/verify', { token: mail?.token, password });
  const session = await send('POST', '/sessions', { email, password });
  const { access_token: token } = (await session.json()) as { access_token: string };
  const manage: Account['manage'] = (method, path) =>
    send(method, path, undefined, `Bearer ${token}`);
  const account = (await (await manage('GET', '/account')).json()) as { id: string };
  return { id: account.id, email, password, manage };
};

describe('somebody who removes the account and signs up again', () => {
  test('has used what was used, for clients and for minted tokens of the owner', async () => {
    const server = await service.publish(await service.person());
    const email = `${randomUUID()}@example.com`;
    const first = await signUp(email);
    const callAs = async (person: Person): Promise<number> => {
      const client = await aRawClient(service);
      const { access_token: token } = await client.tokens(service.browser(), person, server);
      return listTools(server.messagesUrl, token);
    };
    const statuses = [];
    for (let count = 0; count < LIMIT; count += 1) statuses.push(await callAs(first));
    expect(statuses).toEqual([200, 200, 200]);
    expect((await first.manage('DELETE', '/account')).status).toBe(204);

    const again = await signUp(email);

    expect(again.id).not.toBe(first.id);
    expect(await (await again.manage('GET', '/account')).json()).toMatchObject({
      usage: { hour: { used: LIMIT } },
    });
    expect(await callAs(again)).toBe(429);
    const own = await service.publish(again, { authMethod: 'jwt' });
    const { token = '' } = await service.operate({
      operator: 'mint-token',
      ownerId: again.id,
      slug: own.slug,
    });
    expect(await listTools(own.messagesUrl, token)).toBe(429);
    expect(await callAs(await signUp(`${randomUUID()}@example.com`))).toBe(200);
  });
});
