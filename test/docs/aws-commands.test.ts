import { describe, expect, test } from '@jest/globals';
import { readAwsCall } from './aws-cli.ts';
import { documents } from './documents.ts';

/** Lines of blocks, which are meant to be run as they stand, and what else the text names. */
const commandsIn = (text: string): readonly (readonly [line: string, complete: boolean])[] => {
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
  const lines = blocks
    .flatMap((block) => block.replaceAll(/\\\n\s*/g, '').split('\n'))
    .map((line) => line.trim().replace(/^\w+=\$\((.*)\)$/, '$1'))
    .filter((line) => line.startsWith('aws '));
  const named = [...text.matchAll(/`(aws [a-z0-9-]+ [a-z][^`]*)`/g)].map(([, line = '']) => line);
  return [
    ...lines.map((line) => [line, true] as const),
    ...named.map((line) => [line, false] as const),
  ];
};

const found = (await documents()).flatMap(({ path, text }) =>
  commandsIn(text).map(([line, complete]) => [path, line, complete] as const),
);

describe("a line for the AWS CLI in the documents is one by AWS's own model", () => {
  test.each(found)('%s: %s', (_, line, complete) => {
    expect(readAwsCall(line, complete).faults).toEqual([]);
  });
});

describe('a line for the AWS CLI', () => {
  const SET = 'aws dynamodb update-continuous-backups --table-name t';

  test.each([
    ['an unknown command', 'aws dynamodb restore-table', 'dynamodb has no command restore-table'],
    ['an unknown option', 'aws sts get-caller-identity --account 1', 'no option --account'],
    ['a missing option', SET, '--point-in-time-recovery-specification is missing'],
    [
      'a member that there is none of',
      `${SET} --point-in-time-recovery-specification Enabled=true`,
      '--point-in-time-recovery-specification has no member Enabled',
    ],
    [
      'a member that there is none of in JSON',
      'aws budgets create-budget --account-id 1 --budget \'{"BudgetName": "b", "TimeUnit": "MONTHLY", "BudgetType": "COST", "BudgetLimit": {"Sum": "1", "Amount": "1", "Unit": "USD"}}\'',
      '--budget.BudgetLimit has no member Sum',
    ],
    [
      'a member that is missing',
      'aws dynamodb tag-resource --resource-arn a --tags Key=a Key=b,Value=c',
      '--tags.Value is missing',
    ],
    [
      'a switch with a value',
      'aws sesv2 put-account-details --mail-type TRANSACTIONAL --website-url https://a.example --production-access-enabled true',
      '--production-access-enabled takes no value',
    ],
    [
      'JSON that is none',
      "aws dynamodb get-item --table-name t --key '{pk: 1}'",
      '--key has another type',
    ],
    ['a waiter without its table', 'aws dynamodb wait table-exists', '--table-name is missing'],
  ])('is refused for %s', (_, line, fault) => {
    expect(readAwsCall(line).faults.join('; ')).toContain(fault);
  });

  test('becomes what the SDK sends', () => {
    const line =
      'aws dynamodb restore-table-from-backup --target-table-name "$USERS_TABLE" --backup-arn a --sse-specification-override Enabled=true,SSEType=KMS,KMSMasterKeyId="$DATA_KEY" > answer.json';

    expect(readAwsCall(line)).toEqual({
      client: '@aws-sdk/client-dynamodb',
      operation: 'RestoreTableFromBackup',
      input: {
        TargetTableName: '$USERS_TABLE',
        BackupArn: 'a',
        SSESpecificationOverride: { Enabled: 'true', SSEType: 'KMS', KMSMasterKeyId: '$DATA_KEY' },
      },
      faults: [],
    });
  });
});
