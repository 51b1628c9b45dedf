import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { dynamoIdentityProviders } from '../../../layers/identity/store/providers.ts';
import { prepareProviders } from '../../../layers/identity/steps/prepare-providers.ts';
import { ApiRefusal } from '../../../layers/platform/rules/refusal/api-refusal.ts';
import { anOAuthService, type TestOAuth } from '../../support/oauth/oauth.ts';
import { anHttpServer } from '../../support/target/target-server.ts';

let service: TestOAuth;
let company: Awaited<ReturnType<typeof anHttpServer>>;
/** What each path of the company answers. */
const documents = new Map<string, object>();

beforeAll(async () => {
  service = await anOAuthService();
  company = await anHttpServer((request, response) => {
    const found = documents.get(request.url ?? '');
    response
      .writeHead(found ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(found ?? {}));
  });
});
afterAll(async () => {
  await service.stop();
  await company[Symbol.asyncDispose]();
});

const prepared = (over: object) => {
  const { registrableDomains, settings, users, web } = service.ports;
  const table = service.store.tableName('oauth');
  const identityProviderRegister = dynamoIdentityProviders(service.store.instance(), table);
  return prepareProviders({ identityProviderRegister, registrableDomains, settings, users, web }, [
    {
      id: 'acme',
      name: 'Acme',
      issuer: `${company.url}/login`,
      email_domains: ['acme.example'],
      deployments: 'all',
      ...over,
    },
  ]);
};

/** Publishes the metadata of an issuer, with its keys at an address of their own. */
const publish = (path: string, over: object = {}): void => {
  const issuer = `${company.url}${path}`;
  documents.set(`${path}/.well-known/openid-configuration`, {
    issuer,
    jwks_uri: `${issuer}/keys`,
    authorization_endpoint: `${issuer}/authorize?p=company`,
    token_endpoint: `${issuer}/token`,
    ...over,
  });
};

const faultsOf = async (over: object): Promise<unknown> => {
  const error: unknown = await prepared(over).catch((thrown: unknown) => thrown);
  return error instanceof ApiRefusal ? error.findings : error;
};

describe('a domain of everybody', () => {
  test.each(['co.uk', 'github.io', 'com'])('is no domain of a company: %s', async (domain) => {
    publish('/login');
    expect(await faultsOf({ email_domains: ['acme.co.uk', domain] })).toMatchObject([
      { where: '/0/email_domains/1', what: expect.stringContaining('anybody may register') },
    ]);
  });
});

describe('a provider whose assertions another issuer signs', () => {
  test('has keys for both, each where the metadata of its issuer say', async () => {
    publish('/login');
    publish('/org');
    const assertions = { issuer: `${company.url}/org` };
    const { providers } = await prepared({ assertions, sign_in: { client_id: 'c' } });

    expect(providers).toMatchObject([
      {
        jwks_uri: `${company.url}/login/keys`,
        endpoints: { authorization_endpoint: `${company.url}/login/authorize?p=company` },
        assertions: { ...assertions, jwks_uri: `${company.url}/org/keys` },
      },
    ]);
  });

  test('has those that the operator has written', async () => {
    publish('/login');
    const assertions = { issuer: `${company.url}/nowhere`, jwks_uri: `${company.url}/own-keys` };
    const { providers } = await prepared({ assertions });

    expect(providers).toMatchObject([{ jwks_uri: `${company.url}/login/keys`, assertions }]);
  });

  test.each([
    ['are nowhere', '/gone', undefined, 'nothing is at the addresses of its metadata'],
    ['are of another issuer', '/other', { issuer: 'https://evil.example' }, 'of another issuer'],
    ['name no keys', '/keyless', { jwks_uri: undefined }, 'name no jwks_uri'],
  ])('is refused where the metadata of that one %s', async (_, path, over, what) => {
    publish('/login');
    if (over) publish(path, over);

    expect(await faultsOf({ assertions: { issuer: `${company.url}${path}` } })).toEqual([
      {
        where: '/0/assertions/issuer',
        what: expect.stringContaining(what),
        hint: expect.stringContaining('jwks_uri beside it'),
      },
    ]);
  });

  test('is refused where its own issuer cannot be read, at that place', async () => {
    expect(await faultsOf({ issuer: `${company.url}/gone`, assertions: {} })).toMatchObject([
      { where: '/0/issuer' },
    ]);
  });
});
