import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
// @ts-expect-error it has no types
import aws4 from 'aws4';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { inOrder } from '../../../layers/mcp/steps/answer-rpc.ts';
import { setCredential } from '../../../layers/servers/steps/credential/credential.ts';
import type { Statement } from '../../../local/aws/index.ts';
import { roleArn } from '../../../local/aws/iam/evaluate.ts';
import { NOON } from '../../support/aws/dynamodb-fixtures.ts';
import { startRouter } from '../../support/mcp/router.ts';
import { anAddress, at, post, rpc } from '../../support/mcp/router-events.ts';
import { aTool } from '../../support/mcp/router-tools.ts';
import {
  accessTokensOf,
  aMintedToken,
  anAccessToken,
  bearer,
} from '../../support/mcp/router-tokens.ts';
import { type TableName, tables } from '../../../lambdas/storage-manifest.ts';
import {
  namedRef,
  namedCredentials,
} from '../../../layers/credentials/rules/deployment-credential.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import type { McpAuthMethod } from '../../../layers/deployments/rules/auth-methods.ts';
import { anHttpServer } from '../../support/target/target-server.ts';

const router = await startRouter();
const { aws } = router.store;
const closing: AsyncDisposable[] = [];
afterAll(async () => {
  for (const one of closing) await one[Symbol.asyncDispose]();
  await router.stop();
});
beforeEach(() => {
  router.clock.time = NOON;
});
afterEach(() => aws.faults.clear());

let deployments = 0;

/** An API behind IAM: it lets in whoever has signed with keys that were given for the role. */
const anApiBehindIam = async (
  more: Readonly<Record<string, unknown>> = {},
  { trust, maxSessionSeconds = 3600, redirect = false, authMethod = 'none' }: Behaviour = {},
) => {
  deployments += 1;
  const slug = `orders-${deployments}`;
  const role = `arn:aws:iam::000000000000:role/assumable/${slug}`;
  const seen: string[] = [];
  const target = await anHttpServer(({ headers, method = '', url = '', body }, response) => {
    seen.push(url);
    if (redirect) return void response.writeHead(307, { location: '/elsewhere' }).end();
    const keys = aws
      .assumed()
      .find(({ sessionToken }) => sessionToken === headers['x-amz-security-token']);
    const signed = /SignedHeaders=([^,]+), Signature=(\w+)/.exec(headers.authorization ?? '');
    const names = signed?.[1]?.split(';') ?? [];
    const signer = new aws4.RequestSigner(
      {
        service: 'execute-api',
        region: 'eu-central-1',
        method,
        path: url,
        headers: Object.fromEntries(names.map((name) => [name, headers[name]])),
        body,
        doNotModifyHeaders: true,
      },
      keys ?? { accessKeyId: '', secretAccessKey: '' },
    );
    signer.datetime = headers['x-amz-date'];
    signer.prepareRequest();
    const isRight = keys?.roleArn === role && signer.signature() === signed?.[2];
    response
      .writeHead(isRight ? 200 : 403, { 'content-type': 'application/json' })
      // Whoever echoes a token shows it to nobody.
      .end(
        JSON.stringify({
          isRight,
          session: keys?.sessionName,
          echo: headers['x-amz-security-token'],
        }),
      );
  });
  closing.push(target);
  const deployment = await router.publish(
    slug,
    { apiBaseUrl: target.url, authMethod, access: { mode: 'any_user' } },
    { tools: [aTool('read', target.url)] },
  );
  const { id, ownerId } = deployment;
  aws.addRole({
    arn: role,
    maxSessionSeconds,
    trust: trust?.(id) ?? [
      {
        Effect: 'Allow',
        Principal: { AWS: roleArn('connections') },
        Action: ['sts:AssumeRole', 'sts:SetSourceIdentity', 'sts:TagSession'],
        Condition: { StringEquals: { 'sts:ExternalId': id } },
      },
    ],
  });
  const credential = {
    type: 'aws' as const,
    roleArn: role,
    region: 'eu-central-1',
    service: 'execute-api',
    ...more,
  };
  const set = (over: object = {}) =>
    setCredential(router.owner, { ownerId, slug, credential: { ...credential, ...over } });
  return {
    id,
    deployment,
    role,
    seen,
    set,
    call: async (address = anAddress(), token?: string) => {
      const sent = rpc('tools/call', { name: 'read', arguments: {} });
      const { error, result } = JSON.parse(
        (await router.send(post(at(slug), sent, token === undefined ? {} : bearer(token), address)))
          .body,
      );
      return error ?? { text: result.content[0].text, isError: result.isError };
    },
    sessions: () => aws.assumed().filter((one) => one.roleArn === role),
  };
};

