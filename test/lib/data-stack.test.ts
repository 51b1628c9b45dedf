import { describe, expect, test } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import { functions } from '../../lambdas/manifest.ts';
import { buckets, tables } from '../../lambdas/storage-manifest.ts';
import { type Statement, synthesized } from '../support/stacks/synthesized.ts';

const { data: template } = synthesized();

/** Statements of the data key's policy that allow its use. */
const dataKeyUses = (): readonly Statement[] =>
  Object.entries(template.findResources('AWS::KMS::Key'))
    .filter(([id]) => id.startsWith('KeysData'))
    .flatMap(([, key]) => key['Properties'].KeyPolicy.Statement as Statement[])
    .filter(({ Action }) => [Action].flat().some((action) => /Crypt|DataKey|\*/i.test(action)));

const bucketOf = (name: string) =>
  Object.entries(template.findResources('AWS::S3::Bucket')).find(([id]) =>
    id.startsWith(`Data${name}`),
  )?.[1];

/** A joined value as one text, with what is known at the deployment as JSON. */
const plain = (value: unknown): string => {
  const parts = (value as { 'Fn::Join'?: [string, unknown[]] })['Fn::Join']?.[1] ?? [value];
  return parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join('');
};

describe('the template of the stack of data', () => {
  test('has encryption, deletion protection and time to live on every table', () => {
    const resources = Object.values(template.findResources('AWS::DynamoDB::Table'));
    expect(resources).toHaveLength(Object.keys(tables).length);
    for (const table of resources) {
      expect(table).toMatchObject({
        DeletionPolicy: 'RetainExceptOnCreate',
        UpdateReplacePolicy: 'Retain',
        Properties: {
          BillingMode: 'PAY_PER_REQUEST',
          DeletionProtectionEnabled: true,
          SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
        },
      });
    }
    const swept = resources.map(
      (table) => table['Properties'].TimeToLiveSpecification?.AttributeName as string | undefined,
    );
    expect(swept.sort()).toEqual(
      Object.values(tables)
        .map((table) => table.timeToLive)
        .sort(),
    );
  });

  test('makes tables with indexes one after the other, since DynamoDB makes no two at a time', () => {
    const indexed = Object.entries(template.findResources('AWS::DynamoDB::Table')).filter(
      ([, { Properties }]) => Properties.GlobalSecondaryIndexes,
    );
    const ids = indexed.map(([id]) => id);
    const before = indexed.map(([, { DependsOn }]) =>
      (DependsOn as readonly string[]).filter((id) => ids.includes(id)),
    );
    // One waits for none, and every other for one that no third waits for.
    const all = Object.values(tables).filter(({ indexes }) => indexes.length > 0);
    expect(ids).toHaveLength(all.length);
    expect(before.filter(({ length }) => length === 0)).toHaveLength(1);
    expect(before.flat()).toHaveLength(ids.length - 1);
    expect(new Set(before.flat()).size).toBe(ids.length - 1);
  });

  test('puts nothing secret of users into their index', () => {
    template.hasResourceProperties('AWS::DynamoDB::Table', {
      GlobalSecondaryIndexes: [
        Match.objectLike({
          IndexName: 'by-email',
          Projection: {
            ProjectionType: 'INCLUDE',
            NonKeyAttributes: ['id', 'plan', 'operator', 'createdAt'],
          },
        }),
      ],
    });
  });

  test('has private and encrypted buckets that require TLS', () => {
    template.resourceCountIs('AWS::S3::Bucket', Object.keys(buckets).length);
    template.allResourcesProperties('AWS::S3::Bucket', {
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [
          Match.objectLike({
            ServerSideEncryptionByDefault: {
              SSEAlgorithm: 'aws:kms',
              KMSMasterKeyID: { 'Fn::GetAtt': [Match.stringLikeRegexp('^KeysData'), 'Arn'] },
            },
          }),
        ],
      },
    });
    template.resourceCountIs('AWS::S3::BucketPolicy', Object.keys(buckets).length);
    // Buckets that stay after their stack are not left without it.
    for (const policy of Object.values(template.findResources('AWS::S3::BucketPolicy'))) {
      expect(policy['DeletionPolicy']).toBe('RetainExceptOnCreate');
    }
    template.allResourcesProperties('AWS::S3::BucketPolicy', {
      PolicyDocument: Match.objectLike({
        Statement: Match.arrayWith([
          Match.objectLike({
            Effect: 'Deny',
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          }),
        ]),
      }),
    });
  });

  test('expires stored answers after a day, in a bucket that keeps no former version of them', () => {
    const bucket = bucketOf('Answers');
    expect(bucket?.['Properties'].VersioningConfiguration).toBeUndefined();
    expect(bucket?.['Properties'].LifecycleConfiguration).toEqual({
      Rules: [{ ExpirationInDays: 1, Status: 'Enabled' }],
    });
  });

  test('keeps former versions of descriptions as long as tables can be restored', () => {
    const bucket = bucketOf('Descriptions');
    expect(bucket?.['Properties'].VersioningConfiguration).toEqual({ Status: 'Enabled' });
    expect(bucket?.['Properties'].LifecycleConfiguration).toEqual({
      Rules: [
        {
          Prefix: 'deployments/',
          NoncurrentVersionExpiration: { NoncurrentDays: 35 },
          ExpiredObjectDeleteMarker: true,
          AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
          Status: 'Enabled',
        },
      ],
    });
  });

  test('has a log group for each function, for the canary and for requests, of 90 days and under the data key', () => {
    const groups = Object.entries(template.findResources('AWS::Logs::LogGroup'));
    expect(groups).toHaveLength(Object.keys(functions).length + 2);
    for (const [id, group] of groups) {
      expect(group).toMatchObject({
        // That of the canary says nothing of anybody, and its name is free for the next one.
        DeletionPolicy: id.startsWith('LogsCanary') ? 'Delete' : 'RetainExceptOnCreate',
        Properties: {
          RetentionInDays: 90,
          KmsKeyId: { 'Fn::GetAtt': [expect.stringMatching(/^KeysData/), 'Arn'] },
        },
      });
    }
  });

  test('lets CloudWatch Logs use the data key for its own log groups only', () => {
    const use = dataKeyUses().find(({ Principal }) => JSON.stringify(Principal).includes('"logs.'));
    const [bound, ...others] = Object.entries(use?.Condition ?? {});
    expect(others).toEqual([]);
    const [operator, condition] = bound as [string, Record<string, unknown[]>];
    expect(operator).toBe('ArnLike');
    const patterns = condition['kms:EncryptionContext:aws:logs:arn'] ?? [];
    expect(patterns).toHaveLength(2);

    const names = Object.values(template.findResources('AWS::Logs::LogGroup')).map((group) =>
      plain(group['Properties'].LogGroupName),
    );
    const prefixes = patterns.map((pattern) => plain(pattern).split(':log-group:')[1]);
    for (const prefix of prefixes) expect(prefix).toMatch(/^\/.*HostedMcp-prod-Data-[^*]*\/\*$/);
    for (const name of names) {
      expect(prefixes.some((prefix) => name.startsWith(prefix!.slice(0, -1)))).toBe(true);
    }
  });

  test('has two signing keys for sessions and two for minted tokens, which can only sign and verify', () => {
    const signing = Object.values(template.findResources('AWS::KMS::Key')).filter(
      ({ Properties }) => Properties.KeySpec === 'ECC_NIST_P256',
    );

    expect(signing.map(({ Properties }) => Properties.KeyUsage)).toEqual(
      Array(4).fill('SIGN_VERIFY'),
    );
  });

  test('lets the account administer every key, aliases and rotation too, and use none directly', () => {
    const policies = Object.values(template.findResources('AWS::KMS::Key')).map(
      (key) => key['Properties'].KeyPolicy.Statement as Statement[],
    );
    expect(policies).toHaveLength(6);
    for (const statements of policies) {
      const administration = statements.find(({ Sid }) => Sid === 'AdministrationByTheAccount');
      const actions = [administration?.Action ?? []].flat();
      expect(actions).toEqual(
        expect.arrayContaining([
          'kms:CreateAlias',
          'kms:UpdateAlias',
          'kms:DeleteAlias',
          'kms:RotateKeyOnDemand',
          'kms:PutKeyPolicy',
        ]),
      );
      expect(actions.filter((action) => /crypt|DataKey|Grant$|Sign|\*/i.test(action))).toEqual([
        'kms:RevokeGrant',
      ]);
    }
  });

  test('allows decryption with the data key only through AWS services', () => {
    const uses = dataKeyUses().filter(
      ({ Principal }) => !JSON.stringify(Principal).includes('"Service"'),
    );
    expect(uses).toHaveLength(1);
    const conditions = uses.map(({ Condition }) => Condition as ThroughServices);
    const services = conditions.flatMap(({ StringEquals }) => StringEquals['kms:ViaService']);
    expect(services.map((one) => /"(\w+)\./.exec(JSON.stringify(one))?.[1])).toEqual([
      'dynamodb',
      's3',
      'sqs',
      'backup',
    ]);
  });
});

describe('a stage that does not keep its data', () => {
  const { data } = synthesized({ name: 'dev', retainData: false, backup: false });

  test('removes all it has stored with the stack, and protects nothing', () => {
    const policies = Object.values(data.toJSON()['Resources'] as Record<string, Kept>).map(
      ({ DeletionPolicy }) => DeletionPolicy,
    );
    expect(policies).not.toContain('Retain');
    expect(policies).not.toContain('RetainExceptOnCreate');
    for (const table of Object.values(data.findResources('AWS::DynamoDB::Table'))) {
      expect(table['Properties'].DeletionProtectionEnabled).toBe(false);
    }
  });
});

interface Kept {
  readonly DeletionPolicy?: string;
}

interface ThroughServices {
  readonly StringEquals: { readonly 'kms:ViaService': readonly unknown[] };
}
