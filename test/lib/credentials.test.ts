import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { allGrants, grantsOf, type Statement, synthesized } from '../support/synthesized.ts';

type Store = 'secrets-manager' | 'envelope';

const stores: readonly Store[] = ['secrets-manager', 'envelope'];
const templates = new Map<Store, Template>();

for (const credentialStore of stores) {
  beforeAll(async () => {
    templates.set(credentialStore, await synthesized({ credentialStore }));
  });
}

const templateOf = (store: Store): Template => templates.get(store)!;

/** Statements of the policy of the credentials' key. */
const keyPolicy = (store: Store): readonly Statement[] => {
  const [key] = Object.entries(templateOf(store).findResources('AWS::KMS::Key')).flatMap(
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
const useBy = (store: Store, name: string) =>
  usesOf(store).find(({ Principal }) => text(Principal).includes(`Functions${name}Role`));
const statement = (store: Store, name: string, sid: string) =>
  grantsOf(templateOf(store), name).find(({ Sid }) => Sid === sid);

describe.each(stores)('the key of credentials in the store %s', (store) => {
  test('is used by two roles, which its policy names, and by nobody else', () => {
    expect(usesOf(store)).toHaveLength(2);
    expect(useBy(store, 'Credentials')).toBeDefined();
    expect(useBy(store, 'Management')).toBeDefined();
  });

  test('is administered by the account, which can neither encrypt nor decrypt with it', () => {
    const administration = keyPolicy(store).filter(({ Principal }) =>
      text(Principal).includes(':root'),
    );
    expect(administration).toHaveLength(1);
    for (const action of administration.flatMap(actionsOf)) {
      expect(action).not.toMatch(/crypt|DataKey|CreateGrant|\*/i);
    }
  });

  test('says in its policy what the policies of the two roles say', () => {
    for (const name of ['Credentials', 'Management']) {
      const granted = statement(store, name, 'UseCredentialsKey');
      const { Action, Condition } = useBy(store, name) ?? {};
      expect({ Action, Condition }).toEqual({
        Action: granted?.Action,
        Condition: granted?.Condition,
      });
    }
  });

  test('appears in no policy of another function', () => {
    for (const name of ['Router', 'Oauth']) {
      expect(text(grantsOf(templateOf(store), name))).not.toMatch(/KeysCredentials|secretsmanager/);
    }
  });
});

describe('credentials in Secrets Manager', () => {
  const store = 'secrets-manager';

  test('are read by the broker alone', () => {
    const readers = allGrants(templateOf(store)).filter((granted) =>
      actionsOf(granted).some(
        (action) => action.endsWith('SecretValue') && !action.endsWith('PutSecretValue'),
      ),
    );
    expect(readers).toEqual([statement(store, 'Credentials', 'ReadCredentials')]);
  });

  test('stand below one prefix, which both functions are bound to', () => {
    for (const [name, sid] of [
      ['Credentials', 'ReadCredentials'],
      ['Management', 'WriteCredentials'],
    ] as const) {
      expect(text(statement(store, name, sid)?.Resource)).toContain(
        ':secret:Service/credentials/*"',
      );
    }
  });

  test('have a key that works by way of Secrets Manager only, for secrets below the prefix', () => {
    for (const { Condition } of usesOf(store)) {
      expect(Condition).toMatchObject({
        StringEquals: { 'kms:ViaService': expect.anything() },
        StringLike: { 'kms:EncryptionContext:SecretARN': expect.anything() },
      });
      expect(text(Condition)).toContain('secretsmanager.');
      expect(text(Condition)).toContain(':secret:Service/credentials/*');
    }
    expect(text(useBy(store, 'Credentials'))).not.toContain('RequestToValidateKeyAccess');
  });

  test('have no part in the table of envelopes', () => {
    expect(text(allGrants(templateOf(store)))).not.toContain('DataCredentials');
  });
});

describe('credentials in envelopes', () => {
  const store = 'envelope';

  test('are written by management, which cannot read them, and read by the broker, which cannot write', () => {
    const granted = allGrants(templateOf(store)).filter(({ Resource }) =>
      text(Resource).includes('DataCredentials'),
    );
    expect(granted.map(actionsOf).toSorted()).toEqual([
      ['dynamodb:GetItem'],
      ['dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
    ]);
    expect(useBy(store, 'Management')?.Action).toBe('kms:GenerateDataKey');
    expect(useBy(store, 'Credentials')?.Action).toBe('kms:Decrypt');
  });

  test('have a key that works for a deployment and its owner only', () => {
    for (const { Condition } of usesOf(store)) {
      expect(Condition).toEqual({
        'ForAllValues:StringEquals': {
          'kms:EncryptionContextKeys': ['deployment_id', 'owner_id'],
        },
        Null: {
          'kms:EncryptionContext:deployment_id': 'false',
          'kms:EncryptionContext:owner_id': 'false',
        },
      });
    }
  });

  test('need no secret', () => {
    expect(text(allGrants(templateOf(store)))).not.toContain('secretsmanager');
  });
});

describe('the credential broker', () => {
  test('has no route, no URL and no permission for anybody to invoke it but the router', () => {
    const template = templateOf('secrets-manager');
    const integrations = template.findResources('AWS::ApiGatewayV2::Integration');
    expect(text(integrations)).not.toContain('FunctionsCredentials');
    expect(text(template.findResources('AWS::Lambda::Permission'))).not.toContain(
      'FunctionsCredentials',
    );
    template.resourceCountIs('AWS::Lambda::Url', 0);
    template.resourceCountIs('AWS::Lambda::EventSourceMapping', 0);

    const invokers = allGrants(template).filter(
      (granted) =>
        actionsOf(granted).includes('lambda:InvokeFunction') &&
        text(granted).includes('FunctionsCredentials'),
    );
    expect(invokers).toEqual([statement('secrets-manager', 'Router', 'AskForCredentials')]);
  });
});
