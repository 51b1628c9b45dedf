import { Arn, ArnFormat, Duration, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AccountPrincipal,
  AccountRootPrincipal,
  PolicyDocument,
  PolicyStatement,
} from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { through } from '../permissions/statements.ts';

export interface KeysProps {
  readonly removalPolicy: RemovalPolicy;
  readonly signingKeys: readonly number[];
  /** Whether the data key encrypts a backup vault, too. */
  readonly backup: boolean;
  readonly copyBackupsTo: string | undefined;
}

/**
 * Key policies let the account administer keys, but not decrypt with them: the data key works only through AWS
 * services, the key of credentials only for the functions that its policy names.
 */
export class Keys extends Construct {
  /** Encrypts tables, buckets, log groups, and the queue of unsent mails. */
  readonly data: Key;
  /** Encrypts credentials of deployments. Its policy names its users: see `credentials.ts`. */
  readonly credentials: Key;
  /** Keys that sign sessions with ES256, one after the other; their private halves never leave KMS. */
  readonly signing: readonly Key[];
  /** Keys that sign minted tokens; each belongs to the signing key at the same place. */
  readonly minting: readonly Key[];

  constructor(
    scope: Construct,
    id: string,
    { removalPolicy, signingKeys, backup, copyBackupsTo }: KeysProps,
  ) {
    super(scope, id);

    this.data = encryptionKey(this, 'Data', removalPolicy, 'tables, descriptions and logs', [
      useThrough(this, ['dynamodb', 's3', 'sqs', ...(backup ? ['backup'] : [])]),
      ...(copyBackupsTo === undefined ? [] : copyFromAnotherAccount(this, copyBackupsTo)),
    ]);
    this.credentials = encryptionKey(
      this,
      'Credentials',
      removalPolicy,
      'credentials for target APIs',
    );

    const signing = (name: string, what: string): readonly Key[] =>
      signingKeys.map(
        (number) =>
          // The first key had no number once, and logical ids must not change.
          new Key(this, number === 1 ? name : `${name}${number}`, {
            description: `Hosted MCP: signs ${what} (${number})`,
            keySpec: KeySpec.ECC_NIST_P256,
            keyUsage: KeyUsage.SIGN_VERIFY,
            removalPolicy,
            policy: new PolicyDocument({ statements: [administration(), signAndVerify(this)] }),
          }),
      );
    this.signing = signing('Signing', 'sessions');
    this.minting = signing('Minting', 'minted tokens');
  }
}

/** @param uses - statements besides that of administration */
export const encryptionKey = (
  scope: Construct,
  id: string,
  removalPolicy: RemovalPolicy,
  what: string,
  uses: readonly PolicyStatement[] = [],
): Key =>
  new Key(scope, id, {
    description: `Hosted MCP: ${what}`,
    enableKeyRotation: true,
    rotationPeriod: Duration.days(365),
    removalPolicy,
    policy: new PolicyDocument({ statements: [administration(), ...uses] }),
  });

/** All actions on a key but its use. In a key policy `*` means the key itself. */
const administration = (): PolicyStatement =>
  new PolicyStatement({
    sid: 'AdministrationByTheAccount',
    principals: [new AccountRootPrincipal()],
    actions: [
      'kms:CancelKeyDeletion',
      'kms:CreateAlias',
      'kms:DeleteAlias',
      'kms:DescribeKey',
      'kms:DisableKey',
      'kms:DisableKeyRotation',
      'kms:EnableKey',
      'kms:EnableKeyRotation',
      'kms:GetKeyPolicy',
      'kms:GetKeyRotationStatus',
      'kms:ListGrants',
      'kms:ListKeyPolicies',
      'kms:ListKeyRotations',
      'kms:ListResourceTags',
      'kms:PutKeyPolicy',
      'kms:RevokeGrant',
      'kms:RotateKeyOnDemand',
      'kms:ScheduleKeyDeletion',
      'kms:TagResource',
      'kms:UntagResource',
      'kms:UpdateAlias',
      'kms:UpdateKeyDescription',
    ],
    resources: ['*'],
  });

/** What an AWS service needs of a key that encrypts its data. */
export const ENCRYPTION_ACTIONS = [
  'kms:Decrypt',
  'kms:DescribeKey',
  'kms:Encrypt',
  'kms:GenerateDataKey',
  'kms:GenerateDataKeyWithoutPlaintext',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
];

/** Lets IAM policies of this account allow the key's use, but only through these services. */
const useThrough = (scope: Construct, services: readonly string[]): PolicyStatement => {
  return new PolicyStatement({
    sid: 'UseThroughStorageOnly',
    principals: [new AccountRootPrincipal()],
    actions: [
      'kms:CreateGrant',
      ...ENCRYPTION_ACTIONS,
      // Creating a vault needs RetireGrant. Source: AWS Backup, "Backup vault creation and deletion".
      ...(services.includes('backup') ? ['kms:RetireGrant'] : []),
    ],
    resources: ['*'],
    conditions: {
      StringEquals: {
        'kms:CallerAccount': Stack.of(scope).account,
        ...through(scope, services).StringEquals,
      },
    },
  });
};

/**
 * AWS Backup re-encrypts copies in the other account, for which it must read the originals: whoever
 * may read the copies there can read the same data. Vaults of this account in other regions need no statement. Source: AWS Storage Blog, "Create and share encrypted backups across accounts and
 * Regions using AWS Backup".
 */
const copyFromAnotherAccount = (scope: Construct, vault: string): PolicyStatement[] => {
  const { account: ours } = Stack.of(scope);
  const { account = '' } = Arn.split(vault, ArnFormat.COLON_RESOURCE_NAME);
  const anotherAccount = { StringNotEquals: { 'kms:CallerAccount': ours } };
  const principals = [new AccountPrincipal(account)];
  return [
    new PolicyStatement({
      sid: 'CopyBackupsToAnotherAccount',
      principals,
      actions: ENCRYPTION_ACTIONS,
      resources: ['*'],
      conditions: anotherAccount,
    }),
    new PolicyStatement({
      sid: 'LetBackupOfAnotherAccountUseIt',
      principals,
      actions: ['kms:CreateGrant', 'kms:ListGrants', 'kms:RevokeGrant'],
      resources: ['*'],
      conditions: { ...anotherAccount, Bool: { 'kms:GrantIsForAWSResource': 'true' } },
    }),
  ];
};

/** Lets IAM policies of this account allow signing, and reading the public key. */
const signAndVerify = (scope: Construct): PolicyStatement =>
  new PolicyStatement({
    sid: 'SignAndVerifyOnly',
    principals: [new AccountRootPrincipal()],
    actions: ['kms:DescribeKey', 'kms:GetPublicKey', 'kms:Sign', 'kms:Verify'],
    resources: ['*'],
    conditions: { StringEquals: { 'kms:CallerAccount': Stack.of(scope).account } },
  });
