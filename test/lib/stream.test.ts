import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  App,
  CliCredentialsStackSynthesizer,
  DefaultStackSynthesizer,
  type IReusableStackSynthesizer,
} from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { type FunctionName, functions } from '../../lambdas/manifest.ts';
import { placeholderOf } from '../support/stacks/alarms.ts';
import type { File } from '../support/stacks/options.ts';
import { composeStacks } from '../../lib/stacks.ts';
import {
  context,
  deployedWith,
  shortBundles,
  type Statement,
  synthesized,
  type Synthesized,
} from '../support/stacks/synthesized.ts';

const NAMES = Object.keys(functions) as FunctionName[];
const TRAIL = {
  firehose: 'arn:aws:firehose:eu-central-1:111122223333:deliverystream/trail',
  kinesis: 'arn:aws:kinesis:eu-central-1:111122223333:stream/trail',
  logs: 'arn:aws:logs:eu-central-1:444455556666:destination:trail',
};

const withStream = (stream: File['stream'], over: Partial<File> = {}) =>
  synthesized({}, deployedWith({ stream, ...over }));

interface Resource {
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
}

const ofType = (of: Synthesized['data'], type: string) =>
  Object.entries(of.findResources(type)) as [string, Resource][];

/** Those that send lines out. */
const filtersOut = ({ service }: Synthesized) =>
  ofType(service, 'AWS::Logs::SubscriptionFilter')
    .map(([, { Properties }]) => Properties)
    .filter(({ FilterName }) => String(FilterName).endsWith('lines-out'));

/** What a role may that the construct of the stream has made. */
const grants = ({ service }: Pick<Synthesized, 'service'>, construct: RegExp) =>
  ofType(service, 'AWS::IAM::Policy')
    .filter(([id]) => construct.test(id))
    .flatMap(
      ([, { Properties }]) =>
        (Properties['PolicyDocument'] as { readonly Statement: readonly Statement[] }).Statement,
    );

