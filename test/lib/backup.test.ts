import { describe, expect, test } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import { stageOf } from '../../lib/stage/stage.ts';
import { type Statement, synthesized } from '../support/stacks/synthesized.ts';

const { data } = synthesized();
const { data: without } = synthesized({ backup: false });

const viaServices = (of: typeof data) => JSON.stringify(of.findResources('AWS::KMS::Key'));

/** What a plan copies: which rule, for how long, and logical ids of what. */
const plans = () =>
  Object.entries(data.findResources('AWS::Backup::BackupPlan')).map(([id, plan]) => {
    const [{ RuleName, Lifecycle }] = plan['Properties'].BackupPlan.BackupPlanRule;
    const copied = Object.values(data.findResources('AWS::Backup::BackupSelection'))
      .filter(({ Properties }) => JSON.stringify(Properties.BackupPlanId).includes(`"${id}"`))
      .flatMap(({ Properties }) => Properties.BackupSelection.Resources as readonly Arn[])
      .map(({ 'Fn::GetAtt': [name] }) => name.replace(/^Data|[0-9A-F]{8}$/g, ''));
    return [RuleName, Lifecycle, copied.toSorted()];
  });

interface Arn {
  readonly 'Fn::GetAtt': readonly [string, string];
}

describe('a stage with `backup`', () => {
  test('copies each night for 35 days all but counters, calls and answers, each month for a year what is of no person', () => {
    const ofDeployments = ['Credentials', 'DeploymentContent', 'Deployments', 'Descriptions'];

    expect(plans()).toEqual([
      ['Daily', { DeleteAfterDays: 35 }, [...ofDeployments, 'Oauth', 'SecurityEvents', 'Users']],
      ['Monthly', { DeleteAfterDays: 366 }, ofDeployments],
    ]);
  });

  test('keeps them in a vault under the data key, which stays, and from which nobody deletes one', () => {
    data.hasResource('AWS::Backup::BackupVault', {
      DeletionPolicy: 'RetainExceptOnCreate',
      Properties: {
        EncryptionKeyArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^KeysData'), 'Arn'] },
        AccessPolicy: {
          Statement: [
            Match.objectLike({
              Effect: 'Deny',
              Action: ['backup:DeleteRecoveryPoint', 'backup:UpdateRecoveryPointLifecycle'],
              Principal: { AWS: '*' },
            }),
          ],
        },
      },
    });
    expect(viaServices(data)).toContain('"backup.');
    // A vault that an earlier stack of this name has left keeps its own.
    const [vault] = Object.values(data.findResources('AWS::Backup::BackupVault'));
    expect(JSON.stringify(vault?.['Properties'].BackupVaultName)).toMatch(
      /"HostedMcp-prod-Data-",.*"AWS::StackId"/,
    );
    data.hasOutput('BackupVault', {});
  });

  test('lets whoever makes the vault do with the data key what AWS Backup asks for, through it alone', () => {
    const needed = ['CreateGrant', 'Decrypt', 'DescribeKey', 'GenerateDataKey', 'RetireGrant'];
    const [, key] =
      Object.entries(data.findResources('AWS::KMS::Key')).find(([id]) =>
        id.startsWith('KeysData'),
      ) ?? [];
    const statements = key?.['Properties'].KeyPolicy.Statement as readonly Statement[];
    const through = statements.find(({ Sid }) => Sid === 'UseThroughStorageOnly');
    expect(through?.Action).toEqual(expect.arrayContaining(needed.map((one) => `kms:${one}`)));
    expect(viaServices(without)).not.toContain('kms:RetireGrant');
  });
});

