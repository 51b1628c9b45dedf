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
  /** Where they were before, and some are still. */
  readonly former?: CredentialStore | undefined;
  /** Encrypts them in either store. */
  readonly key: Key;
  /** Of envelopes. */
  readonly table: Table;
}

/** Names of secrets are this, a slash, the deployment's id, and what the credential is called if not `main`. */
export const credentialPrefix = (stack: Stack): string => `${stack.stackName}/credentials`;

type Power = 'write' | 'remove' | 'compare' | 'read';

/** One function writes and cannot read, two read and cannot write, one removes and compares, the others do nothing. */
const USES: Partial<Record<FunctionName, readonly Power[]>> = {
  management: ['write', 'remove'],
  maintenance: ['remove', 'compare'],
  credentials: ['read'],
  connections: ['read'],
};

/** Whoever answers the router reads nothing that the other one does; the other functions reach both. */
const READERS: Partial<Record<FunctionName, Source>> = {
  credentials: 'store',
  connections: 'connections',
};

/** Kinds of credentials by who answers the router for them: `CREDENTIAL_KINDS`. */
type Source = 'store' | 'connections';

/** As long as a former store is named, the function without a route moves what is there. */
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
      // Secrets Manager asks for Decrypt as well when it creates a secret, and when a write is repeated,
      // to compare. It shows the caller nothing of it.
      key: ['kms:GenerateDataKey', 'kms:Decrypt'],
    },
    remove: { store: [['Remove', ['secretsmanager:DeleteSecret']]], key: [] },
    // Which versions there are, without what is in them.
    compare: { store: [['Compare', ['secretsmanager:DescribeSecret']]], key: [] },
    read: { store: [['Read', ['secretsmanager:GetSecretValue']]], key: ['kms:Decrypt'] },
  },
  envelope: {
    write: { store: [['Write', ['dynamodb:UpdateItem']]], key: ['kms:GenerateDataKey'] },
    remove: { store: [['Remove', ['dynamodb:DeleteItem']]], key: [] },
    // Without the key nothing that it reads can be opened.
    compare: { store: [['Compare', ['dynamodb:GetItem']]], key: [] },
    read: { store: [['Read', ['dynamodb:GetItem']]], key: ['kms:Decrypt'] },
  },
};

/** What one function may do in one of the stores. */
interface Use {
  readonly name: FunctionName;
  readonly store: CredentialStore;
  /** In the names of statements: those of the store before are told apart. */
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

/** Names roles in the policy of the credentials' key, which gives nobody else its use. */
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

/** Bound to the deployment and the name of the credential, and for tokens of one caller to that caller. */
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

/** To seal and to open tokens that others gave for credentials, wherever credentials are. */
export const tokenGrant = (key: Key): PolicyStatement =>
  allow('UseTokensKey', [key.keyArn], SEAL, OF_TOKENS);

/** Bound to the provider and, of what it gave for a person, to the person; and to nothing that another function may open. */
const OF_SIGN_IN = {
  'ForAllValues:StringEquals': { 'kms:EncryptionContextKeys': ['provider', 'subject', 'use'] },
  StringEquals: { 'kms:EncryptionContext:use': 'sign-in' },
  Null: { 'kms:EncryptionContext:provider': 'false' },
};

/** To seal and to open the secrets of our clients at identity providers, and what these gave for people. */
export const providerSecretGrant = (key: Key): PolicyStatement =>
  allow('UseSignInKey', [key.keyArn], SEAL, OF_SIGN_IN);

/** Of all secrets, or of those that a function may read. */
export const secretsArn = (stack: Stack, name?: FunctionName): string => {
  const prefix = credentialPrefix(stack);
  const source = name && READERS[name];
  const names: Readonly<Record<Source | 'both', string>> = {
    store: prefix,
    connections: connectedPrefix(prefix),
    // One ARN in place of two: the policies of roles have a size.
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

/** A secret is made under our key alone, and nobody deletes one so that it cannot be restored. */
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

/** For what the key may be used: secrets of ours by way of Secrets Manager, or envelopes that say whose they are. */
const boundTo = (use: Use, key: Key): Record<string, unknown> => {
  const stack = Stack.of(key);
  if (use.store === 'envelope') {
    // Envelopes that `connections` alone may open say what they are for.
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
        // Under this name Secrets Manager tries whether whoever creates a secret may use its key.
        ...(creates ? ['RequestToValidateKeyAccess'] : []),
      ],
    },
  };
};
