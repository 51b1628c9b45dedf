import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Step } from '../../cli/doctor/step.ts';
import { aMachineFor, type TestMachine } from '../support/command-line.ts';
import { aRawClient } from '../support/raw-oauth-client.ts';
import { type Person, startWholeService, type WholeService } from '../support/whole-service.ts';

jest.setTimeout(120_000);

let service: WholeService;
let machine: TestMachine;
let owner: Person;
beforeAll(async () => {
  service = await startWholeService();
  machine = await aMachineFor();
  owner = await service.person();
});
afterAll(async () => {
  await machine.remove();
  await service.stop();
});

const seen = async (url: string, options: readonly string[] = [], input?: string) => {
  const situation = input === undefined ? {} : { input };
  const said = await machine.run(['doctor', url, '--json', ...options], situation);
  const { steps } = said.json() as { steps: readonly Step[] };
  return { code: said.code, troubles: steps.filter(({ outcome }) => outcome !== 'ok') };
};

describe('the doctor, at the service', () => {
  test('finds a public deployment well', async () => {
    const { url } = await service.publish(owner, { authMethod: 'none' });

    expect(await seen(url)).toEqual({ code: 0, troubles: [] });
  });

  test('finds a deployment with a login well, up to the login page', async () => {
    const { messagesUrl } = await service.publish(owner);
    const { code, troubles } = await seen(messagesUrl, ['--register']);

    expect(troubles.map(({ outcome, step }) => [outcome, step])).toEqual(
      ['initialize', 'notification', 'ping', 'tools/list', 'stream'].map((step) => [
        'skipped',
        step,
      ]),
    );
    expect(code).toBe(0);
  });

  test('goes in with a minted token', async () => {
    const { slug, messagesUrl } = await service.publish(owner, { authMethod: 'jwt' });
    const { token } = await service.operate({ operator: 'mint-token', ownerId: owner.id, slug });

    expect(await seen(messagesUrl, ['--token-stdin'], token)).toEqual({ code: 0, troubles: [] });
  });

  test('goes in with the token of a client whose user has consented', async () => {
    const server = await service.publish(owner);
    const client = await aRawClient(service);
    const { access_token } = await client.tokens(service.browser(), owner, server);

    expect(await seen(server.messagesUrl, ['--token-stdin'], `${access_token}\n`)).toEqual({
      code: 0,
      troubles: [],
    });
  });

  test('knows a token that is for another deployment', async () => {
    const { slug } = await service.publish(owner, { authMethod: 'jwt' });
    const other = await service.publish(owner, { authMethod: 'jwt' });
    const { token } = await service.operate({ operator: 'mint-token', ownerId: owner.id, slug });
    const { code, troubles } = await seen(other.url, ['--token-stdin'], token);

    expect(troubles[0]).toMatchObject({ step: 'initialize', what: 'the token is refused (401)' });
    expect(code).toBe(1);
  });

  test('misses a deployment that is not there', async () => {
    const { code, troubles } = await seen(`${service.baseUrl}/mcp-router/nobody-has-this`);

    expect(troubles).toMatchObject([
      { step: 'discovery', what: 'there is no deployment "nobody-has-this"' },
    ]);
    expect(code).toBe(4);
  });
});
