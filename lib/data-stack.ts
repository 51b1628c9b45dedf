import { CfnOutput, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Backup } from './data/backup.ts';
import { nameCredentialsKeyUsers } from './data/credentials.ts';
import { Data } from './data/data.ts';
import { Emptying } from './data/emptying/index.ts';
import { Keys } from './data/keys.ts';
import { Logs } from './monitoring/logs.ts';
import { Roles } from './permissions/roles.ts';
import type { Stage } from './stage/stage.ts';
import { pascalCase } from './pascal-case.ts';

export interface DataStackProps extends StackProps {
  readonly stage: Stage;
}

/**
 * What outlives the service: tables, bucket, keys, log groups, and the roles that a key's policy names.
 * A change of a limit or of code leaves this stack as it is. Composes the constructs; holds no resource
 * itself. Source: docs/aws.md, "Two stacks".
 */
export class DataStack extends Stack {
  readonly stage: Stage;
  readonly keys: Keys;
  readonly data: Data;
  readonly roles: Roles;
  readonly logs: Logs;

  constructor(scope: Construct, id: string, { stage, ...props }: DataStackProps) {
    super(scope, id, { terminationProtection: stage.retainData, ...props });
    this.stage = stage;
    const removalPolicy = stage.retainData
      ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE
      : RemovalPolicy.DESTROY;

    this.roles = new Roles(this, 'Roles');
    this.keys = new Keys(this, 'Keys', {
      removalPolicy,
      signingKeys: stage.signingKeys,
      backup: stage.backup,
    });
    this.logs = new Logs(this, 'Logs', {
      encryptionKey: this.keys.data,
      retention: stage.logRetentionDays,
      removalPolicy,
    });
    this.data = new Data(this, 'Data', {
      encryptionKey: this.keys.data,
      removalPolicy,
      deletionProtection: stage.retainData,
    });
    nameCredentialsKeyUsers(this.roles.of, {
      store: stage.credentialStore,
      key: this.keys.credentials,
      table: this.data.tables.credentials,
    });
    if (stage.backup) {
      const { vault } = new Backup(this, 'Backup', {
        tables: Object.values(this.data.tables),
        bucket: this.data.descriptions,
        encryptionKey: this.keys.data,
      });
      const description = 'Where backups of tables and bucket are';
      new CfnOutput(this, 'BackupVault', { value: vault.backupVaultName, description });
    }
    if (!stage.retainData) {
      const logGroup = this.logs.ofFunction('emptying');
      new Emptying(this, 'Emptying', { bucket: this.data.descriptions, logGroup });
    }
    // Whatever else can fail has been made before: a protected table cannot be removed with a
    // creation that failed.
    this.data.makeTablesAfter(this.keys, this.logs, this.roles);
    this.output();
  }
  private output(): void {
    for (const [name, table] of Object.entries(this.data.tables)) {
      const description = `Name of the table ${name}`;
      new CfnOutput(this, `${pascalCase(name)}Table`, { value: table.tableName, description });
    }
    new CfnOutput(this, 'DescriptionsBucket', {
      value: this.data.descriptions.bucketName,
      description: 'Name of the bucket of files',
    });
    new CfnOutput(this, 'AccessLogGroup', {
      value: this.logs.access.logGroupName,
      description: 'Name of the log group of requests; those of functions stand beside it',
    });
  }
}
