import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { EXIT } from '../../cli/failure.ts';
import type { CredentialStore } from '../../layers/credentials/rules/credential-stores.ts';
import {
  type FunctionSettings,
  type LocalFunction,
  localFunction,
} from '../../local/functions/index.ts';
import { policiesOn } from '../../local/run/aws-resources.ts';
import { connectionOf } from '../support/aws/aws.ts';
import { aMachineFor, type TestMachine } from '../support/cli/command-line.ts';
import { anApiOfCredentials } from '../support/target/api-of-credentials.ts';
import type { TargetServer } from '../support/target/target-server.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

interface Stores {
  readonly store: CredentialStore;
  readonly former: CredentialStore | undefined;
}

/**
 * Functions whose environment changes while requests come, as with a deployment on AWS: the next request goes to
 * new instances, and those under way end where they began.
 */
const deployableFunctions = () => {
  const settingsOf = new Map<string, FunctionSettings>();
  const instances = new Map<string, LocalFunction>();
  const begin = (name: string, variables: Readonly<Record<string, string>>) => {
    const { start, ...rest } = settingsOf.get(name)!;
    const changed = start.then(({ environment, options }) => ({
      environment: { ...environment, ...variables },
      options,
    }));
    return localFunction({ ...rest, start: changed });
  };
  const underWay = new Map<LocalFunction, Set<Promise<unknown>>>();
  return {
    runFunction: (settings: FunctionSettings): LocalFunction => {
      const { name } = settings;
      settingsOf.set(name, settings);
      instances.set(name, begin(name, {}));
      const current = () => instances.get(name)!;
      return {
        ready: () => current().ready(),
        invoke: async (event) => {
          const instance = current();
          const some = underWay.get(instance) ?? new Set();
          underWay.set(instance, some);
          const invocation = instance.invoke(event).finally(() => some.delete(invocation));
          some.add(invocation);
          return invocation;
        },
        thawed: () => current().thawed(),
        close: () => current().close(),
      };
    },
    deploy: async (name: string, variables: Readonly<Record<string, string>>) => {
      const before = instances.get(name)!;
      const next = begin(name, variables);
      await next.ready();
      instances.set(name, next);
      await Promise.allSettled(underWay.get(before) ?? []);
      await before.close();
    },
  };
};

const { runFunction, deploy } = deployableFunctions();
let service: WholeService;
let api: TargetServer;
let machine: TestMachine;
let session: string;
const carried = new Map<string, string | undefined>();

beforeAll(async () => {
  [machine, service, api] = await Promise.all([
    aMachineFor(),
    startWholeService({ active_deployments_per_user: 100 }, { runFunction }),
    anApiOfCredentials(carried),
  ]);
  const { email, password } = await service.person();
  session = String((await manage('POST', '/sessions', { email, password }))['access_token']);
});
afterAll(async () => {
  await service.stop();
  await machine.remove();
  await api[Symbol.asyncDispose]();
});

const manage = async (method: string, path: string, body?: object) => {
  const answer = await service.fetch(`${service.baseUrl}/mcp-management${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(session !== undefined && { authorization: `Bearer ${session}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const said = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${said}`);
  return (said === '' ? {} : JSON.parse(said)) as Record<string, unknown>;
};

const publish = async (): Promise<string> => {
  const slug = `s-${randomUUID().slice(0, 18)}`;
  const openapi = {
    openapi: '3.1.0',
    info: { title: 'An API', version: '1' },
    servers: [{ url: api.url }],
    paths: { [`/${slug}`]: { get: { operationId: 'get', responses: {} } } },
  };
  await manage('POST', '/deployments', { slug, openapi, mcp_auth_method: 'none' });
  return slug;
};
const set = async (slug: string): Promise<string> => {
  const token = `token-${randomUUID()}`;
  await manage('PUT', `/deployments/${slug}/credential`, { type: 'bearer', token });
  return token;
};
/** A client whose token endpoint gives out the secret as the token. */
const setClient = async (slug: string): Promise<string> => {
  const secret = `secret-${randomUUID()}`;
  await manage('PUT', `/deployments/${slug}/credential`, {
    type: 'oauth_client',
    token_url: `${api.url}/token`,
    client_id: 'service',
    client_secret: secret,
    client_auth: 'post',
  });
  return secret;
};

interface Answer {
  readonly error?: { readonly message: string; readonly data?: { readonly reason: string } };
}
const call = async (slug: string): Promise<Answer> => {
  const answer = await service.fetch(`${service.baseUrl}/mcp-router/${slug}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get', arguments: {} },
    }),
  });
  return (await answer.json()) as Answer;
};
/** @returns what the API was sent as a credential, or why it was not asked */
const sentBy = async (slug: string): Promise<string | undefined> => {
  carried.delete(slug);
  const { error } = await call(slug);
  return error ? error.data?.reason : carried.get(slug)?.replace('Bearer ', '');
};

