import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const { accessProblems } = createRequire(import.meta.url)('../support/run/access-problems.cjs') as {
  accessProblems(folder: string, run: { readonly all: boolean }): readonly string[];
};

interface Record {
  readonly uses: readonly {
    readonly caller: string;
    readonly sid: string;
    readonly action: string;
  }[];
  readonly denials: readonly object[];
}

const recorded = (...records: readonly Record[]): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hosted-mcp-records-'));
  records.forEach((record, index) =>
    writeFileSync(join(folder, `${index}.json`), JSON.stringify(record)),
  );
  return folder;
};

const POLICIES = new URL('../../local/policies/', import.meta.url);
const read = (name: string) => JSON.parse(readFileSync(new URL(name, POLICIES), 'utf8'));
const usedByAws: object = read('used-by-aws.json');
const stages = readdirSync(POLICIES).filter((name) => name !== 'used-by-aws.json');

/** Everything that functions are granted and use themselves, once. */
const allUses = [
  ...new Map(
    stages.flatMap((stage) =>
      Object.entries<readonly { Sid: string; Action: string | string[] }[]>(
        read(stage).functions,
      ).flatMap(([caller, statements]) =>
        statements
          .filter(({ Sid }) => !(Sid in usedByAws))
          .flatMap(({ Sid: sid, Action }) =>
            [Action]
              .flat()
              .map((action) => [`${caller} ${sid} ${action}`, { caller, sid, action }] as const),
          ),
      ),
    ),
  ).values(),
];

describe('the end of a run of the tests', () => {
  const denied = {
    uses: [],
    denials: [{ caller: 'router', action: 's3:ListBucket', resource: 'arn:aws:s3:::files' }],
  };

  test('reports a call that was denied and should not be, whichever tests ran', () => {
    const sentence = 'router was denied s3:ListBucket on arn:aws:s3:::files';

    expect(accessProblems(recorded(denied, denied), { all: false })).toEqual([sentence]);
    expect(accessProblems(recorded(denied, { uses: allUses, denials: [] }), { all: true })).toEqual(
      [sentence],
    );
  });

  test('reports a grant that nothing used, if all tests ran', () => {
    const [one, ...others] = allUses;
    const folder = recorded({ uses: others, denials: [] });

    expect(accessProblems(folder, { all: false })).toEqual([]);
    expect(accessProblems(folder, { all: true })).toEqual([
      `nothing used the grant ${one?.caller} ${one?.sid} ${one?.action}`,
    ]);
  });

  test('reports a grant that is said to be of use to AWS alone, and is used', () => {
    const use = { caller: 'mails', sid: 'KeepUnsent', action: 'sqs:SendMessage' };

    expect(
      accessProblems(recorded({ uses: [...allUses, use], denials: [] }), { all: true }),
    ).toEqual([
      'local/policies/used-by-aws.json has mails KeepUnsent sqs:SendMessage, which a function used',
    ]);
  });
});
