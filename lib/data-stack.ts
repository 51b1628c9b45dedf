import { CfnOutput, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Backup } from './data/backup.ts';
import { nameCredentialsKeyUsers } from './data/credentials.ts';
import { Data } from './data/data.ts';
import type { VaultLock } from './data/vault-lock.ts';
import { Emptying } from './data/emptying/index.ts';
import { Keys } from './data/keys.ts';
import { RestoreRole } from './data/restore-role.ts';
import { StreamBucket } from './data/stream-bucket.ts';
import { Logs } from './monitoring/logs.ts';
import { Roles } from './permissions/roles.ts';
import { lastingSetting } from './lasting-setting.ts';
import type { Stage } from './stage/stage.ts';
import { pascalCase } from './pascal-case.ts';

export interface DataStackProps extends StackProps {
  readonly stage: Stage;
}

/** This stack outlives the service; it has the roles that key policies name. Source: docs/aws.md, "Stacks". */
export class DataStack extends Stack {
  readonly stage: Stage;
  readonly keys: Keys;
  readonly data: Data;
  readonly roles: Roles;
  readonly logs: Logs;
  /** Bucket for lines of calls and events; undefined where they go elsewhere, or nowhere. */
  readonly streamBucket: StreamBucket | undefined;
  readonly backupVaultName: string | undefined;
  /** Removal policy of resources that hold data, in any stack. */
  readonly removalPolicy: RemovalPolicy;

  constructor(scope: Construct, id: string, { stage, ...props }: DataStackProps) {
    super(scope, id, { terminationProtection: stage.retainData, ...props });
    this.stage = stage;
    this.removalPolicy = stage.retainData
      ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE
      : RemovalPolicy.DESTROY;
    const { removalPolicy } = this;

    this.roles = new Roles(this, 'Roles');
    this.keys = new Keys(this, 'Keys', {
      removalPolicy,
      signingKeys: stage.signingKeys,
      backup: stage.backup,
      copyBackupsTo: stage.backupCopyTo,
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
    if (stage.stream?.to === 'own') {
      this.streamBucket = new StreamBucket(this, 'Stream', {
        encryptionKey: this.keys.data,
        keepDays: stage.stream.keepDays ?? stage.logRetentionDays,
        removalPolicy,
        isKept: stage.retainData,
        errors: this.logs.ofFunction('stream-errors', RemovalPolicy.DESTROY),
      });
      new CfnOutput(this, 'StreamBucket', {
        value: this.streamBucket.bucket.bucketName,
        description: 'Name of the bucket of lines of calls and events',
      });
    }
    nameCredentialsKeyUsers(this.roles.of, {
      store: stage.credentialStore,
      former: stage.credentialStoreFormer,
      key: this.keys.credentials,
      table: this.data.tables.credentials,
    });
    const stores = [stage.credentialStore, stage.credentialStoreFormer];
    lastingSetting(this, 'credential_store', {
      value: stage.credentialStore,
      mayFollow: stores.filter((one) => one !== undefined),
      otherwise: `The deployed stage keeps credentials in another store. Write that one as "credential_store_former" into the stage's file, or, where hosted-mcp admin move-credentials has said that nothing is left there, deploy with --parameters ${this.stackName}:CredentialStore=${stage.credentialStore}`,
    });
    if (stage.backup) {
      const props = { data: this.data, encryptionKey: this.keys.data };
      const { vault } = new Backup(this, 'Backup', {
        ...props,
        copyTo: stage.backupCopyTo,
        lock: stage.backupVaultLock,
      });
      this.holdToLock(stage.backupVaultLock);
      const { arn } = new RestoreRole(this, 'Restore', props);
      new CfnOutput(this, 'BackupVault', {
        value: vault.backupVaultName,
        description: 'Where backups of tables and files are',
      });
      new CfnOutput(this, 'RestoreRole', {
        value: arn,
        description: 'What AWS Backup takes to bring them back',
      });
      this.backupVaultName = vault.backupVaultName;
    }
    if (!stage.retainData) {
      const logGroup = this.logs.ofFunction('emptying');
      const buckets = [...Object.values(this.data.buckets), this.streamBucket?.bucket ?? []].flat();
      new Emptying(this, 'Emptying', { buckets, logGroup });
    }
    // Protected tables cannot be removed when a creation fails, so everything else that can fail is made before.
    const stream = this.streamBucket ? [this.streamBucket] : [];
    this.data.makeTablesAfter(this.keys, this.logs, this.roles, ...stream);
    this.output();
  }

  /**
   * A lock for good needs a parameter, and changes of it are refused here, before AWS would refuse them
   * mid-deployment.
   */
  private holdToLock(lock: VaultLock | undefined): void {
    const id = 'BackupVaultLock';
    const {
      minRetentionDays: least,
      maxRetentionDays: most = 'any',
      changeableForDays,
    } = lock ?? {};
    const isLasting = changeableForDays !== undefined;
    const value = isLasting ? `compliance-${least}-${most}-${changeableForDays}` : 'changeable';
    const said = `--parameters ${this.stackName}:${id}=${value}`;
    lastingSetting(this, 'backup_vault_lock', {
      value,
      mayFollow: [value],
      unsaid: 'changeable',
      otherwise: isLasting
        ? `"backup_vault_lock" with "changeable_for_days" can be taken back by nobody once these days are over, and not be changed either. Read docs/restore.md, "A locked vault"; if it is meant, deploy with ${said}`
        : `The vault of the deployed stage is locked for good. Write its "backup_vault_lock" into the stage's file as it was, or, as long as its "changeable_for_days" are not over, deploy with ${said}`,
    });
  }

  private output(): void {
    for (const [name, table] of Object.entries(this.data.tables)) {
      const description = `Name of the table ${name}`;
      new CfnOutput(this, `${pascalCase(name)}Table`, { value: table.tableName, description });
    }
    new CfnOutput(this, 'DescriptionsBucket', {
      value: this.data.buckets.descriptions.bucketName,
      description: 'Name of the bucket of files',
    });
    new CfnOutput(this, 'DataKey', {
      value: this.keys.data.keyArn,
      description: 'ARN of the key that encrypts tables and files',
    });
    new CfnOutput(this, 'AccessLogGroup', {
      value: this.logs.access.logGroupName,
      description: 'Name of the log group of requests; those of functions stand beside it',
    });
  }
}
