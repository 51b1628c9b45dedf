import { Duration, type RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct, type IDependable } from 'constructs';
import { buckets, type TableName, tables } from '../../lambdas/storage-manifest.ts';
import { pascalCase } from '../pascal-case.ts';

export interface DataProps {
  readonly encryptionKey: IKey;
  /** Of tables and bucket. */
  readonly removalPolicy: RemovalPolicy;
  /** Refuse to delete tables. */
  readonly deletionProtection: boolean;
}

/** As long as tables can be restored to any second, and no longer. */
const FORMER_VERSIONS = Duration.days(35);

/** Everything that must survive a deployment. */
export class Data extends Construct {
  readonly tables: Readonly<Record<TableName, Table>>;
  readonly descriptions: Bucket;

  constructor(scope: Construct, id: string, props: DataProps) {
    super(scope, id);
    this.descriptions = this.bucket(props);
    const names = Object.keys(tables) as TableName[];
    this.tables = Object.fromEntries(
      names.map((name) => [name, this.table(name, props)]),
    ) as Record<TableName, Table>;
    // DynamoDB makes no two tables with indexes at a time: the creation of the stack would fail.
    // Source: AWS CloudFormation, "AWS::DynamoDB::Table".
    const indexed = names
      .filter((name) => tables[name].indexes.length > 0)
      .map((name) => this.tables[name]);
    indexed.reduce((before, table) => {
      table.node.addDependency(before);
      return table;
    });
  }

  /** Has the tables made after all of these. */
  makeTablesAfter(...others: readonly IDependable[]): void {
    for (const table of Object.values(this.tables)) {
      table.node.addDependency(this.descriptions, ...others);
    }
  }

  private table(
    name: TableName,
    { encryptionKey, removalPolicy, deletionProtection }: DataProps,
  ): Table {
    const { partitionKey, sortKey, timeToLive, indexes } = tables[name];
    // Stateful resources keep their logical ids for ever.
    const table = new Table(this, pascalCase(name), {
      partitionKey: { name: partitionKey, type: AttributeType.STRING },
      ...(sortKey && { sortKey: { name: sortKey, type: AttributeType.STRING } }),
      ...(timeToLive && { timeToLiveAttribute: timeToLive }),
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.CUSTOMER_MANAGED,
      encryptionKey,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
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

  private bucket({ encryptionKey, removalPolicy }: DataProps): Bucket {
    return new Bucket(this, 'Descriptions', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      encryption: BucketEncryption.KMS,
      encryptionKey,
      bucketKeyEnabled: true,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      // A table that is restored to a second of before points to files of then.
      versioned: true,
      lifecycleRules: [
        ...buckets.descriptions.expires.map(({ prefix, afterDays }) => ({
          prefix,
          expiration: Duration.days(afterDays),
          noncurrentVersionExpiration: Duration.days(1),
        })),
        {
          prefix: 'deployments/',
          noncurrentVersionExpiration: FORMER_VERSIONS,
          expiredObjectDeleteMarker: true,
          abortIncompleteMultipartUploadAfter: Duration.days(1),
        },
      ],
      removalPolicy,
    });
  }
}
