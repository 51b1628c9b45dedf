import { ArnFormat, Stack } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { IPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { FunctionName } from '../../lambdas/manifest.ts';
import type { Stage } from '../stage/stage.ts';
import { allow } from '../permissions/statements.ts';

/** Where the credentials of deployments are kept. */
export interface CredentialPlace {
  readonly store: Stage['credentialStore'];
  /** Encrypts them in either store. */
  readonly key: Key;
  /** Of envelopes. */
  readonly table: Table;
}

/** Names of secrets are this, a slash, and the deployment's id. */
export const credentialPrefix = (stack: Stack): string => `${stack.stackName}/credentials`;

type Uses = readonly (readonly [sid: string, actions: string[]])[];

interface Use {
  readonly store: Uses;
  readonly key: string[];
}

/** One function writes and cannot read, one reads and cannot write, one removes and compares, the others do nothing. */
const USES: Readonly<Record<Stage['credentialStore'], Partial<Record<FunctionName, Use>>>> = {
  'secrets-manager': {
    management: {
      store: [
        [
          'WriteCredentials',
          [
            'secretsmanager:PutSecretValue',
            'secretsmanager:RestoreSecret',
            'secretsmanager:TagResource',
          ],
        ],
        ['CreateCredentials', ['secretsmanager:CreateSecret']],
        ['RemoveCredentials', ['secretsmanager:DeleteSecret']],
      ],
      // Secrets Manager asks for Decrypt as well when it creates a secret, and when a write is repeated,
      // to compare. It shows the caller nothing of it.
      key: ['kms:GenerateDataKey', 'kms:Decrypt'],
    },
    maintenance: {
      store: [
        ['RemoveCredentials', ['secretsmanager:DeleteSecret']],
        // Which versions there are, without what is in them.
        ['CompareCredentials', ['secretsmanager:DescribeSecret']],
      ],
      key: [],
    },
    credentials: {
      store: [['ReadCredentials', ['secretsmanager:GetSecretValue']]],
      key: ['kms:Decrypt'],
    },
  },
  envelope: {
    management: {
      store: [['WriteCredentials', ['dynamodb:UpdateItem', 'dynamodb:DeleteItem']]],
      key: ['kms:GenerateDataKey'],
    },
    maintenance: {
      store: [
        ['RemoveCredentials', ['dynamodb:DeleteItem']],
        // It cannot open what it reads: the key is not its.
        ['CompareCredentials', ['dynamodb:GetItem']],
      ],
      key: [],
    },
    credentials: {
      store: [['ReadCredentials', ['dynamodb:GetItem']]],
      key: ['kms:Decrypt'],
    },
  },
};

/** What a function may do with credentials, for its own policy. */
export const credentialGrants = (
  name: FunctionName,
  place: CredentialPlace,
): readonly PolicyStatement[] => {
  const uses = USES[place.store][name];
  if (!uses) return [];
  const { key, store, table } = place;
  const resource = store === 'envelope' ? table.tableArn : secretsArn(Stack.of(key));
  return [
    ...uses.store.map(([sid, actions]) =>
      allow(sid, [resource], actions, conditionsOf(sid, place)),
    ),
    ...(uses.key.length > 0
      ? [allow('UseCredentialsKey', [key.keyArn], uses.key, boundTo(name, place))]
      : []),
  ];
};

/** Names roles in the policy of the credentials' key, which gives nobody else its use. */
export const nameCredentialsKeyUsers = (
  roles: Readonly<Record<FunctionName, IPrincipal>>,
  place: CredentialPlace,
): void => {
  for (const [name, uses] of Object.entries(USES[place.store]) as [FunctionName, Use][]) {
    if (uses.key.length === 0) continue;
    const statement = allow(`UseBy${name}`, ['*'], uses.key, boundTo(name, place));
    statement.addPrincipals(roles[name]);
    place.key.addToResourcePolicy(statement);
  }
};

export const secretsArn = (stack: Stack): string =>
  stack.formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName: `${credentialPrefix(stack)}/*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });

/** A secret is made under our key alone, and nobody deletes one so that it cannot be restored. */
const conditionsOf = (
  sid: string,
  { store, key }: CredentialPlace,
): Record<string, unknown> | undefined => {
  if (store === 'envelope') return undefined;
  if (sid === 'CreateCredentials') {
    return { StringEquals: { 'secretsmanager:KmsKeyArn': key.keyArn } };
  }
  return sid === 'RemoveCredentials'
    ? { NumericGreaterThanEquals: { 'secretsmanager:RecoveryWindowInDays': '7' } }
    : undefined;
};

/** For what the key may be used: secrets of ours by way of Secrets Manager, or envelopes that say whose they are. */
const boundTo = (name: FunctionName, { key, store }: CredentialPlace): Record<string, unknown> => {
  const stack = Stack.of(key);
  if (store === 'envelope') {
    return {
      'ForAllValues:StringEquals': {
        'kms:EncryptionContextKeys': ['deployment_id', 'owner_id'],
      },
      Null: {
        'kms:EncryptionContext:deployment_id': 'false',
        'kms:EncryptionContext:owner_id': 'false',
      },
    };
  }
  return {
    StringEquals: { 'kms:ViaService': `secretsmanager.${stack.region}.${stack.urlSuffix}` },
    StringLike: {
      'kms:EncryptionContext:SecretARN': [
        secretsArn(stack),
        // Under this name Secrets Manager tries whether whoever creates a secret may use its key.
        ...(name === 'management' ? ['RequestToValidateKeyAccess'] : []),
      ],
    },
  };
};