interface Behaviour {
  readonly trust?: (deploymentId: string) => readonly Statement[];
  readonly maxSessionSeconds?: number;
  readonly redirect?: boolean;
  readonly authMethod?: McpAuthMethod;
}

describe('callers whose names the keys carry', () => {
  const named = async (authMethod: McpAuthMethod) => {
    const api = await anApiBehindIam({ nameUser: true }, { authMethod });
    await api.set();
    return { ...api, names: () => api.sessions().map((one) => one.sourceIdentity) };
  };
  const asked = () => aws.calls.count({ operation: 'Invoke' });

  test('are users by the tokens that they show, with keys of their own', async () => {
    const api = await named('oauth');
    const token = (userId: string) => anAccessToken(router, api.deployment, { userId });
    const [first, second, other] = [await token('alice'), await token('alice'), await token('bob')];
    const right = { text: expect.stringContaining('"isRight":true') };

    expect(await api.call(undefined, first)).toMatchObject(right);
    expect(await api.call(undefined, other)).toMatchObject(right);
    expect(api.names()).toEqual(['alice', 'bob']);
    aws.calls.reset();
    for (const one of [first, second, other]) {
      expect(await api.call(undefined, one)).toMatchObject(right);
    }
    // What is held is held for the user, whichever token is shown.
    expect(asked()).toBe(0);
    expect(api.names()).toEqual(['alice', 'bob']);
  });

  test('are nobody whose token the router was not shown, whatever it says', async () => {
    const api = await named('oauth');
    const mallory = await anAccessToken(router, api.deployment, { userId: 'mallory' });
    const elsewhere = await anAccessToken(
      router,
      { ...api.deployment, id: 'dep-other' },
      { userId: 'alice' },
    );
    const stored = await router.ports.deployments.findAgain(api.deployment.slug);
    const [one] = stored ? namedCredentials(stored) : [];
    if (!stored || !one) throw new Error('there is no credential');
    const ref = namedRef(stored, one);
    const say = (user: string, token?: string) =>
      router.ports.connectedTokens.ask({
        ref,
        kind: 'aws',
        use: { user, ip: '192.0.2.1', requestId: 'request-1' },
        perCaller: true,
        bearer: token === undefined ? undefined : () => token,
      });

    await expect(say('mallory', mallory)).resolves.toMatchObject({ credential: {} });
    for (const token of [undefined, mallory, elsewhere, `mcp_access_${randomUUID()}`]) {
      await expect(say('alice', token)).rejects.toMatchObject({ reason: 'denied' });
    }
    await accessTokensOf(router).revoke(fingerprint(mallory));
    await expect(say('mallory', mallory)).rejects.toMatchObject({ reason: 'denied' });
    expect(api.names()).toEqual(['mallory']);
  });

  test('are the owner of the server, and no user, by a token that was minted', async () => {
    const api = await named('jwt');
    const { text } = await aMintedToken(router, api.deployment);
    await api.call(undefined, text);

    expect(api.names()).toEqual([`owner@${api.id}`]);
  });

  test('leave their tokens in no log and no table', async () => {
    const api = await named('oauth');
    const token = await anAccessToken(router, api.deployment, { userId: 'carol' });
    await api.call(undefined, token);
    const stored = [];
    for (const name of Object.keys(tables) as TableName[]) {
      const TableName = router.store.tableName(name);
      stored.push((await router.store.instance().send(new ScanCommand({ TableName }))).Items);
    }
    const texts = JSON.stringify([router.lines, stored]);
    expect(texts).toContain(fingerprint(token));
    expect(texts).not.toContain(token.slice('mcp_access_'.length));
    expect(api.names()).toEqual(['carol']);
  });
});

