import { glob, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { describe, expect, test } from '@jest/globals';

/** Queries that may show what was there a moment ago, by the file of their store: the methods of ports that give them. */
const LAGGING: Readonly<Record<string, readonly string[]>> = {
  'layers/tokens/store/index-page.ts': [
    'grants.page',
    'grants.pageOfUser',
    'mintedTokens.page',
    'personalTokens.pageOfUser',
    'sessions.pageOfUser',
    'trusts.pageOfUser',
  ],
  'layers/deployments/store/deployments.ts': [
    'deployments.listByOwner',
    'deploymentEditor.listByOwner',
  ],
  'layers/accounts/store/user-list.ts': ['userList.page'],
  'layers/activity/store/activity.ts': ['activity.events'],
  'layers/activity/store/calls.ts': ['calls.page', 'calls.days'],
  'layers/activity/store/call-tally.ts': [
    'callTally.touched',
    'callTally.count',
    'callTally.minutes',
  ],
  'layers/credentials/store/credential-marks.ts': ['credentialMarks.list'],
  'layers/activity/store/recorded-calls.ts': ['recordedCalls.page'],
  // Whether the table is there, by a look for nobody.
  'layers/platform/dynamodb/missing-tables.ts': [],
};

const sources = new Map<string, string>();
for await (const path of glob('layers/**/*.ts')) sources.set(path, await readFile(path, 'utf8'));

/** A call, from its name to its closing parenthesis. */
const callsIn = (text: string, names: RegExp): readonly string[] =>
  [...text.matchAll(names)].map(({ index }) => {
    let depth = 0;
    for (let at = text.indexOf('(', index); at < text.length; at += 1) {
      if (text[at] === '(') depth += 1;
      if (text[at] === ')') depth -= 1;
      if (depth === 0) return text.slice(index, at);
    }
    return text.slice(index);
  });

const QUERIES = /\b(?:new (?:Query|Scan|Get|BatchGet|TransactGet)Command|queryItems|queryPage)\(/g;

/** What document says of each method: who reads it. */
const documented = async (): Promise<readonly string[]> => {
  const document = await readFile('docs/storage.md', 'utf8');
  const [, section = ''] = document.split('## What reads an index');
  const [table = ''] = section.split('\n## ');
  let read = '';
  return table.split('\n').flatMap((line) => {
    const [, method = '', by = ''] = /^\| ([^|]*)\| ([^|]*) \|/.exec(line) ?? [];
    if (method === 'Read ' || !line.startsWith('| ')) return [];
    read = method.replaceAll(/[` ]/g, '') || read;
    return [...by.matchAll(/`([\w-]+\.ts)`/g)].map(([, file]) => `${read} ${file}`);
  });
};

describe('reads that may lag behind', () => {
  test('are in these stores alone: every other query is strongly consistent', () => {
    const lagging = [...sources].filter(
      ([path, text]) =>
        // What is handed on as an argument is spelled elsewhere.
        callsIn(text, QUERIES).some(
          (call) => call.includes('TableName') && !call.includes('ConsistentRead: true'),
        ) && path !== 'layers/platform/dynamodb/items.ts',
    );

    expect(lagging.map(([path]) => path).toSorted()).toEqual(Object.keys(LAGGING).toSorted());
  });

  test('name an index in these stores alone', () => {
    const naming = [...sources].filter(([, text]) => /\bIndexName\b/.test(text));

    expect(naming.filter(([path]) => !(path in LAGGING))).toEqual([]);
  });

  test('are read by those whom docs/storage.md names, each with what holds meanwhile', async () => {
    const methods = Object.values(LAGGING).flat();
    const readers = [...sources]
      .filter(([path]) => !path.includes('/store/'))
      .flatMap(([path, text]) =>
        methods
          .filter((method) => new RegExp(`\\b${method.replace('.', '\\.')}\\(`).test(text))
          .map((method) => `${method} ${basename(path)}`),
      );

    expect((await documented()).toSorted()).toEqual(readers.toSorted());
  });
});
