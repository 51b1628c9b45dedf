import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { World } from '../../cli/world.ts';
import { GITHUB } from '../../layers/accounts/rules/trust.ts';
import { aMachineFor, type TestMachine } from '../support/cli/command-line.ts';
import { anHttpServer } from '../support/target/target-server.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

let service: WholeService;
let keys: Awaited<ReturnType<typeof anHttpServer>>;
let signing: CryptoKey;
beforeAll(async () => {
  service = await startWholeService();
  const pair = await generateKeyPair('ES256', { extractable: true });
  signing = pair.privateKey;
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'key-1', alg: 'ES256', use: 'sig' };
  keys = await anHttpServer((_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ keys: [jwk] })),
  );
});
afterAll(async () => {
  await keys[Symbol.asyncDispose]();
  await service.stop();
});

let person: TestMachine;
let pipeline: TestMachine;
beforeEach(async () => {
  [person, pipeline] = [await aMachineFor(service.baseUrl), await aMachineFor(service.baseUrl)];
  const { email, password } = await service.person();
  await person.run(['login', email, '--password-stdin'], { input: password });
});
afterEach(async () => {
  await Promise.all([person.remove(), pipeline.remove()]);
});

const IDS = ['--repository-id', '4711', '--owner-id', '815'];
const add = (...more: readonly string[]) =>
  person.run(['trust', 'add', 'orders', '--keys', `${keys.url}/keys`, '--json', ...more]);
const idOf = async (said: ReturnType<typeof add>): Promise<string> => {
  const answer = await said;
  expect(answer).toMatchObject({ code: 0 });
  return String(answer.json()['id']);
};

const idToken = (over: object = {}): Promise<string> => {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({
    iss: GITHUB,
    aud: service.baseUrl,
    jti: randomUUID(),
    iat: now,
    exp: now + 300,
    repository_id: '4711',
    repository_owner_id: '815',
    environment: 'production',
    ...over,
  })
    .setProtectedHeader({ alg: 'ES256', kid: 'key-1' })
    .sign(signing);
};

const ASKING = 'canary-of-the-request-token';
const GITHUB_GIVES = {
  ACTIONS_ID_TOKEN_REQUEST_URL: 'https://github.example/token?version=2',
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: ASKING,
};

/** GitHub beside the service, and all that went over the wire which nobody may see. */
const besideGitHub = (over: object = {}) => {
  const asked: string[] = [];
  const secrets: string[] = [ASKING];
  const exchanges: string[] = [];
  const send: World['fetch'] = async (url, request) => {
    if (url.startsWith('https://github.example/')) {
      const value = await idToken(over);
      asked.push(url);
      secrets.push(value);
      return Response.json({ value });
    }
    const answer = await fetch(url, request);
    if (!url.endsWith('/sessions/machine')) return answer;
    exchanges.push(url);
    const { access_token: token } = (await answer.clone().json()) as { access_token?: string };
    if (token !== undefined) secrets.push(token);
    return answer;
  };
  return { asked, exchanges, secrets, fetch: send };
};

describe('trust', () => {
  test('add, ls and rm say whom somebody trusts', async () => {
    const slugs = ['--slug', 'orders-*'];
    const id = await idOf(
      add('--scope', 'declare', ...IDS, '--environment', 'production', ...slugs),
    );
    const { out } = await person.run(['trust', 'ls']);
    for (const part of [id, 'declare', 'orders-*', 'repository_id=4711', 'never']) {
      expect(out).toContain(part);
    }
    expect(await person.run(['trust', 'rm', id])).toMatchObject({ code: 0 });
    expect((await person.run(['trust', 'ls'])).out).not.toContain(id);
    expect((await person.run(['trust', 'ls', '--json'])).out).not.toContain(id);
  });

  test('add takes other issuers by their claims', async () => {
    const claims = ['--claim', 'project_id=7', '--claim', 'ref_path=refs/heads/main'];
    await idOf(add('--scope', 'read', '--issuer', 'https://gitlab.example', ...claims));
    const { out } = await person.run(['trust', 'ls']);
    expect(out).toContain('project_id=7 ref_path=refs/heads/main');
  });

  test.each([
    ['no scope', ['--environment', 'production', ...IDS], /--scope must be/],
    ['any branch', ['--scope', 'read', ...IDS], /environment, ref or job_workflow_ref/],
    [
      'a branch of GitLab that may be a tag',
      [
        '--scope',
        'read',
        '--issuer',
        'https://gitlab.example',
        '--claim',
        'project_id=7',
        '--claim',
        'ref=main',
      ],
      /ref_path, ref with ref_type or environment with environment_protected/,
    ],
    [
      'a name',
      ['--scope', 'read', ...IDS, '--ref', 'x', '--claim', 'repository=acme/orders'],
      /repository_id/,
    ],
  ])('add refuses %s, and says what to give', async (_, given, why) => {
    const said = await person.run(['trust', 'add', 'orders', ...given]);
    expect(said.code).not.toBe(0);
    expect(said.errors).toMatch(why);
  });
});

describe('a pipeline', () => {
  test('signs in once for each command, and shows nothing of what it signs in by', async () => {
    const id = await idOf(add('--scope', 'read', ...IDS, '--environment', 'production'));
    const github = besideGitHub();
    const environment = { ...GITHUB_GIVES, HOSTED_MCP_TRUST: id };
    for (const args of [['ls'], ['ls', '--json']]) {
      const said = await pipeline.run(args, { environment, fetch: github.fetch });
      expect(said).toMatchObject({ code: 0 });
      for (const secret of github.secrets) expect(said.out + said.errors).not.toContain(secret);
    }
    expect(github.asked).toHaveLength(2);
    expect(github.exchanges).toHaveLength(2);
    expect(github.secrets).toHaveLength(5);
    expect(new URL(github.asked[0]!).searchParams.get('audience')).toBe(service.baseUrl);
    const { out } = await person.run(['trust', 'ls', '--json']);
    expect(out).toMatch(/"used_on": "\d{4}-\d{2}-\d{2}"/);
  });

  test('that is refused hears which claim differs, and nothing else', async () => {
    const id = await idOf(add('--scope', 'read', ...IDS, '--environment', 'production'));
    const github = besideGitHub({ environment: 'staging' });
    const environment = { ...GITHUB_GIVES, HOSTED_MCP_TRUST: id };
    const said = await pipeline.run(['ls'], { environment, fetch: github.fetch });
    expect(said.code).not.toBe(0);
    expect(said.errors).toContain('environment is "staging"');
    for (const secret of github.secrets) expect(said.out + said.errors).not.toContain(secret);
  });

  test('shows a token that its platform gave to one command', async () => {
    const id = await idOf(add('--scope', 'read', ...IDS, '--environment', 'production'));
    const given = await idToken();
    const environment = { HOSTED_MCP_TRUST: id, HOSTED_MCP_ID_TOKEN: given };
    expect(await pipeline.run(['ls'], { environment })).toMatchObject({ code: 0 });
    const again = await pipeline.run(['ls'], { environment });
    expect(again.code).not.toBe(0);
    expect(again.errors).toContain('used before');
    expect(again.out + again.errors).not.toContain(given);
  });
});
