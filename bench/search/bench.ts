/**
 * Whether a search in search mode finds what is asked for: 250 wishes of ten real descriptions, half of
 * which the search was tuned by. Then what a search of 1,000 operations takes.
 *
 * Goal: 85 of 100 among the first three.
 */
import { openSearch } from '../../layers/search/search.ts';
import { aBigDescription } from '../../test/support/openapi/big-description.ts';
import { hasRealDescriptions } from '../../test/support/service/publisher.ts';
import { searchIndexOf } from '../../test/support/mcp/searching.ts';
import { kb, ms, percentile, printTable, type Row } from '../table.ts';
import { type Half, placesOf, scoreOf } from './wishes.ts';

const HALVES: readonly Half[] = ['tuned by', 'set apart'];
const OPERATIONS = [500, 1000, 2000];
const QUERIES = [
  'which invoices are overdue',
  'refund a charge of a customer',
  'turn on reminders for everybody',
  'delte an ordr',
];
const ROUNDS = 200;

export const bench = async (): Promise<void> => {
  if (hasRealDescriptions) {
    const rows = HALVES.map((half): Row => {
      const places = placesOf(half);
      const shares = scoreOf(places).map((count) => (100 * count) / places.length);
      return [half, places.length, ...shares.map((share) => `${share.toFixed(0)} of 100`)];
    });
    const notes = ['goal: 85 of 100 among the first three'];
    printTable('Wishes', ['wishes', 'first', 'first three', 'first ten'], rows, notes);
  } else {
    console.log('\nWishes: the real descriptions are not here');
  }

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
    const size = kb(Buffer.byteLength(JSON.stringify(index)));
    return [
      `${count} operations`,
      size,
      ms(opened),
      ms(percentile(took, 50)),
      ms(percentile(took, 95)),
    ];
  });
  printTable('A search', ['index', 'opened in', 'median', 'p95'], rows);
};
