import { ArnFormat, Stack } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { IPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { FunctionName } from '../../lambdas/manifest.ts';
import {
  connectedPrefix,
  type CredentialStore,
} from '../../layers/credentials/rules/credential-stores.ts';
import { allow, leadingKeys } from '../permissions/statements.ts';

export interface CredentialPlace {
  readonly store: CredentialStore;
  /** The store used before, which still has some credentials. */
  readonly former?: CredentialStore | undefined;
  readonly key: Key;
  readonly table: Table;
}

/** Prefix of secret names, before a slash, the deployment's id and the credential's name (unless `main`). */
export const credentialPrefix = (stack: Stack): string => `${stack.stackName}/credentials`;

type Power = 'write' | 'remove' | 'compare' | 'read';

/** Powers over the current store: no function both writes and reads credentials. */
const USES: Partial<Record<FunctionName, readonly Power[]>> = {
  management: ['write', 'remove'],
  maintenance: ['remove', 'compare'],
  credentials: ['read'],
  connections: ['read'],
};

/** The two functions that read credentials read different ones; functions not listed here reach both kinds. */
const READERS: Partial<Record<FunctionName, Source>> = {
  credentials: 'store',
  connections: 'connections',
};

/** Which function answers the router for a kind of credential, as in `CREDENTIAL_KINDS`. */
type Source = 'store' | 'connections';

/** While a former store is named, `maintenance`, which has no routes, moves its credentials. */
const USES_WITH_FORMER: Partial<Record<FunctionName, readonly Power[]>> = {
  ...USES,
  maintenance: ['write', 'remove', 'compare'],
};
const USES_OF_FORMER: Partial<Record<FunctionName, readonly Power[]>> = {
  management: ['remove'],
  maintenance: ['read', 'remove', 'compare'],
  credentials: ['read'],
  connections: ['read'],
};

interface Needs {
  readonly store: readonly (readonly [verb: string, actions: string[]])[];
  readonly key: string[];
}

const NEEDS: Readonly<Record<CredentialStore, Readonly<Record<Power, Needs>>>> = {
  'secrets-manager': {
    write: {
      store: [
        [
          'Write',
          [
            'secretsmanager:PutSecretValue',
            'secretsmanager:RestoreSecret',
            'secretsmanager:TagResource',
          ],
        ],
        ['Create', ['secretsmanager:CreateSecret']],
      ],
      // Secrets Manager asks for Decrypt when it creates a secret, and to compare repeated writes. The caller sees
      // nothing of it.
      key: ['kms:GenerateDataKey', 'kms:Decrypt'],
    },
    remove: { store: [['Remove', ['secretsmanager:DeleteSecret']]], key: [] },
    // DescribeSecret lists versions without their contents.
    compare: { store: [['Compare', ['secretsmanager:DescribeSecret']]], key: [] },
    read: { store: [['Read', ['secretsmanager:GetSecretValue']]], key: ['kms:Decrypt'] },
  },
  envelope: {
    write: { store: [['Write', ['dynamodb:UpdateItem']]], key: ['kms:GenerateDataKey'] },
    remove: { store: [['Remove', ['dynamodb:DeleteItem']]], key: [] },
    // Items can be read, but not opened without the key.
    compare: { store: [['Compare', ['dynamodb:GetItem']]], key: [] },
    read: { store: [['Read', ['dynamodb:GetItem']]], key: ['kms:Decrypt'] },
  },
};

interface Use {
  readonly name: FunctionName;
  readonly store: CredentialStore;
  /** Name of the store in statements, to tell both stores apart. */
  readonly what: string;
  readonly needs: readonly Needs[];
}

const usesOf = ({ store, former }: CredentialPlace): readonly Use[] => [
  ...usesIn(store, former ? USES_WITH_FORMER : USES, 'Credentials'),
  ...(former ? usesIn(former, USES_OF_FORMER, 'FormerCredentials') : []),
];

const usesIn = (
  store: CredentialStore,
  uses: Partial<Record<FunctionName, readonly Power[]>>,
  what: string,
): readonly Use[] =>
  Object.entries(uses).map(([name, powers]) => ({
    name: name as FunctionName,
    store,
    what,
    needs: powers.map((power) => NEEDS[store][power]),
  }));

const keyActions = ({ needs }: Use): string[] => [...new Set(needs.flatMap(({ key }) => key))];

export const credentialGrants = (
  name: FunctionName,
  place: CredentialPlace,
): readonly PolicyStatement[] => {
  const { key, table } = place;
  const uses = usesOf(place).filter((use) => use.name === name);
  return uses.flatMap((use) => {
    const { store, what, needs } = use;
    const resource = store === 'envelope' ? table.tableArn : secretsArn(Stack.of(key), name);
    const ofKey = keyActions(use);
    return [
      ...needs
        .flatMap((need) => need.store)
        .map(([verb, actions]) =>
          allow(`${verb}${what}`, [resource], actions, conditionsOf(verb, use, key)),
        ),
      ...(ofKey.length > 0 ? [allow(`Use${what}Key`, [key.keyArn], ofKey, boundTo(use, key))] : []),
    ];
  });
};

/** Adds to the key's policy the roles that may use it; no others may. */
export const nameCredentialsKeyUsers = (
  roles: Readonly<Record<FunctionName, IPrincipal>>,
  place: CredentialPlace,
): void => {
  for (const use of usesOf(place)) {
    const actions = keyActions(use);
    if (actions.length === 0) continue;
    const statement = allow(`Use${use.what}By${use.name}`, ['*'], actions, boundTo(use, place.key));
    statement.addPrincipals(roles[use.name]);
    place.key.addToResourcePolicy(statement);
  }
  const tokens = allow('UseTokensKeyByconnections', ['*'], SEAL, OF_TOKENS);
  tokens.addPrincipals(roles.connections);
  place.key.addToResourcePolicy(tokens);
  const secrets = allow('UseSignInKeyByidentity', ['*'], SEAL, OF_SIGN_IN);
  secrets.addPrincipals(roles.identity);
  place.key.addToResourcePolicy(secrets);
};

const SEAL = ['kms:GenerateDataKey', 'kms:Decrypt'];

/** Each token is sealed for its deployment and credential, and for its caller where it is a caller's. */
const OF_TOKENS = {
  'ForAllValues:StringEquals': {
    'kms:EncryptionContextKeys': ['deployment_id', 'credential', 'subject', 'use'],
  },
  StringEquals: { 'kms:EncryptionContext:use': 'connection' },
  Null: {
    'kms:EncryptionContext:deployment_id': 'false',
    'kms:EncryptionContext:credential': 'false',
  },
};

/** Lets a function seal and open the tokens that others gave for credentials, in either store. */
export const tokenGrant = (key: Key): PolicyStatement =>
  allow('UseTokensKey', [key.keyArn], SEAL, OF_TOKENS);

/**
 * Each secret is sealed for its provider, and what a provider gave for a person for that person, too. `use` keeps other
 * functions from opening them.
 */
const OF_SIGN_IN = {
  'ForAllValues:StringEquals': { 'kms:EncryptionContextKeys': ['provider', 'subject', 'use'] },
  StringEquals: { 'kms:EncryptionContext:use': 'sign-in' },
  Null: { 'kms:EncryptionContext:provider': 'false' },
};

/** Lets a function seal and open our client secrets at identity providers, and what these gave for people. */
export const providerSecretGrant = (key: Key): PolicyStatement =>
  allow('UseSignInKey', [key.keyArn], SEAL, OF_SIGN_IN);

/** ARN pattern of all secrets, or of those that a function may read. */
export const secretsArn = (stack: Stack, name?: FunctionName): string => {
  const prefix = credentialPrefix(stack);
  const source = name && READERS[name];
  const names: Readonly<Record<Source | 'both', string>> = {
    store: prefix,
    connections: connectedPrefix(prefix),
    // One pattern instead of two: the size of role policies is limited.
    both: `${prefix}*`,
  };
  return stack.formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName: `${names[source ?? 'both']}/*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
};

const ENVELOPES: Readonly<Record<Source, string>> = {
  store: 'CREDENTIAL#*',
  connections: 'CONNECTED#*',
};

/** Secrets can be created only under our key, and deleted only with a time for recovery. */
const conditionsOf = (
  verb: string,
  { name, store }: Use,
  key: Key,
): Record<string, unknown> | undefined => {
  const source = READERS[name];
  if (store === 'envelope') return source && leadingKeys(ENVELOPES[source]);
  if (verb === 'Create') return { StringEquals: { 'secretsmanager:KmsKeyArn': key.keyArn } };
  return verb === 'Remove'
    ? { NumericGreaterThanEquals: { 'secretsmanager:RecoveryWindowInDays': '7' } }
    : undefined;
};

/** Limits the key to our secrets by way of Secrets Manager, or to envelopes that name their owner. */
const boundTo = (use: Use, key: Key): Record<string, unknown> => {
  const stack = Stack.of(key);
  if (use.store === 'envelope') {
    // Envelopes that only `connections` may open carry `use`.
    const source = READERS[use.name];
    const names = ['deployment_id', 'owner_id', ...(source === 'store' ? [] : ['use'])];
    return {
      'ForAllValues:StringEquals': { 'kms:EncryptionContextKeys': names },
      ...(source === 'connections' && {
        StringEquals: { 'kms:EncryptionContext:use': 'connection' },
      }),
      Null: {
        'kms:EncryptionContext:deployment_id': 'false',
        'kms:EncryptionContext:owner_id': 'false',
      },
    };
  }
  const creates = use.needs.includes(NEEDS['secrets-manager'].write);
  return {
    StringEquals: { 'kms:ViaService': `secretsmanager.${stack.region}.${stack.urlSuffix}` },
    StringLike: {
      'kms:EncryptionContext:SecretARN': [
        secretsArn(stack, use.name),
        // Secrets Manager uses this name to check that whoever creates a secret may use its key.
        ...(creates ? ['RequestToValidateKeyAccess'] : []),
      ],
    },
  };
};
