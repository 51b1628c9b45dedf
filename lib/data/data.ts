import { Duration, type RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Bucket, type LifecycleRule } from 'aws-cdk-lib/aws-s3';
import { Construct, type IDependable } from 'constructs';
import {
  type BucketName,
  buckets,
  type TableName,
  tables,
} from '../../lambdas/storage-manifest.ts';
import { pascalCase } from '../pascal-case.ts';
import { privateBucket } from './private-bucket.ts';

export interface DataProps {
  readonly encryptionKey: IKey;
  readonly removalPolicy: RemovalPolicy;
  readonly deletionProtection: boolean;
}

/** Former versions live as long as tables can be restored to any second. */
const FORMER_VERSIONS: LifecycleRule = {
  prefix: 'deployments/',
  noncurrentVersionExpiration: Duration.days(35),
  expiredObjectDeleteMarker: true,
  abortIncompleteMultipartUploadAfter: Duration.days(1),
};

export class Data extends Construct {
  readonly tables: Readonly<Record<TableName, Table>>;
  readonly buckets: Readonly<Record<BucketName, Bucket>>;

  constructor(scope: Construct, id: string, props: DataProps) {
    super(scope, id);
    this.buckets = {
      descriptions: this.bucket('descriptions', props),
      answers: this.bucket('answers', props),
    };
    const names = Object.keys(tables) as TableName[];
    this.tables = Object.fromEntries(
      names.map((name) => [name, this.table(name, props)]),
    ) as Record<TableName, Table>;
    // DynamoDB creates only one table with indexes at a time, so each waits for the one before. Source: AWS
    // CloudFormation, "AWS::DynamoDB::Table".
    const indexed = names
      .filter((name) => tables[name].indexes.length > 0)
      .map((name) => this.tables[name]);
    indexed.reduce((before, table) => {
      table.node.addDependency(before);
      return table;
    });
  }

  makeTablesAfter(...others: readonly IDependable[]): void {
    for (const table of Object.values(this.tables)) {
      table.node.addDependency(...Object.values(this.buckets), ...others);
    }
  }

  private table(
    name: TableName,
    { encryptionKey, removalPolicy, deletionProtection }: DataProps,
  ): Table {
    const { partitionKey, sortKey, timeToLive, indexes, backup } = tables[name];
    // Logical ids of stateful resources must never change.
    const table = new Table(this, pascalCase(name), {
      partitionKey: { name: partitionKey, type: AttributeType.STRING },
      ...(sortKey && { sortKey: { name: sortKey, type: AttributeType.STRING } }),
      ...(timeToLive && { timeToLiveAttribute: timeToLive }),
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.CUSTOMER_MANAGED,
      encryptionKey,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: backup !== 'none' },
      deletionProtection,
      removalPolicy,
    });
    for (const { name: indexName, partitionKey: key, sortKey: sort, attributes } of indexes) {
      table.addGlobalSecondaryIndex({
        indexName,
        partitionKey: { name: key, type: AttributeType.STRING },
        sortKey: {
          name: sort.name,
          type: sort.type === 'number' ? AttributeType.NUMBER : AttributeType.STRING,
        },
        ...(attributes && {
          projectionType: ProjectionType.INCLUDE,
          nonKeyAttributes: [...attributes],
        }),
      });
    }
    return table;
  }

  private bucket(name: BucketName, { encryptionKey, removalPolicy }: DataProps): Bucket {
    const { expiresAfterDays, backup } = buckets[name];
    const versioned = backup !== 'none';
    const bucket = new Bucket(this, pascalCase(name), {
      ...privateBucket(encryptionKey),
      // Versions are needed for restores: a table restored to an earlier second points to files of then.
      versioned,
      lifecycleRules: [
        ...(expiresAfterDays === undefined
          ? []
          : [{ expiration: Duration.days(expiresAfterDays) }]),
        ...(versioned ? [FORMER_VERSIONS] : []),
      ],
      removalPolicy,
    });
    // The bucket policy stays with a retained bucket, to go on requiring TLS.
    bucket.policy?.applyRemovalPolicy(removalPolicy);
    return bucket;
  }
}
