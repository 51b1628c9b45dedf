/**
 * Whether a search in search mode finds what is asked for, by wishes of real descriptions, and what a search of many
 * operations takes.
 */
import { openSearch } from '../../layers/search/search.ts';
import { aBigDescription } from '../../test/support/openapi/big-description.ts';
import { searchIndexOf } from '../../test/support/mcp/searching.ts';
import { kb, ms, percentile, printTable, type Row } from '../table.ts';
import { placesOf, scoreOf, WISH_SETS } from './wishes.ts';

const OPERATIONS = [500, 1000, 2000];
const QUERIES = [
  'which invoices are overdue',
  'refund a charge of a customer',
  'turn on reminders for everybody',
  'delte an ordr',
];
const ROUNDS = 200;

export const bench = async (): Promise<void> => {
  const sets = Object.keys(WISH_SETS) as (keyof typeof WISH_SETS)[];
  const wishes = sets.flatMap((set): readonly Row[] => {
    const places = placesOf(set);
    if (places.length === 0) return [];
    const shares = scoreOf(places).map((count) => (100 * count) / places.length);
    const cells = shares.map((share) => `${share.toFixed(0)} of 100`);
    return [[WISH_SETS[set].about, places.length, ...cells]];
  });
  printTable('Wishes', ['wishes', 'first', 'first three', 'first ten'], wishes, [
    'goal: 85 of 100 among the first three; 88 of other descriptions',
    'left out: those of descriptions that are not on this machine',
  ]);

  const rows = OPERATIONS.map((count): Row => {
    const index = searchIndexOf(JSON.stringify(aBigDescription(count)));
    const began = performance.now();
    const search = openSearch(index);
    const opened = performance.now() - began;
    const took = Array.from({ length: ROUNDS }, (_, round) => {
      const start = performance.now();
      search({ text: QUERIES[round % QUERIES.length] ?? '' });
      return performance.now() - start;
    });
    const times = [opened, percentile(took, 50), percentile(took, 95)].map(ms);
    return [`${count} operations`, kb(Buffer.byteLength(JSON.stringify(index))), ...times];
  });
  printTable('A search', ['index', 'opened in', 'median', 'p95'], rows);
};
