import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aMachineFor, type TestMachine } from '../support/cli/command-line.ts';
import { type SignedIn, signedIn } from '../support/service/signed-in.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

const KEY = 'aeT3zah9Ohsh7Ien5uyo';

let service: WholeService;
let machine: TestMachine;
let owner: SignedIn;
beforeAll(async () => {
  service = await startWholeService({ active_deployments_per_user: 1000 });
  machine = await aMachineFor(service.baseUrl);
  owner = await signedIn(service);
  const { email, password } = owner.person;
  await machine.run(['login', email, '--password-stdin'], { input: password });
});
afterAll(async () => {
  await machine.remove();
  await service.stop();
});

const SCHEMES = {
  key: { type: 'apiKey', in: 'header', name: 'X-Books-Key' },
  hostile: { type: 'apiKey', in: 'query', name: "k'; $(id)" },
  login: { type: 'oauth2', flows: {} },
  digest: { type: 'http', scheme: 'Digest' },
  fleet: {
    type: 'oauth2',
    flows: {
      clientCredentials: {
        tokenUrl: 'https://login.example.com/token',
        scopes: { read: 'Reads.', write: 'Writes.' },
      },
    },
  },
};

const file = async (name: string, ...security: readonly (readonly string[])[]): Promise<string> => {
  const path = join(machine.folder, `${name}.json`);
  const paths = Object.fromEntries(
    security.map((schemes, at) => [
      `/books/${at}`,
      {
        get: {
          security: schemes.map((scheme) => ({ [scheme]: [] })),
          responses: { 200: { description: 'Done.' } },
        },
      },
    ]),
  );
  const openapi = {
    openapi: '3.1.0',
    info: { title: name, version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    paths,
    components: { securitySchemes: SCHEMES },
  };
  await writeFile(path, JSON.stringify(openapi));
  return path;
};

describe('what the description asks of a credential', () => {
  test('is said by check and deploy, with the command that sets it', async () => {
    const path = await file('one', ['key'], ['key']);

    const checked = await machine.run(['check', path, '--slug', 'one']);
    expect(checked.out).toContain(
      '2 operations (GET /books/0, ...) want a key in the header X-Books-Key.\n' +
        '  npx --no-install hosted-mcp credential set one --type api_key --name X-Books-Key --in header',
    );

    const deployed = await machine.run(['deploy', path, '--slug', 'one']);
    expect(deployed).toMatchObject({ code: 0 });
    expect(deployed.errors).toContain(
      'credential set one --type api_key --name X-Books-Key --in header',
    );
    expect(deployed.errors).not.toContain('if its API wants one');
  });

  test('needs no type where there is one way', async () => {
    await machine.run(['deploy', await file('two', ['key']), '--slug', 'two']);

    const set = await machine.run(['credential', 'set', 'two', '--value-stdin'], { input: KEY });

    expect(set).toMatchObject({ code: 0 });
    expect((await owner.send('GET', '/deployments/two/credential')).body).toMatchObject({
      type: 'api_key',
      name: 'X-Books-Key',
      in: 'header',
    });
  });

  test("needs no name of a key where there is one, and has one of its own beside another's", async () => {
    const path = await file('six', ['login'], ['key'], ['key']);
    const deployed = await machine.run(['deploy', path, '--slug', 'six']);
    expect(deployed.errors).toContain('credential set six --type api_key --name X-Books-Key');
    expect(deployed.errors).toContain('credential set six --credential NAME --type bearer');

    const set = ['credential', 'set', 'six', '--type', 'api_key', '--value-stdin'];
    expect(await machine.run(set, { input: KEY })).toMatchObject({ code: 0 });
    expect((await owner.send('GET', '/deployments/six/credential')).body).toMatchObject({
      name: 'X-Books-Key',
      in: 'header',
    });

    await machine.run(['deploy', await file('seven', ['key'], ['hostile']), '--slug', 'seven']);
    const unclear = ['credential', 'set', 'seven', '--type', 'api_key', '--value-stdin'];
    expect((await machine.run(unclear, { input: KEY })).errors).toContain('--name is missing');
  });

  test('is an OAuth client where the description has one, whose secret goes where a person agrees', async () => {
    const options =
      "--type oauth_client --token-url 'https://login.example.com/token' --client-id 'ID' --scope 'read' --scope 'write'";
    const { errors } = await machine.run([
      'deploy',
      await file('fleet', ['fleet']),
      '--slug',
      'fleet',
    ]);
    expect(errors).toContain('wants a bearer token. Set as an OAuth client, it is renewed.');
    expect(errors.replaceAll("'", '')).toContain(
      `credential set fleet ${options.replaceAll("'", '')}`,
    );
    const { body } = await owner.send('GET', '/deployments/fleet/doctor');
    expect(JSON.stringify(body)).toContain(
      'credential set fleet --type oauth_client --token-url https://login.example.com/token --client-id ID --scope read --scope write',
    );

    const set = ['credential', 'set', 'fleet', '--client-id', 'me'];
    const unseen = await machine.run([...set, '--value-stdin'], { input: KEY });
    expect(unseen.code).toBe(2);
    expect(unseen.errors).toContain('the description says https://login.example.com/token');

    const agreed = await machine.run(set, { typed: ['', KEY] });
    expect(agreed).toMatchObject({ code: 0 });
    expect((await owner.send('GET', '/deployments/fleet/credential')).body).toMatchObject({
      type: 'oauth_client',
      token_url: 'https://login.example.com/token',
      client_id: 'me',
      scopes: ['read', 'write'],
    });
  });

  test('needs a type where there are two ways, or none is described', async () => {
    await machine.run(['deploy', await file('three', ['key', 'login']), '--slug', 'three']);
    await machine.run(['deploy', await file('four', []), '--slug', 'four']);

    for (const slug of ['three', 'four']) {
      const set = await machine.run(['credential', 'set', slug, '--value-stdin'], { input: KEY });
      expect(set.code).toBe(2);
      expect(set.errors).toContain('give --type, one of bearer, api_key, basic');
    }
  });

  test('names what ends, and what no credential can be', async () => {
    const path = await file('five', ['login'], ['digest']);

    const { out } = await machine.run(['check', path]);

    expect(out).toContain('a bearer token. It works until it ends: nothing renews it.');
    expect(out).toContain(
      '1 operation (GET /books/1) wants what no credential here can be: digest.',
    );
  });

  test('is one word of the printed command, whatever the description says', async () => {
    const { out } = await machine.run(['check', await file('six', ['hostile'])]);

    expect(out).toContain(String.raw`--name 'k'\''; $(id)' --in query`);
  });

  test.each([
    ['Authorization', `; --prefix '' sends the token without "Bearer ".`],
    ['X-Session', " --place 'header:X-Session'\n"],
  ])('is a login where the description has one, and no fixed key in %s', async (name, said) => {
    const token = { type: 'object', properties: { token: { type: 'string' } } };
    const done = { description: 'Done.', content: { 'application/json': { schema: token } } };
    const path = join(machine.folder, `login-${name}.json`);
    const openapi = {
      openapi: '3.1.0',
      info: { title: 'Store', version: '1' },
      servers: [{ url: 'https://api.example.com' }],
      security: [{ key: [] }],
      paths: {
        '/v3/auth/authenticate': {
          post: { security: [], responses: { 200: done } },
        },
        '/v3/items': { get: { responses: { 200: { description: 'Done.' } } } },
      },
      components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name } } },
    };
    await writeFile(path, JSON.stringify(openapi));
    const slug = `login-${name.toLowerCase()}`;

    const checked = await machine.run(['check', path, '--slug', slug]);
    const deployed = await machine.run(['deploy', path, '--slug', slug]);

    for (const text of [checked.out, deployed.errors]) {
      expect(text).toContain(
        `credential set ${slug} --type session --login 'POST /v3/auth/authenticate' --token-at '/token' --field username --field password`,
      );
      expect(text).toContain(said);
      expect(text).not.toContain('--type api_key');
    }
  });

  test('is a warning where the credential that is set is something else', async () => {
    await machine.run(['deploy', await file('seven', ['key']), '--slug', 'seven']);

    const set = await machine.run(
      ['credential', 'set', 'seven', '--type', 'bearer', '--value-stdin'],
      { input: KEY },
    );

    const what =
      '1 operation (GET /books/0) wants an API key in the header X-Books-Key, which the credential that is set is not';
    expect(set.errors).toContain(what);
    expect((await owner.send('GET', '/deployments/seven')).body['warnings']).toContainEqual(
      expect.objectContaining({ what }),
    );
    const { body } = await owner.send('GET', '/deployments/seven/doctor');
    expect(JSON.stringify(body)).toContain('It is sent with each call, but 1 operation');
  });
});
