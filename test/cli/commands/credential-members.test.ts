import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aMachineFor, type TestMachine } from '../../support/cli/command-line.ts';

const RECIPE = { algorithm: 'sha256', signed: '{body}', headers: { 'X-Signature': '{signature}' } };
const JWK = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', d: 'd' };

let machine: TestMachine;
beforeAll(async () => {
  machine = await aMachineFor('https://mcp.example.com/v1');
  await writeFile(join(machine.folder, 'recipe.json'), JSON.stringify(RECIPE));
  await writeFile(join(machine.folder, 'client.pem'), 'the certificate\n');
  await writeFile(join(machine.folder, 'key.pem'), 'the key\n');
});
afterAll(() => machine.remove());

/** What the command sends to the service. @param line - `FOLDER` is where the files are */
const setting = async (line: string, input: string) => {
  const sent: unknown[] = [];
  const args = line.replaceAll('FOLDER', machine.folder).split(' ');
  const said = await machine.run(['credential', 'set', 'books', '--value-stdin', ...args], {
    input,
    environment: { HOSTED_MCP_TOKEN: 'token' },
    fetch: async (_, { method, body }) => {
      if (method === 'PUT') sent.push(JSON.parse(String(body)));
      return Response.json({ origins: [] });
    },
  });
  return { ...said, sent };
};

describe('credential set', () => {
  test.each([
    ['--type bearer', 'k', { type: 'bearer', token: 'k' }],
    ['--type api_key --name X', 'k', { type: 'api_key', name: 'X', in: 'header', value: 'k' }],
    [
      '--type api_key --name x --in query --scheme one --scheme two --origin https://a.example',
      'k',
      {
        type: 'api_key',
        name: 'x',
        in: 'query',
        value: 'k',
        schemes: ['one', 'two'],
        origins: ['https://a.example'],
      },
    ],
    ['--type basic --username ada', 'k', { type: 'basic', username: 'ada', password: 'k' }],
    ['--type basic --username=', 'k', { type: 'basic', username: '', password: 'k' }],
    [
      '--type oauth_client --issuer https://i.example --client-id me --client-auth post --scope a --scope b --audience x --resource y:z',
      'k',
      {
        type: 'oauth_client',
        issuer: 'https://i.example',
        client_id: 'me',
        client_auth: 'post',
        scopes: ['a', 'b'],
        audience: 'x',
        resource: 'y:z',
        client_secret: 'k',
      },
    ],
    [
      '--type oauth_client --token-url https://i.example/token --client-id me --client-auth private_key_jwt',
      JSON.stringify(JWK),
      {
        type: 'oauth_client',
        token_url: 'https://i.example/token',
        client_id: 'me',
        client_auth: 'private_key_jwt',
        private_jwk: JWK,
      },
    ],
    [
      '--type session --login login --token-at /token --field user=a=b --field pass --place cookie:sid --prefix=p --lifetime 60 --expiry /end',
      'k',
      {
        type: 'session',
        login: 'login',
        token: '/token',
        fields: { user: 'a=b', pass: 'k' },
        in: 'cookie',
        name: 'sid',
        prefix: 'p',
        lifetime_seconds: 60,
        expiry: '/end',
      },
    ],
    ['--type hmac --recipe-file FOLDER/recipe.json', 'k', { type: 'hmac', ...RECIPE, secret: 'k' }],
    [
      '--type mutual_tls --certificate-file FOLDER/client.pem --key-file FOLDER/key.pem',
      '',
      { type: 'mutual_tls', certificate: 'the certificate', private_key: 'the key' },
    ],
    [
      '--type aws --role-arn arn --region eu-west-1 --service s3 --name-user --duration 900',
      '',
      {
        type: 'aws',
        role_arn: 'arn',
        region: 'eu-west-1',
        service: 's3',
        name_user: true,
        duration_seconds: 900,
      },
    ],
  ])('%s sends what the kind consists of', async (line, input, body) => {
    const said = await setting(line, input);

    expect(said).toMatchObject({ code: 0, errors: '' });
    expect(said.sent).toEqual([body]);
  });

  test.each([
    ['--type api_key', '--name is missing'],
    ['--type api_key --name x --in body', '--in must be one of header, query, cookie, not "body"'],
    ['--type oauth_client --issuer https://i.example', '--client-id is missing'],
    ['--type oauth_client --client-id me', '--token-url'],
    ['--type session --token-at /token', '--login is missing'],
    ['--type session --login login', '--token-at is missing'],
    ['--type hmac', '--recipe-file is missing'],
    ['--type mutual_tls --key-file key.pem', '--certificate-file'],
    ['--type aws --role-arn arn --service s3', '--region is missing'],
    ['--type api_key --name x --prefix=token', 'write what stands before it into the value'],
    ['--type bearer --username ada', 'it is for basic'],
    ['--type bearer --name-user', '--name-user is not for credentials of type bearer'],
    ['--type session --login login --token-at /t --scope a', 'it is for oauth_client'],
  ])('%s says what is wrong', async (line, what) => {
    const said = await setting(line, 'k');

    expect(said).toMatchObject({ code: 2, sent: [] });
    expect(said.errors).toContain(what);
  });
});