/** As `cdk deploy` does it: policies, then the broker before whoever asks it, then those that write. */
const change = async ({ store, former }: Stores) => {
  service.aws.enforce(policiesOn(service.aws, { store, former }));
  const stores = { CREDENTIAL_STORE: store, CREDENTIAL_STORE_FORMER: former ?? '' };
  for (const name of ['credentials', 'connections', 'router', 'management', 'maintenance']) {
    await deploy(name, stores);
  }
};
const move = () =>
  machine.run(['admin', 'move-credentials'], {
    environment: { HOSTED_MCP_DATA: service.dataFolder },
  });
const check = () => service.operate({ operator: 'restore-check' }, 'maintenance');

/** Has a deployment's credential be older than anybody goes by what was before. */
const aMinuteLater = async (slug: string): Promise<void> => {
  const dynamo = new DynamoDBClient(connectionOf(service.aws, 'test'));
  await dynamo.send(
    new UpdateItemCommand({
      TableName: 'hosted-mcp-deployments',
      Key: { pk: { S: `SLUG#${slug}` } },
      UpdateExpression: 'SET credential.setAt = credential.setAt - :minute',
      ExpressionAttributeValues: { ':minute': { N: '61' } },
    }),
  );
  dynamo.destroy();
};

/** Calls all of the deployments in turn until it is told to end. @returns what did not go well */
const callOn = (slugs: readonly string[]) => {
  const problems: unknown[] = [];
  let ends = false;
  let calls = 0;
  const loop = (async () => {
    while (!ends) {
      for (const slug of slugs) {
        const { error } = await call(slug);
        calls += 1;
        if (error) problems.push([slug, error]);
      }
      await pause(50);
    }
  })();
  return async () => {
    ends = true;
    await loop;
    expect(calls).toBeGreaterThan(slugs.length);
    return problems;
  };
};

describe('a stage whose store of credentials changes under calls', () => {
  const there: Stores = { store: 'secrets-manager', former: 'envelope' };
  const back: Stores = { store: 'envelope', former: 'secrets-manager' };

  // Twice, so that a secret which was moved out of comes to be used again.
  test.each([
    ['to secrets', there],
    ['back to envelopes', back],
    ['to the same secrets again', there],
  ])('loses nothing on its way %s', async (_, stores) => {
    const [quiet, replaced, removed, client] = await Promise.all([
      publish(),
      publish(),
      publish(),
      publish(),
    ]);
    const tokens = await Promise.all([quiet, replaced, removed].map(set));
    const secret = await setClient(client);
    const end = callOn([quiet, replaced, client]);

    await change(stores);
    const unmoved = await Promise.all([quiet, replaced, removed, client].map(sentBy));
    // Written to the new store, while the former one has what was before.
    const next = await set(replaced);
    await manage('DELETE', `/deployments/${removed}/credential`);
    const lately = await move();
    await Promise.all([quiet, replaced, client].map(aMinuteLater));
    const left = await check();
    const moved = await move();
    const none = await check();
    await change({ ...stores, former: undefined });
    const alone = await Promise.all([quiet, replaced, removed, client].map(sentBy));

    expect(unmoved).toEqual([...tokens, secret]);
    expect(lately).toMatchObject({
      code: EXIT.refused,
      out: expect.stringMatching(`SLUG#${replaced}.*Run the command once more`),
    });
    expect(left['items']).toHaveLength(3);
    expect(moved).toMatchObject({
      code: EXIT.ok,
      out: '3 moved.\nNothing is left in the store before: credential_store_former may go.\n',
    });
    expect(none['items']).toEqual([]);
    expect(alone).toEqual([tokens[0], next, undefined, secret]);
    expect(await end()).toEqual([]);
    expect(service.aws.takeDenials()).toEqual([]);
  });

  test('says of a credential that no store has that its owner has to set it again', async () => {
    const slug = await publish();
    await set(slug);
    await change(back);
    await change({ store: 'envelope', former: undefined });
    const { error } = await call(slug);
    const { items } = await manage('GET', `/deployments/${slug}/doctor`);

    expect(error).toMatchObject({
      message: expect.stringContaining('its owner has to set the credential again'),
      data: { reason: 'credential_missing' },
    });
    expect(items).toContainEqual({
      step: 'Credential',
      outcome: 'failed',
      what: 'It is not stored any more, so that no call is sent.',
      hint: 'Set it again (`credential set`).',
    });
  });
});
