import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aMachineFor, type TestMachine } from '../support/cli/command-line.ts';
import { mailsAt } from '../support/oauth/people.ts';
import { type SignedIn, signedIn } from '../support/service/signed-in.ts';
import { anHttpServer, type TargetServer } from '../support/target/target-server.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

const GOOD = 'aeT3zah9Ohsh7Ien5uyo';
const ENDED = 'CANARY-ended-0123456789';
const READS_ONLY = 'CANARY-reads-0123456789';

let service: WholeService;
let api: TargetServer;
let owner: SignedIn;
let machine: TestMachine;
beforeAll(async () => {
  [service, api] = await Promise.all([
    startWholeService(),
    anHttpServer(({ headers: { authorization }, method }, response) => {
      const mayRead =
        authorization === `Bearer ${GOOD}` || authorization === `Bearer ${READS_ONLY}`;
      if (!mayRead) response.statusCode = 401;
      else if (method !== 'GET' && authorization !== `Bearer ${GOOD}`) response.statusCode = 403;
      response.setHeader('content-type', 'text/plain').end('said');
    }),
  ]);
  owner = await signedIn(service);
  machine = await aMachineFor(service.baseUrl);
  const { email, password } = owner.person;
  await machine.run(['login', email, '--password-stdin'], { input: password });
});
afterAll(async () => {
  await machine.remove();
  await service.stop();
  await api[Symbol.asyncDispose]();
});

const operation = (operationId: string) => ({
  operationId,
  responses: { 200: { description: 'Done.' } },
});
/** A deployment whose calls carry the token from the first one on. */
const published = async (slug: string, token: string | undefined): Promise<void> => {
  const openapi = {
    openapi: '3.1.0',
    info: { title: 'Books', version: '1' },
    servers: [{ url: api.url }],
    paths: { '/books': { get: operation('listBooks'), delete: operation('removeBooks') } },
  };
  const wanted = { openapi, slug, mcp_auth_method: 'none' };
  expect((await owner.send('POST', '/deployments', wanted)).status).toBe(201);
  if (token !== undefined) await setCredential(slug, token);
};
const setCredential = async (slug: string, token: string): Promise<void> => {
  const sent = { type: 'bearer', token };
  expect((await owner.send('PUT', `/deployments/${slug}/credential`, sent)).status).toBe(200);
};
const called = async (slug: string, name: string): Promise<string> => {
  const answer = await service.fetch(`${service.baseUrl}/mcp-router/${slug}/messages`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: {} },
    }),
  });
  return answer.text();
};
const refused = async (slug: string): Promise<unknown> =>
  (await owner.send('GET', `/deployments/${slug}/credential`)).body['refused'];
const credentialStep = async (slug: string) => {
  const { body } = await owner.send('GET', `/deployments/${slug}/doctor`);
  return (body['items'] as { step: string }[]).find(({ step }) => step === 'Credential');
};
/** The log brings calls to their store in its own time. */
const until = async (found: () => Promise<boolean>) => {
  while (!(await found())) await pause(200);
};

/** As the schedule has it each hour. */
const takeCare = async (): Promise<void> => {
  const answered = await service.operate({ operator: 'take-care' }, 'maintenance');
  expect(answered).toMatchObject({ complete: true });
  // Those that management was asked for, and the mails that it asked for.
  await service.aws.eventsSettled();
};

const mailsTo = async (email: string) => (await mailsAt(service)).filter(({ to }) => to === email);

describe('a credential that its API refuses', () => {
  test('is told to the model as not its own to mend, and to nobody while there is none', async () => {
    await published('without', undefined);
    const without = await called('without', 'listBooks');
    expect(without).toContain('HTTP 401');
    expect(without).not.toContain('the owner of this server');

    await published('ended', ENDED);
    const answer = await called('ended', 'listBooks');
    expect(answer).toMatch(/HTTP 401[^]*said[^]*the owner of this server[^]*you cannot mend it/);
    expect(answer).not.toContain('CANARY');
  });

  test('is told to its owner: by the API, the doctor and the command line', async () => {
    await until(async () => (await refused('ended')) !== undefined);
    expect(await refused('ended')).toMatchObject({ status: 401, calls: 1 });
    expect(await credentialStep('ended')).toMatchObject({
      outcome: 'failed',
      what: expect.stringMatching(/refused it since .* UTC: .*HTTP 401/),
      hint: expect.stringContaining('credential set'),
    });
    const shown = await machine.run(['credential', 'show', 'ended']);
    expect(shown.out).toMatch(/Refused +since .*1 answer of HTTP 401/);
  });

  test('is mailed to its owner once, and stands in lists', async () => {
    await takeCare();

    const mails = await mailsTo(owner.person.email);
    expect(mails.map(({ subject }) => subject)).toEqual([
      'The API refuses the credential of ended',
    ]);
    expect(mails[0]?.text).toContain(`${service.baseUrl}/console/servers/ended/credentials`);
    expect(JSON.stringify(mails)).not.toContain('CANARY');
    const listed = await machine.run(['ls']);
    expect(listed.out).toMatch(/ended .*refused/);
    const shown = await machine.run(['show', 'ended']);
    expect(shown.out).toMatch(/Credential +set, and refused by the API since/);

    await takeCare();
    expect(await mailsTo(owner.person.email)).toHaveLength(1);
  });

  test('is in order again once another one is set', async () => {
    await setCredential('ended', GOOD);
    expect(await refused('ended')).toBeUndefined();
    expect(await credentialStep('ended')).toMatchObject({ outcome: 'ok' });
    expect((await machine.run(['ls'])).out).toMatch(/ended .*set/);
  });

  test('that may do something and not all is told to the model, and is no fault of its owner', async () => {
    await published('reads', READS_ONLY);
    expect(await called('reads', 'listBooks')).not.toContain('the owner of this server');
    const answer = await called('reads', 'removeBooks');
    expect(answer).toMatch(/HTTP 403[^]*does not allow this[^]*Other calls may be allowed/);
    const errors = async () => {
      const { body } = await owner.send('GET', '/deployments/reads/calls?outcome=target_error');
      return body['items'] as unknown[];
    };
    await until(async () => (await errors()).length > 0);
    expect(await refused('reads')).toBeUndefined();
  });
});