describe('calls of an API behind IAM', () => {
  test('are signed with keys of a role, assumed once for the deployment, which nobody sees', async () => {
    const api = await anApiBehindIam();
    const { trustPolicy, credential } = await api.set();

    const answers = await Promise.all([1, 2, 3].map(() => api.call()));

    for (const { text } of answers) {
      expect(JSON.parse(text)).toMatchObject({
        isRight: true,
        session: `hosted-mcp-${api.id}`,
        echo: '[masked]',
      });
    }
    expect(api.sessions()).toHaveLength(1);
    expect(trustPolicy).toMatchObject({
      Statement: [
        {
          Principal: { AWS: roleArn('connections') },
          Condition: { StringEquals: { 'sts:ExternalId': api.id } },
        },
      ],
    });
    const [{ secretAccessKey = '', sessionToken = '' } = {}] = api.sessions();
    const logged = JSON.stringify(router.lines);
    expect(logged).not.toContain(secretAccessKey);
    expect(logged).not.toContain(sessionToken);
    expect(JSON.stringify(credential)).not.toContain('sessionToken');
  });

  test('name who calls, with keys of their own for each', async () => {
    const api = await anApiBehindIam({ nameUser: true });
    await api.set();
    await api.call('192.0.2.1');
    await api.call('192.0.2.2');
    await api.call('192.0.2.1');

    expect(api.sessions()).toMatchObject([
      { sourceIdentity: '192.0.2.1', tags: { 'hosted-mcp:deployment': api.id } },
      { sourceIdentity: '192.0.2.2', tags: { 'hosted-mcp:user': '192.0.2.2' } },
    ]);
  });

  test('name each of a hundred callers of one instance within a minute, and refuse none', async () => {
    const api = await anApiBehindIam({ nameUser: true });
    await api.set();
    const addresses = Array.from({ length: 100 }, (_, index) => `198.51.100.${index}`);

    // A few at a time: keys are waited for three seconds by the machine's own clock.
    const answers = await inOrder(addresses, 5, (address) => api.call(address));

    expect(answers.filter(({ text = '{}' }) => JSON.parse(text).isRight === true)).toHaveLength(
      100,
    );
    expect(api.sessions()).toHaveLength(100);
  });

  test('follow no redirect, for which the signature would not hold', async () => {
    const api = await anApiBehindIam({}, { redirect: true });
    await api.set();
    await api.call();

    expect(api.seen).toHaveLength(1);
  });

  test.each<[string, Behaviour]>([
    ['trusts it for another deployment alone', { trust: () => trusting('dep-other') }],
    ['trusts another role', { trust: (id) => trusting(id, roleArn('router')) }],
    ['trusts nobody', { trust: () => [] }],
  ])('are not sent where the role %s', async (_, behaviour) => {
    const api = await anApiBehindIam({}, behaviour);
    await api.set();

    expect(await api.call()).toMatchObject({
      data: { reason: 'role_refused' },
      message: expect.stringContaining('trust policy'),
    });
    expect(api.seen).toEqual([]);
  });

  test('are not sent where the role lets nobody name callers, and they are to be named', async () => {
    const api = await anApiBehindIam({ nameUser: true }, { trust: (id) => trusting(id) });
    await api.set();

    expect(await api.call()).toMatchObject({ data: { reason: 'role_refused' } });
  });

  test.each([
    ['another role', { roleArn: 'arn:aws:iam::000000000000:role/admin' }, '/role_arn'],
    [
      'a role beside the path',
      { roleArn: 'arn:aws:iam::000000000000:role/assumable-not/x' },
      '/role_arn',
    ],
    ['no role', { roleArn: 'arn:aws:iam::000000000000:user/x' }, '/role_arn'],
    [
      'a role by way of the path',
      { roleArn: 'arn:aws:iam::000000000000:role/assumable/../admin' },
      '/role_arn',
    ],
    ['no region', { region: 'Frankfurt' }, '/region'],
    ['no service', { service: 'Execute API' }, '/service'],
    ['longer than STS gives', { durationSeconds: 7200 }, '/duration_seconds'],
  ])('are not set up with %s', async (_, over, where) => {
    const api = await anApiBehindIam();

    await expect(api.set(over)).rejects.toMatchObject({
      code: 'invalid_request',
      findings: [expect.objectContaining({ where })],
    });
  });
});

const trusting = (externalId: string, principal = roleArn('connections')): readonly Statement[] => [
  {
    Effect: 'Allow',
    Principal: { AWS: principal },
    Action: 'sts:AssumeRole',
    Condition: { StringEquals: { 'sts:ExternalId': externalId } },
  },
];
