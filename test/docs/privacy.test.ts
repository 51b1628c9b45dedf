import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { functions } from '../../lambdas/manifest.ts';
import { type BackupSchedule, buckets, QUEUES, tables } from '../../lambdas/storage-manifest.ts';
import { ROOT } from './documents.ts';
import { readStorageDocument } from './storage-document.ts';

const page = await readFile(`${ROOT}docs/privacy.md`, 'utf8');
const section = page.split('## What is stored\n')[1]?.split('\n## ')[0] ?? '';
/** Place and backups of each row that names a place. */
const rows = section
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, place = '']) => /`|^secrets$/.test(place));

const named = (kind: RegExp): readonly string[] =>
  rows
    .filter(([, place = '']) => kind.test(place))
    .flatMap(([, place = '']) => [...place.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
    .toSorted();

const BACKUPS: Readonly<Record<BackupSchedule, string>> = {
  none: 'none',
  daily: '35 days',
  'daily-and-monthly': '35 days, a year',
};

describe('docs/privacy.md', () => {
  test('has each table, bucket, queue and log group, and no other', () => {
    expect(named(/^table /)).toEqual(Object.keys(tables).toSorted());
    expect(named(/^bucket /)).toEqual(Object.keys(buckets).toSorted());
    expect(named(/^queues? /)).toEqual([...QUEUES].toSorted());
    expect(named(/^log groups? /)).toEqual([...Object.keys(functions), 'access'].toSorted());
  });

  test.each([...Object.entries(tables), ...Object.entries(buckets)])(
    'says how long backups of %s are kept',
    (name, { backup }) => {
      const row = rows.find(([, place]) => place?.endsWith(` \`${name}\``));

      expect(row?.[2]).toBe(BACKUPS[backup]);
    },
  );

  test('says of each kind of item what of people is in it', async () => {
    const { kinds } = await readStorageDocument();
    const keys = kinds.map(({ key }) => key.replace(/#.*$/s, '#'));
    const missing = keys.filter((key) => !section.includes(`\`${key}\``));

    expect(keys.length).toBeGreaterThan(25);
    expect(missing).toEqual([]);
  });
});
