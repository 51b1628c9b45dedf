import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { buckets, type TableName, tables } from '../lambdas/manifest.ts';

export interface DataProps {
  readonly encryptionKey: IKey;
  /** Keep tables and bucket when the stack is deleted. */
  readonly retain: boolean;
}

/** Everything that must survive a deployment. */
export class Data extends Construct {
  readonly tables: Readonly<Record<TableName, Table>>;
  readonly descriptions: Bucket;

  constructor(scope: Construct, id: string, props: DataProps) {
    super(scope, id);
    const names = Object.keys(tables) as TableName[];
    this.tables = Object.fromEntries(
      names.map((name) => [name, this.table(name, props)]),
    ) as Record<TableName, Table>;
    this.descriptions = this.bucket(props);
  }

  private table(name: TableName, { encryptionKey, retain }: DataProps): Table {
    const { partitionKey, sortKey, timeToLive, indexes } = tables[name];
    const table = new Table(this, logicalName(name), {
      partitionKey: { name: partitionKey, type: AttributeType.STRING },
      ...(sortKey && { sortKey: { name: sortKey, type: AttributeType.STRING } }),
      ...(timeToLive && { timeToLiveAttribute: timeToLive }),
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.CUSTOMER_MANAGED,
      encryptionKey,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: retain,
      removalPolicy: retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    for (const { name: indexName, partitionKey: key, sortKey: sort } of indexes) {
      table.addGlobalSecondaryIndex({
        indexName,
        partitionKey: { name: key, type: AttributeType.STRING },
        sortKey: {
          name: sort.name,
          type: sort.type === 'number' ? AttributeType.NUMBER : AttributeType.STRING,
        },
      });
    }
    return table;
  }

  private bucket({ encryptionKey, retain }: DataProps): Bucket {
    const bucket = new Bucket(this, 'Descriptions', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      encryption: BucketEncryption.KMS,
      encryptionKey,
      bucketKeyEnabled: true,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      lifecycleRules: buckets.descriptions.expires.map(({ prefix, afterDays }) => ({
        prefix,
        expiration: Duration.days(afterDays),
      })),
      removalPolicy: retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Only two functions can reach the bucket, both log each request; server access logs would need a second bucket and say nothing more.',
    });
    return bucket;
  }
}

/** `security-events` → `SecurityEvents`. Stateful resources keep their logical ids for ever. */
const logicalName = (name: TableName): string =>
  name.replace(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
