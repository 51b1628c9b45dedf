import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  BackupPlan,
  BackupPlanRule,
  BackupResource,
  BackupSelection,
  BackupVault,
} from 'aws-cdk-lib/aws-backup';
import { type CronOptions, Schedule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import {
  BACKUP_DAYS,
  type BackupSchedule,
  type BucketName,
  buckets,
  type TableName,
  tables,
} from '../../lambdas/storage-manifest.ts';
import { uniqueName } from '../unique-name.ts';
import type { Data } from './data.ts';
import type { VaultLock } from './vault-lock.ts';

export interface BackupProps {
  readonly data: Data;
  readonly encryptionKey: IKey;
  /** ARN of a vault in another region or account. */
  readonly copyTo: string | undefined;
  readonly lock: VaultLock | undefined;
}

/**
 * Tables and buckets are backed up together, so that a restore is of one time. The vault outlives the stack, and nobody
 * can delete backups early. Source: docs/restore.md, "What there is to restore from".
 */
export class Backup extends Construct {
  readonly vault: BackupVault;

  constructor(scope: Construct, id: string, { data, encryptionKey, copyTo, lock }: BackupProps) {
    super(scope, id);
    const { stackName } = Stack.of(this);
    this.vault = new BackupVault(this, 'Vault', {
      backupVaultName: uniqueName(this),
      encryptionKey,
      blockRecoveryPointDeletion: true,
      ...(lock && { lockConfiguration: lockOf(lock) }),
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    const role = new Role(this, 'Role', {
      description: 'Hosted MCP: AWS Backup reads tables and files',
      assumedBy: new ServicePrincipal('backup.amazonaws.com'),
      managedPolicies: [
        'service-role/AWSBackupServiceRolePolicyForBackup',
        'AWSBackupServiceRolePolicyForS3Backup',
      ].map((name) => ManagedPolicy.fromAwsManagedPolicyName(name)),
    }).withoutPolicyUpdates();
    const copies =
      copyTo === undefined ? undefined : BackupVault.fromBackupVaultArn(this, 'Copies', copyTo);
    const plan = (
      planId: string,
      ruleName: string,
      cron: CronOptions,
      days: number,
    ): BackupPlan => {
      const made = new BackupPlan(this, planId, {
        backupPlanName: `${stackName}-${ruleName.toLowerCase()}`,
        backupVault: this.vault,
      });
      const deleteAfter = Duration.days(days);
      made.addRule(
        new BackupPlanRule({
          ruleName,
          scheduleExpression: Schedule.cron(cron),
          deleteAfter,
          ...(copies && { copyActions: [{ destinationBackupVault: copies, deleteAfter }] }),
        }),
      );
      return made;
    };
    const daily = plan('Plan', 'Daily', { hour: '3', minute: '0' }, BACKUP_DAYS.daily);
    const monthly = plan(
      'MonthlyPlan',
      'Monthly',
      { day: '1', hour: '4', minute: '0' },
      BACKUP_DAYS.monthly,
    );
    new BackupSelection(this, 'Selection', {
      backupPlan: daily,
      resources: backedUp(data, ['daily', 'daily-and-monthly']),
      role,
    });
    new BackupSelection(this, 'MonthlySelection', {
      backupPlan: monthly,
      resources: backedUp(data, ['daily-and-monthly']),
      role,
    });
  }
}

const lockOf = ({ minRetentionDays, maxRetentionDays, changeableForDays }: VaultLock) => ({
  minRetention: Duration.days(minRetentionDays),
  ...(maxRetentionDays !== undefined && { maxRetention: Duration.days(maxRetentionDays) }),
  ...(changeableForDays !== undefined && { changeableFor: Duration.days(changeableForDays) }),
});

const backedUp = (data: Data, schedules: readonly BackupSchedule[]): BackupResource[] => [
  ...(Object.keys(tables) as TableName[])
    .filter((name) => schedules.includes(tables[name].backup))
    .map((name) => BackupResource.fromArn(data.tables[name].tableArn)),
  ...(Object.keys(buckets) as BucketName[])
    .filter((name) => schedules.includes(buckets[name].backup))
    .map((name) => BackupResource.fromArn(data.buckets[name].bucketArn)),
];
