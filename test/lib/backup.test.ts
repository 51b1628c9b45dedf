import { describe, expect, test } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import { tables } from '../../lambdas/storage-manifest.ts';
import { pascalCase } from '../../lib/pascal-case.ts';
import { type Statement, synthesized } from '../support/synthesized.ts';

const { data } = synthesized();
const { data: without } = synthesized({ backup: false });

const viaServices = (of: typeof data) => JSON.stringify(of.findResources('AWS::KMS::Key'));

describe('a stage with `backup`', () => {
  test('backs up every table and the bucket in one selection', () => {
    data.resourceCountIs('AWS::Backup::BackupSelection', 1);
    const [selection] = Object.values(data.findResources('AWS::Backup::BackupSelection'));
    const resources = JSON.stringify(selection?.['Properties'].BackupSelection.Resources);
    for (const name of Object.keys(tables)) {
      expect(resources).toMatch(new RegExp(`"Data${pascalCase(name)}[0-9A-F]{8}"`));
    }
    expect(resources).toMatch(/"DataDescriptions[0-9A-F]{8}"/);
  });

  test('keeps a backup of each day for 35 days and one of each month for a year', () => {
    data.hasResourceProperties('AWS::Backup::BackupPlan', {
      BackupPlan: {
        BackupPlanRule: [
          Match.objectLike({ RuleName: 'Daily', Lifecycle: { DeleteAfterDays: 35 } }),
          Match.objectLike({ RuleName: 'Monthly', Lifecycle: { DeleteAfterDays: 366 } }),
        ],
      },
    });
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

test('a stage without `backup` has none, but still has point-in-time recovery', () => {
  without.resourceCountIs('AWS::Backup::BackupVault', 0);
  expect(viaServices(without)).not.toContain('"backup.');
  without.allResourcesProperties('AWS::DynamoDB::Table', {
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  });
});
