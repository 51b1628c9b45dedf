import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import {
  CREDENTIAL_STORES,
  type CredentialStore,
} from '../../layers/credentials/rules/credential-stores.ts';
import { ASSUMABLE_ROLES, storesInUse } from '../../local/run/policies.ts';
import { policiesOf, policyFile, type PolicyTemplate } from '../../lib/permissions/policies.ts';
import { allGrants, grantsOf, type Statement, synthesized } from '../support/stacks/synthesized.ts';

const stores = CREDENTIAL_STORES;
type Store = CredentialStore;
const otherThan = (store: Store): Store => (store === 'envelope' ? 'secrets-manager' : 'envelope');
const stacksOf = (store: Store, former?: Store) =>
  synthesized({
    credentialStore: store,
    credentialStoreFormer: former,
    releases: 'all_at_once',
    backup: false,
    canary: undefined,
    assumableRoles: [ASSUMABLE_ROLES],
  });

describe.each(
  stores.flatMap((store) => [[store, undefined] as const, [store, otherThan(store)] as const]),
)('the policies that the local run enforces with the store %s after %s', (store, former) => {
  test('are those of the template: `npm run policies` writes them', () => {
    const { data, service } = stacksOf(store, former);
    const templates = [data, service].map((one) => one.toJSON() as PolicyTemplate);
    const mail = { from: 'hosted-mcp@mail.acme.com', identity: 'mail.acme.com' };
    const url = new URL(`../../local/policies/${storesInUse(store, former)}.json`, import.meta.url);

    expect(readFileSync(url, 'utf8')).toBe(
      policyFile(policiesOf(templates, { stackName: 'HostedMcp-prod-Data', mail })),
    );
  });
});

/** Statements of the policy of the credentials' key. */
const keyPolicy = (store: Store): readonly Statement[] => {
  const [key] = Object.entries(stacksOf(store).data.findResources('AWS::KMS::Key')).flatMap(
    ([id, found]) => (id.startsWith('KeysCredentials') ? [found] : []),
  );
  return key?.['Properties'].KeyPolicy.Statement;
};
const actionsOf = ({ Action }: Statement) => [Action].flat();
const text = (value: unknown) => JSON.stringify(value);
const usesOf = (store: Store) =>
  keyPolicy(store).filter((statement) =>
    actionsOf(statement).some((action) => /crypt|DataKey|CreateGrant|\*/i.test(action)),
  );
const usesOfCredentials = (store: Store) =>
  usesOf(store).filter(({ Sid }) => Sid?.startsWith('UseCredentials'));
const useBy = (store: Store, name: string) =>
  usesOfCredentials(store).find(({ Principal }) => text(Principal).includes(`Roles${name}`));
const statement = (store: Store, name: string, sid: string) =>
  grantsOf(stacksOf(store), name).find(({ Sid }) => Sid === sid);

describe.each(stores)('the KMS key of credentials with the store %s', (store) => {
  test('can be used by exactly four roles, two of them for what they keep themselves', () => {
    expect(usesOf(store).map(({ Sid }) => Sid)).toEqual([
      'UseCredentialsBymanagement',
      'UseCredentialsBycredentials',
      'UseCredentialsByconnections',
      'UseTokensKeyByconnections',
      'UseSignInKeyByidentity',
    ]);
    for (const name of ['Credentials', 'Connections', 'Management']) {
      expect(useBy(store, name)).toBeDefined();
    }
  });

  test('opens secrets of our clients at providers for one function alone, bound to the provider', () => {
    const granted = statement(store, 'Identity', 'UseSignInKey');
    const named = usesOf(store).find(({ Sid }) => Sid === 'UseSignInKeyByidentity');
    expect(text(named?.Principal)).toContain('RolesIdentity');
    expect({ Action: named?.Action, Condition: named?.Condition }).toEqual({
      Action: granted?.Action,
      Condition: granted?.Condition,
    });
    expect(granted?.Condition).toEqual({
      'ForAllValues:StringEquals': {
        'kms:EncryptionContextKeys': ['provider', 'subject', 'use'],
      },
      StringEquals: { 'kms:EncryptionContext:use': 'sign-in' },
      Null: { 'kms:EncryptionContext:provider': 'false' },
    });
  });

  test('opens tokens for the function that asks for them alone, bound to what they are for', () => {
    const granted = statement(store, 'Connections', 'UseTokensKey');
    const named = usesOf(store).find(({ Sid }) => Sid === 'UseTokensKeyByconnections');
    expect(text(named?.Principal)).toContain('RolesConnections');
    expect({ Action: named?.Action, Condition: named?.Condition }).toEqual({
      Action: granted?.Action,
      Condition: granted?.Condition,
    });
    expect(granted?.Condition).toEqual({
      'ForAllValues:StringEquals': {
        'kms:EncryptionContextKeys': ['deployment_id', 'credential', 'subject', 'use'],
      },
      StringEquals: { 'kms:EncryptionContext:use': 'connection' },
      Null: {
        'kms:EncryptionContext:deployment_id': 'false',
        'kms:EncryptionContext:credential': 'false',
      },
    });
  });

  test('is administered by the account, which cannot encrypt or decrypt with it', () => {
    const administration = keyPolicy(store).filter(({ Principal }) =>
      text(Principal).includes(':root'),
    );
    expect(administration).toHaveLength(1);
    for (const action of administration.flatMap(actionsOf)) {
      expect(action).not.toMatch(/crypt|DataKey|CreateGrant|\*/i);
    }
  });

  test('has the same statements as the policies of the three roles', () => {
    for (const name of ['Credentials', 'Connections', 'Management']) {
      const granted = statement(store, name, 'UseCredentialsKey');
      const { Action, Condition } = useBy(store, name) ?? {};
      expect({ Action, Condition }).toEqual({
        Action: granted?.Action,
        Condition: granted?.Condition,
      });
    }
  });

  test('is in no policy of another function', () => {
    for (const name of ['Router', 'Oauth']) {
      expect(text(grantsOf(stacksOf(store), name))).not.toMatch(/KeysCredentials|secretsmanager/);
    }
  });
});