describe('a stage with `backup_copy_to`', () => {
  const backupCopyTo = 'arn:aws:backup:eu-west-1:444455556666:backup-vault:copies';
  const { data: copying } = synthesized({ backupCopyTo });
  const foreign = Object.entries(copying.findResources('AWS::KMS::Key')).flatMap(([id, key]) =>
    (key['Properties'].KeyPolicy.Statement as readonly Statement[])
      .filter(({ Principal }) => JSON.stringify(Principal).includes('444455556666'))
      .map((statement) => [id.replace(/[0-9A-F]{8}$/, ''), statement] as const),
  );

  test('copies each backup to that vault, and keeps the copy as long', () => {
    for (const days of [35, 366]) {
      const Lifecycle = { DeleteAfterDays: days };
      const CopyActions = [{ DestinationBackupVaultArn: backupCopyTo, Lifecycle }];
      copying.hasResourceProperties('AWS::Backup::BackupPlan', {
        BackupPlan: { BackupPlanRule: [Match.objectLike({ Lifecycle, CopyActions })] },
      });
    }
  });

  test('lets the account of the vault read with the data key, and nobody of its own account more than before', () => {
    expect(foreign.map(([key]) => key)).toEqual(['KeysData', 'KeysData']);
    for (const [, { Condition }] of foreign) {
      expect(Condition).toMatchObject({
        StringNotEquals: { 'kms:CallerAccount': { Ref: 'AWS::AccountId' } },
      });
    }
    expect(foreign[1]?.[1]).toMatchObject({
      Action: ['kms:CreateGrant', 'kms:ListGrants', 'kms:RevokeGrant'],
      Condition: { Bool: { 'kms:GrantIsForAWSResource': 'true' } },
    });
    expect(viaServices(data)).not.toContain('AnotherAccount');
  });
});

describe('a stage with `backup_vault_lock`', () => {
  const lockOf = (of: typeof data) =>
    Object.values(of.findResources('AWS::Backup::BackupVault'))[0]?.['Properties']
      .LockConfiguration;

  test('locks the vault, which whoever may take the lock back can', () => {
    const { data: locked } = synthesized({ backupVaultLock: { minRetentionDays: 7 } });

    expect(lockOf(locked)).toEqual({ MinRetentionDays: 7 });
    expect(lockOf(data)).toBeUndefined();
  });

  test('locks it for good where it says for how long that can still be changed', () => {
    const { data: locked } = synthesized({
      backupVaultLock: { minRetentionDays: 35, maxRetentionDays: 400, changeableForDays: 3 },
    });

    expect(lockOf(locked)).toEqual({
      MinRetentionDays: 35,
      MaxRetentionDays: 400,
      ChangeableForDays: 3,
    });
  });

  test('keeps every backup of the plans for as long as the vault takes one', () => {
    const kept = plans().map(([, { DeleteAfterDays }]) => DeleteAfterDays as number);
    const stageWith = (lock: object) => () =>
      stageOf(
        'prod',
        JSON.stringify({
          retain_data: true,
          region: 'eu-central-1',
          mail: { from: 'mcp@mail.acme.com', identity: 'mail.acme.com' },
          backup_vault_lock: lock,
        }),
      );
    const [shortest, longest] = [Math.min(...kept), Math.max(...kept)];

    expect(stageWith({ min_retention_days: shortest, max_retention_days: longest })).not.toThrow();
    expect(stageWith({ min_retention_days: shortest + 1 })).toThrow(
      'config/prod.json: `backup_vault_lock.min_retention_days`: write 1 to 35: a locked vault takes no backup that is kept for less',
    );
    expect(stageWith({ min_retention_days: 1, max_retention_days: longest - 1 })).toThrow(
      'config/prod.json: `backup_vault_lock.max_retention_days`: write 366 to 36500, or leave it out: a locked vault takes no backup that is kept for longer',
    );
  });
});

test('a stage without `backup` has none, but still has point-in-time recovery of all but counters and calls', () => {
  without.resourceCountIs('AWS::Backup::BackupVault', 0);
  expect(viaServices(without)).not.toContain('"backup.');
  const recoverable = Object.entries(without.findResources('AWS::DynamoDB::Table'))
    .filter(([, { Properties }]) => {
      const { PointInTimeRecoveryEnabled } = Properties.PointInTimeRecoverySpecification;
      return PointInTimeRecoveryEnabled as boolean;
    })
    .map(([id]) => id.replace(/^Data|[0-9A-F]{8}$/g, ''));
  expect(recoverable.toSorted()).toEqual([
    'Credentials',
    'DeploymentContent',
    'Deployments',
    'Oauth',
    'SecurityEvents',
    'Users',
  ]);
});
