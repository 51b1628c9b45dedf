import { ArnFormat, Stack, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Effect, type IPrincipal, type Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { FunctionName } from '../lambdas/manifest.ts';
import type { Stage } from './stage.ts';

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

/** One function writes and cannot read, one reads and cannot write, the others do neither. */
const USES: Readonly<
  Record<Stage['credentialStore'], Partial<Record<FunctionName, { store: Uses; key: string[] }>>>
> = {
  'secrets-manager': {
    management: {
      store: [
        [
          'WriteCredentials',
          [
            'secretsmanager:PutSecretValue',
            'secretsmanager:DeleteSecret',
            'secretsmanager:TagResource',
          ],
        ],
        ['CreateCredentials', ['secretsmanager:CreateSecret']],
      ],
      // Secrets Manager asks for Decrypt as well when it creates a secret, and when a write is repeated,
      // to compare. It shows the caller nothing of it.
      key: ['kms:GenerateDataKey', 'kms:Decrypt'],
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
      allow(sid, resource, actions, sid === 'CreateCredentials' ? underKey(place) : {}),
    ),
    allow('UseCredentialsKey', key.keyArn, uses.key, boundTo(name, place)),
  ];
};

/** Names a function's role in the policy of the credentials' key, which gives nobody else its use. */
export const grantCredentialsKey = (
  name: FunctionName,
  role: IPrincipal,
  place: CredentialPlace,
): void => {
  const uses = USES[place.store][name];
  if (!uses) return;
  const statement = allow(`UseBy${name}`, '*', uses.key, boundTo(name, place));
  statement.addPrincipals(role);
  place.key.addToResourcePolicy(statement);
};

/** The rules of the CDK see a wildcard in the names of secrets. */
export const acknowledgeSecrets = (policy: Policy): void => {
  Validations.of(policy).acknowledge({
    id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:secretsmanager:<AWS::Region>:<AWS::AccountId>:secret:${credentialPrefix(Stack.of(policy))}/*]`,
    reason: 'The secrets below one prefix: their names are the ids of deployments.',
  });
};

const secretsArn = (stack: Stack): string =>
  stack.formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName: `${credentialPrefix(stack)}/*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });

/** A secret made without the key would be under one that everybody in the account may use. */
const underKey = ({ key }: CredentialPlace): Record<string, unknown> => ({
  StringEquals: { 'secretsmanager:KmsKeyArn': key.keyArn },
});

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

const allow = (
  sid: string,
  resource: string,
  actions: string[],
  conditions: Record<string, unknown> = {},
): PolicyStatement =>
  new PolicyStatement({ sid, effect: Effect.ALLOW, resources: [resource], actions, conditions });