describe('target API credentials in Secrets Manager', () => {
  const store = 'secrets-manager';

  test('can be read by two functions only, each of which reads nothing of the other', () => {
    const readers = allGrants(stacksOf(store)).filter((granted) =>
      actionsOf(granted).some(
        (action) => action.endsWith('SecretValue') && !action.endsWith('PutSecretValue'),
      ),
    );
    expect(readers).toEqual([
      statement(store, 'Credentials', 'ReadCredentials'),
      statement(store, 'Connections', 'ReadCredentials'),
    ]);
  });

  test('have prefixes to which the functions are restricted', () => {
    for (const [name, sid, prefix] of [
      ['Credentials', 'ReadCredentials', 'credentials'],
      ['Connections', 'ReadCredentials', 'credentials-connected'],
      ['Management', 'WriteCredentials', 'credentials*'],
    ] as const) {
      expect(text(statement(store, name, sid)?.Resource)).toContain(
        `:secret:HostedMcp-prod-Data/${prefix}/*"`,
      );
    }
  });

  test('have a key that works only through Secrets Manager and below the prefix', () => {
    for (const { Condition } of usesOfCredentials(store)) {
      expect(Condition).toMatchObject({
        StringEquals: { 'kms:ViaService': expect.anything() },
        StringLike: { 'kms:EncryptionContext:SecretARN': expect.anything() },
      });
      expect(text(Condition)).toContain('secretsmanager.');
      expect(text(Condition)).toMatch(
        /:secret:HostedMcp-prod-Data\/credentials(?:-connected|\*)?\/\*/,
      );
    }
    expect(text(useBy(store, 'Credentials'))).not.toContain('RequestToValidateKeyAccess');
  });

  test('are created under their own key only', () => {
    const { Action, Condition } = statement(store, 'Management', 'CreateCredentials') ?? {};
    expect(Action).toBe('secretsmanager:CreateSecret');
    expect(text(Condition)).toMatch(
      /^\{"StringEquals":\{"secretsmanager:KmsKeyArn":\{"Fn::GetStackOutput":.*FnGetAttKeysCredentials/,
    );
    const creating = allGrants(stacksOf(store)).filter((granted) =>
      actionsOf(granted).includes('secretsmanager:CreateSecret'),
    );
    expect(creating).toHaveLength(1);
  });

  test.each(['Management', 'Maintenance'])('are removed by %s for a week first', (name) => {
    expect(statement(store, name, 'RemoveCredentials')?.Condition).toEqual({
      NumericGreaterThanEquals: { 'secretsmanager:RecoveryWindowInDays': '7' },
    });
    const deleting = allGrants(stacksOf(store)).filter((granted) =>
      actionsOf(granted).includes('secretsmanager:DeleteSecret'),
    );
    expect(deleting).toHaveLength(2);
  });

  test('do not use the DynamoDB table of envelopes', () => {
    expect(text(allGrants(stacksOf(store)))).not.toContain('DataCredentials');
  });
});

describe('target API credentials in envelopes', () => {
  const store = 'envelope';

  test('are written by management only, opened by the two that answer the router, compared and removed by maintenance too', () => {
    const granted = allGrants(stacksOf(store)).filter(({ Resource }) =>
      text(Resource).includes('DataCredentials'),
    );
    expect(granted.map(actionsOf).toSorted()).toEqual([
      ['dynamodb:DeleteItem'],
      ['dynamodb:DeleteItem'],
      ['dynamodb:GetItem'],
      ['dynamodb:GetItem'],
      ['dynamodb:GetItem'],
      ['dynamodb:UpdateItem'],
    ]);
    expect(useBy(store, 'Maintenance')).toBeUndefined();
    expect(useBy(store, 'Management')?.Action).toBe('kms:GenerateDataKey');
    expect(useBy(store, 'Credentials')?.Action).toBe('kms:Decrypt');
  });

  test('have a key that works only with deployment, owner and use in the encryption context', () => {
    const owner = ['deployment_id', 'owner_id'];
    const ofConnections = { StringEquals: { 'kms:EncryptionContext:use': 'connection' } };
    for (const [name, keys, more] of [
      ['Credentials', owner, {}],
      ['Connections', [...owner, 'use'], ofConnections],
      ['Management', [...owner, 'use'], {}],
    ] as const) {
      expect(useBy(store, name)?.Condition).toEqual({
        'ForAllValues:StringEquals': { 'kms:EncryptionContextKeys': keys },
        ...more,
        Null: {
          'kms:EncryptionContext:deployment_id': 'false',
          'kms:EncryptionContext:owner_id': 'false',
        },
      });
    }
  });

  test('are told apart by their keys for the two that read them', () => {
    for (const [name, keys] of [
      ['Credentials', 'CREDENTIAL#*'],
      ['Connections', 'CONNECTED#*'],
    ] as const) {
      expect(statement(store, name, 'ReadCredentials')?.Condition).toEqual({
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [keys] },
      });
    }
  });

  test('do not use Secrets Manager', () => {
    expect(text(allGrants(stacksOf(store)))).not.toContain('secretsmanager');
  });
});

describe.each(stores)('target API credentials that move to the store %s', (store) => {
  const stacks = stacksOf(store, otherThan(store));
  const grants = (name: string) =>
    grantsOf(stacks, name)
      .filter(({ Sid }) => Sid?.includes('Credentials'))
      .map(({ Sid }) => Sid);

  test('are read where they were by the broker and by maintenance, and written by nobody there', () => {
    expect(grants('Credentials').filter((sid) => sid?.includes('Former'))).toEqual([
      'ReadFormerCredentials',
      'UseFormerCredentialsKey',
    ]);
    expect(grants('Maintenance').filter((sid) => sid?.includes('Former'))).toEqual([
      'ReadFormerCredentials',
      'RemoveFormerCredentials',
      'CompareFormerCredentials',
      'UseFormerCredentialsKey',
    ]);
    expect(grants('Management').filter((sid) => sid?.includes('Former'))).toEqual([
      'RemoveFormerCredentials',
    ]);
  });

  test('are written where they go by management and maintenance, and read there by the broker alone', () => {
    expect(grants('Maintenance')).toContain('WriteCredentials');
    expect(grants('Maintenance')).not.toContain('ReadCredentials');
    expect(grants('Management')).not.toContain('ReadCredentials');
    expect(grants('Credentials')).not.toContain('WriteCredentials');
  });
});

describe.each(['FunctionsCredentials', 'FunctionsConnections'])('the function %s', (name) => {
  test('can be invoked by the router only', () => {
    const stacks = stacksOf('secrets-manager');
    const { service: template } = stacks;
    const integrations = template.findResources('AWS::ApiGatewayV2::Integration');
    expect(text(integrations)).not.toContain(name);
    expect(text(template.findResources('AWS::Lambda::Permission'))).not.toContain(name);
    template.resourceCountIs('AWS::Lambda::Url', 0);
    expect(text(template.findResources('AWS::Lambda::EventSourceMapping'))).not.toContain(name);

    const invokers = allGrants(stacks).filter(
      (granted) =>
        actionsOf(granted).includes('lambda:InvokeFunction') && text(granted).includes(name),
    );
    expect(invokers).toEqual([statement('secrets-manager', 'Router', 'AskForCredentials')]);
  });
});
