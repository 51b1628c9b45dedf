import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Listening, listening } from '../support/target/listening.ts';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
const CANARY = 'canary4711secret';

/** What Secrets Manager answers with, by the secret; the bytes, where they are not to be JSON. */
let secrets: Readonly<Record<string, string>>;
let spoilt: string | undefined;
/** Of the service, to the declaration. */
let answer: string;
let applied: Record<string, unknown> | undefined;
let told: string;
let declaration: string;

/** Secrets Manager, S3, the service and CloudFormation, as far as the function speaks to them. */
let world: Listening;
let address: string;
let folder: string;
beforeAll(async () => {
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const { url = '', headers } = request;
    if (headers['x-amz-target'] === 'secretsmanager.GetSecretValue') {
      const { SecretId } = JSON.parse(body.toString());
      response.setHeader('content-type', 'application/x-amz-json-1.1');
      if (secrets[SecretId] === undefined) {
        const refusal = { __type: 'ResourceNotFoundException', message: 'There is none.' };
        return response.writeHead(400).end(JSON.stringify(refusal));
      }
      return response.end(spoilt ?? JSON.stringify({ SecretString: secrets[SecretId] }));
    }
    if (url.startsWith('/told')) {
      told = body.toString();
      return response.end();
    }
    if (url.startsWith('/v1/')) {
      applied = JSON.parse(gunzipSync(body).toString());
      return response.end(answer);
    }
    return response.end(declaration);
  });
  world = await listening(server);
  address = `localhost:${world.port}`;

  folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-provider-'));
  await symlink(join(CHECKOUT, 'node_modules'), join(folder, 'node_modules'));
  // As `npm run package-cdk` makes it.
  await build({
    absWorkingDir: CHECKOUT,
    entryPoints: ['cdk/provider/handler.ts'],
    outfile: join(folder, 'index.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external: ['@aws-sdk/*'],
  });
  await writeFile(
    join(folder, 'run.mjs'),
    `import dns from 'node:dns';
import { handler } from './index.mjs';
const { lookup } = dns;
// The bucket is part of the name.
dns.lookup = (name, ...rest) => lookup(name.endsWith('localhost') ? '127.0.0.1' : name, ...rest);
const invocation = { logStreamName: 'stream', getRemainingTimeInMillis: () => 240_000 };
await handler(JSON.parse(process.argv[2]), invocation);
process.exit();`,
  );
});
afterAll(async () => {
  await world.stop();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  secrets = { token: 'hmp_token' };
  [spoilt, applied] = [undefined, undefined];
  answer = '{"mcp_url":"https://mcp.example.com","version":1,"tool_count":2}';
  declaration = JSON.stringify({
    openapi: '{}',
    credentials: { main: { type: 'oauth_client', client_id: 'orders' } },
  });
});

/** Runs the function. @returns what CloudFormation was told, and all that was logged */
const invoked = async (Secrets: readonly object[] = []) => {
  const event = {
    RequestType: 'Create',
    ResponseURL: `http://${address}/told`,
    StackId: 'arn:aws:cloudformation:eu-central-1:111122223333:stack/Orders/0f1e2d3c',
    RequestId: 'request',
    LogicalResourceId: 'Orders',
    ResourceProperties: {
      Slug: 'orders',
      BaseUrl: `http://${address}/v1`,
      Token: 'token',
      Declaration: { Bucket: 'assets', Key: 'one' },
      Secrets,
      Adopt: 'false',
      Removal: 'retain',
      Digest: 'digest',
    },
  };
  const env = {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'example',
    AWS_ENDPOINT_URL: `http://${address}`,
  };
  const args = ['--no-warnings', 'run.mjs', JSON.stringify(event)];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, {
    cwd: folder,
    env,
  });
  return { told: JSON.parse(told), logged: `${stdout}${stderr}` };
};

const failing = async (why: RegExp, Secrets: readonly object[] = []): Promise<void> => {
  const said = await invoked(Secrets);
  expect(JSON.stringify(said)).not.toContain(CANARY);
  expect(said.told).toMatchObject({ Status: 'FAILED', Reason: expect.stringMatching(why) });
  expect(said.logged).toContain('ERROR');
};

const KEY = [{ Credential: 'main', Member: 'private_jwk', Arn: 'key' }];

describe('the function of a stack', () => {
  test('gives a private key from a secret as the object that it is', async () => {
    secrets = { ...secrets, key: `{"kty":"EC","d":"${CANARY}"}\n` };
    const said = await invoked(KEY);
    expect(said.told).toMatchObject({ Status: 'SUCCESS' });
    expect(applied).toMatchObject({
      declaration: { credentials: { main: { private_jwk: { kty: 'EC', d: CANARY } } } },
    });
    expect(JSON.stringify(said)).not.toContain(CANARY);
  });

  test.each([
    ['with a comma too many', `{"d":"${CANARY}",}`, /key cannot be used.*line 1, column 25/],
    ['without quotes', `{"d":${CANARY}}`, /key cannot be used for private_jwk: it is no JSON\./],
    ['that is a text', `"${CANARY}"`, /key cannot be used.*no object/],
  ])('shows nothing of a private key %s', async (_, key, why) => {
    secrets = { ...secrets, key };
    await failing(why, KEY);
  });

  test('shows nothing of a secret without the field that is named', async () => {
    secrets = { ...secrets, key: `{"d":"${CANARY}"` };
    await failing(/key cannot be used.*no JSON/, [{ ...KEY[0], Field: 'd' }]);
  });

  test('shows nothing of a token that is JSON, which no header carries', async () => {
    secrets = { token: `{\n  "token": "${CANARY}"\n}` };
    await failing(/The secret token holds no token/);
  });

  test('shows nothing of what Secrets Manager answers, where nobody can read that', async () => {
    spoilt = `{"SecretString":${CANARY}}`;
    await failing(/has failed \(SyntaxError\)/);
  });

  test('shows nothing of a declaration that is no JSON', async () => {
    declaration = `{"openapi":${CANARY}}`;
    await failing(/has failed \(NotJson\)/);
  });

  test('passes on what AWS says in refusing', async () => {
    await failing(
      /^The secret key cannot be read\. AWS: ResourceNotFoundException: There is none\./,
      KEY,
    );
  });
});