describe('the functions whose lines go out', () => {
  /** Whether the wiring of a function makes what logs events. */
  const wires = (name: string) => {
    const folder = new URL(`../../lambdas/${name}/`, import.meta.url);
    return readdirSync(folder)
      .map((file) => readFileSync(new URL(file, folder), 'utf8'))
      .some((text) => /\b(?:dynamoEvents|eventsIn|stdoutCallLog)\(/.test(text));
  };

  test('are those that log events or calls', () => {
    expect(NAMES.filter((name) => functions[name].logsEvents)).toEqual(NAMES.filter(wires));
    expect(NAMES.filter(wires).length).toBeGreaterThan(5);
  });
});

describe('a stage without a stream', () => {
  test('has nothing of it', () => {
    const { data, service } = synthesized();

    expect(filtersOut(synthesized())).toEqual([]);
    expect(JSON.stringify([data.toJSON(), service.toJSON()])).not.toMatch(/Firehose|StreamLines/);
  });
});

describe('the filters of a stream', () => {
  const filters = filtersOut(withStream({ to: 'own' }));

  test('are one on each log group with such lines, by the version of a line', () => {
    expect(filters.map(({ LogGroupName }) => placeholderOf(LogGroupName)).toSorted()).toEqual(
      NAMES.filter((name) => functions[name].logsEvents)
        .map((name) => `Logs${name[0]?.toUpperCase()}${name.slice(1)}`)
        .toSorted(),
    );
    for (const { FilterPattern } of filters) expect(FilterPattern).toBe('{ $.schema = * }');
  });

  test('leave calls out where events alone are wanted', () => {
    for (const { FilterPattern } of filtersOut(withStream({ to: 'own', calls: false }))) {
      expect(FilterPattern).toBe('{ ($.schema = *) && ($.type = *) }');
    }
  });

  test('are two of a log group with those of activity, which is all that CloudWatch Logs takes', () => {
    const groups = ofType(withStream({ to: 'own' }).service, 'AWS::Logs::SubscriptionFilter').map(
      ([, { Properties }]) => placeholderOf(Properties['LogGroupName']),
    );
    for (const group of groups) {
      expect(groups.filter((one) => one === group).length).toBeLessThanOrEqual(2);
    }
  });

  test('are none on the log of what Firehose could not deliver', () => {
    const synthesis = withStream({ to: 'own' });
    const [, { Properties }] = ofType(
      synthesis.service,
      'AWS::KinesisFirehose::DeliveryStream',
    )[0]!;
    const { CloudWatchLoggingOptions } = Properties['ExtendedS3DestinationConfiguration'] as {
      readonly CloudWatchLoggingOptions: { readonly LogGroupName: unknown };
    };
    const group = placeholderOf(CloudWatchLoggingOptions.LogGroupName);

    expect(group).toBe('LogsStreamErrors');
    expect(
      filtersOut(synthesis).map(({ LogGroupName }) => placeholderOf(LogGroupName)),
    ).not.toContain(group);
  });
});

describe('a stream into the own bucket', () => {
  const synthesis = withStream({ to: 'own', keep_days: 30 });
  const bucketOf = ({ data }: Synthesized) =>
    ofType(data, 'AWS::S3::Bucket').find(([id]) => id.startsWith('StreamLines'))![1];
  const denialsOf = ({ data }: Synthesized) =>
    ofType(data, 'AWS::S3::BucketPolicy')
      .filter(([id]) => id.startsWith('StreamLines'))
      .flatMap(
        ([, { Properties }]) =>
          (Properties['PolicyDocument'] as { readonly Statement: readonly Statement[] }).Statement,
      )
      .filter(({ Effect }) => Effect === 'Deny');

  test('keeps versions, is encrypted with a bucket key, and empties itself', () => {
    expect(bucketOf(synthesis).Properties).toMatchObject({
      VersioningConfiguration: { Status: 'Enabled' },
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [
          {
            BucketKeyEnabled: true,
            ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms' },
          },
        ],
      },
      PublicAccessBlockConfiguration: { RestrictPublicBuckets: true, BlockPublicAcls: true },
      LifecycleConfiguration: {
        Rules: [
          { ExpirationInDays: 30, NoncurrentVersionExpiration: { NoncurrentDays: 1 } },
          { ExpiredObjectDeleteMarker: true },
        ],
      },
    });
    expect(denialsOf(synthesis)).toContainEqual(
      expect.objectContaining({ Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
    );
  });

  test('keeps lines as long as logs are kept, where nothing is said', () => {
    const { Properties } = bucketOf(
      withStream({ to: 'own' }, { limits: { log_retention_days: 100 } }),
    );
    expect(Properties).toMatchObject({
      LifecycleConfiguration: { Rules: [{ ExpirationInDays: 120 }, {}] },
    });
  });

  test('lets nobody delete lines, and nobody but a deployment change what keeps them', () => {
    const denials = denialsOf(synthesis);
    const denied = (action: string) =>
      denials.find(({ Action }) => [Action].flat().includes(action));

    expect(denied('s3:DeleteObject')).toMatchObject({ Principal: { AWS: '*' } });
    expect(denied('s3:DeleteObject')).not.toHaveProperty('Condition');
    expect(denied('s3:DeleteObjectVersion')).toBe(denied('s3:DeleteObject'));
    for (const action of [
      's3:PutLifecycleConfiguration',
      's3:PutBucketVersioning',
      's3:PutBucketPolicy',
      's3:DeleteBucketPolicy',
    ]) {
      expect(JSON.stringify(denied(action)?.Condition)).toMatch(
        /ArnNotLike.*role\/cdk-hnb659fds-cfn-exec-role-/,
      );
    }
  });

  test('lets nobody but Firehose write lines, or write over them', () => {
    const denial = denialsOf(synthesis).find(({ Action }) =>
      [Action].flat().includes('s3:PutObject'),
    );

    expect(denial).toMatchObject({
      Principal: { AWS: '*' },
      Action: ['s3:PutObject', 's3:ReplicateDelete', 's3:ReplicateObject'],
      Condition: { ArnNotEquals: { 'aws:PrincipalArn': expect.anything() } },
    });
    expect(placeholderOf(denial?.Condition)).toBe('StreamWriter');
    const [, { Properties }] = ofType(
      synthesis.service,
      'AWS::KinesisFirehose::DeliveryStream',
    )[0]!;
    const { RoleARN } = Properties['ExtendedS3DestinationConfiguration'] as {
      readonly RoleARN: unknown;
    };
    expect(placeholderOf(RoleARN)).toBe('StreamWriter');
  });

  test('names the role of whoever deploys an app, and none where people deploy as themselves', () => {
    const conditionIn = (synthesizer: CliCredentialsStackSynthesizer | DefaultStackSynthesizer) => {
      const folder = mkdtempSync(join(tmpdir(), 'hosted-mcp-stream-'));
      try {
        const app = new App({
          outdir: join(folder, 'cdk.out'),
          context,
          treeMetadata: false,
          builtinCloudFormationValidation: false,
          defaultStackSynthesizer: synthesizer as IReusableStackSynthesizer,
        });
        const stage = deployedWith({ stream: { to: 'own' } });
        const { data } = composeStacks(app, stage, shortBundles(folder));
        const policies = Template.fromStack(data).findResources('AWS::S3::BucketPolicy');
        return JSON.stringify(policies).match(/cdk-\w+-cfn-exec-role-/g);
      } finally {
        rmSync(folder, { recursive: true });
      }
    };

    expect(conditionIn(new DefaultStackSynthesizer({ qualifier: 'team' }))).toEqual([
      'cdk-team-cfn-exec-role-',
    ]);
    expect(conditionIn(new CliCredentialsStackSynthesizer())).toBeNull();
  });

  test('goes with a stage that keeps nothing', () => {
    const passing = withStream(
      { to: 'own' },
      { retain_data: false, backup: false, releases: 'all_at_once' },
    );

    expect(denialsOf(passing).map(({ Action }) => Action)).not.toContainEqual(
      expect.arrayContaining(['s3:DeleteObject']),
    );
    expect(bucketOf(passing).DeletionPolicy).toBe('Delete');
    expect(bucketOf(synthesis).DeletionPolicy).toBe('RetainExceptOnCreate');
    expect(JSON.stringify(passing.data.findResources('Custom::Emptying'))).toContain('StreamLines');
  });

  test('is of files of lines, unpacked and packed again, a folder a day', () => {
    synthesis.service.hasResourceProperties('AWS::KinesisFirehose::DeliveryStream', {
      DeliveryStreamType: 'DirectPut',
      DeliveryStreamEncryptionConfigurationInput: { KeyType: 'AWS_OWNED_CMK' },
      ExtendedS3DestinationConfiguration: {
        BufferingHints: { SizeInMBs: 64, IntervalInSeconds: 300 },
        CompressionFormat: 'GZIP',
        Prefix: 'v1/dt=!{timestamp:yyyy-MM-dd}/',
        ErrorOutputPrefix: 'errors/!{firehose:error-output-type}/dt=!{timestamp:yyyy-MM-dd}/',
        ProcessingConfiguration: {
          Enabled: true,
          Processors: [
            {
              Type: 'Decompression',
              Parameters: [{ ParameterName: 'CompressionFormat', ParameterValue: 'GZIP' }],
            },
            {
              Type: 'CloudWatchLogProcessing',
              Parameters: [{ ParameterName: 'DataMessageExtraction', ParameterValue: 'true' }],
            },
            { Type: 'AppendDelimiterToRecord' },
          ],
        },
      },
    });
  });

  test('is written by a role that reaches that bucket and nothing else of S3', () => {
    const statements = grants({ service: synthesis.data }, /^StreamGrants/);
    const onS3 = statements.filter(({ Action }) => JSON.stringify(Action).includes('s3:'));

    expect(onS3.flatMap(({ Action }) => Action).toSorted()).toEqual([
      's3:AbortMultipartUpload',
      's3:GetBucketLocation',
      's3:GetObject',
      's3:ListBucket',
      's3:ListBucketMultipartUploads',
      's3:PutObject',
    ]);
    for (const { Resource } of onS3) expect(JSON.stringify(Resource)).toContain('StreamLines');
  });
});

describe.each([
  [
    'firehose',
    ['firehose:PutRecord', 'firehose:PutRecordBatch'],
    ['kms:Decrypt', 'kms:GenerateDataKey'],
  ],
  ['kinesis', ['kinesis:PutRecord', 'kinesis:PutRecords'], 'kms:GenerateDataKey'],
] as const)('a stream to one of %s', (service, actions, encrypting) => {
  const to = TRAIL[service];
  const synthesis = withStream({ to });

  test('has a role that puts records there, encrypts them for it, and may do nothing else', () => {
    expect(grants(synthesis, /^LinesOut/)).toEqual([
      expect.objectContaining({ Effect: 'Allow', Action: actions, Resource: to }),
      expect.objectContaining({
        Effect: 'Allow',
        Action: encrypting,
        Resource: expect.objectContaining({ 'Fn::Join': ['', expect.arrayContaining([':key/*'])] }),
        Condition: {
          StringEquals: {
            'kms:ViaService': expect.anything(),
            ...(service === 'kinesis' && { 'kms:EncryptionContext:aws:kinesis:arn': to }),
          },
        },
      }),
    ]);
    expect(JSON.stringify(grants(synthesis, /^LinesOut/)[1])).toContain(`${service}.`);
    for (const filter of filtersOut(synthesis)) {
      expect(filter).toMatchObject({ DestinationArn: to });
      expect(placeholderOf(filter['RoleArn'])).toMatch(/^LinesOutRole/);
    }
  });

  test('has another role than one to another place, which filters take until they are changed', () => {
    const other = withStream({ to: `${to}-2` });
    const idsOf = (of: Synthesized) =>
      ['AWS::IAM::Role', 'AWS::IAM::Policy'].flatMap((type) =>
        ofType(of.service, type)
          .map(([id]) => id)
          .filter((id) => id.startsWith('LinesOut')),
      );

    expect(idsOf(synthesis)).toHaveLength(2);
    expect(idsOf(other)).toHaveLength(2);
    expect(idsOf(other).filter((id) => idsOf(synthesis).includes(id))).toEqual([]);
  });

  test('has no bucket and no Firehose of ours', () => {
    synthesis.service.resourceCountIs('AWS::KinesisFirehose::DeliveryStream', 0);
    expect(JSON.stringify(synthesis.data.toJSON())).not.toContain('StreamLines');
  });

  test('spreads lines over shards where there are any', () => {
    for (const { Distribution } of filtersOut(synthesis)) {
      expect(Distribution).toBe(service === 'kinesis' ? 'Random' : undefined);
    }
  });
});

describe('a stream into another account', () => {
  const synthesis = withStream({ to: TRAIL.logs });

  test('is let in by the policy of the destination, and has no role', () => {
    expect(grants(synthesis, /^LinesOut/)).toEqual([]);
    for (const filter of filtersOut(synthesis)) {
      expect(filter).toMatchObject({ DestinationArn: TRAIL.logs });
      expect(filter).not.toHaveProperty('RoleArn');
    }
  });

  test('has an alarm where it takes no lines, in a stage with few alarms as well', () => {
    const few = withStream({ to: TRAIL.logs }, { metrics: 'few' });
    for (const { service } of [synthesis, few]) {
      const alarms = ofType(service, 'AWS::CloudWatch::Alarm').map(([id]) => id);
      expect(alarms).toContainEqual(expect.stringMatching(/^AlarmsStreamUndelivered/));
      expect(alarms).toContainEqual(expect.stringMatching(/^AlarmsStreamThrottled/));
    }
  });
});
