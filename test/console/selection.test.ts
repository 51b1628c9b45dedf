import fc from 'fast-check';
import { describe, expect, test } from '@jest/globals';
import {
  byTag,
  type Choosable,
  EVERYTHING,
  operationName,
  NOTHING,
  ONLY_READING,
  selected,
  type Selection,
  selectionOf,
  sentSelection,
  UNTAGGED,
  withChoice,
} from '../../console/src/pages/operations/selection.ts';
import { readDescription } from '../../layers/openapi/intake/read-description.ts';
import { selectOperations } from '../../layers/openapi/intake/select-operations.ts';
import { runs } from '../support/generated/runs.ts';

const operation = (operation_id: string, ...tags: string[]): Choosable => ({
  method: 'get',
  path: `/${operation_id}`,
  operation_id,
  tags,
});

const placeOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

describe('choosing operations', () => {
  const all: readonly [Choosable, Choosable, Choosable, Choosable, Choosable] = [
    operation('a', 'pets'),
    operation('b', 'pets'),
    operation('c', 'orders'),
    operation('d', 'orders', 'admin'),
    { method: 'delete', path: '/e', tags: [] },
  ];
  const [a, b, c, d, e] = all;
  const names = (selection: Selection) => [...selected(all, selection)].map(operationName);
  const choose = (before: Selection, tag: string) =>
    withChoice(all, before, { tag, operations: byTag(all).get(tag) ?? [] }, true);
  const leave = (before: Selection, ...operations: Choosable[]) =>
    withChoice(all, before, { operations }, false);

  test('says nothing where all are chosen', () => {
    expect(sentSelection(EVERYTHING)).toBeNull();
    expect(names(EVERYTHING)).toEqual(all.map(operationName));
  });

  test('leaves out what is left out of all, so that later versions bring the others', () => {
    const selection = leave(leave(EVERYTHING, a), e);
    expect(selection).toEqual({ include: null, exclude: ['a', 'DELETE /e'] });
    expect(sentSelection(selection)).toEqual({ include: [], exclude: ['a', 'DELETE /e'] });
  });

  test('includes what is chosen of nothing, by its tag where it was chosen by it', () => {
    const selection = withChoice(all, choose(NOTHING, 'pets'), { operations: [c] }, true);
    expect(selection).toEqual({ include: ['tag:pets', 'c'], exclude: [] });
    expect(names(selection)).toEqual(['a', 'b', 'c']);
  });

  test('chooses one of those that are left out by their tag', () => {
    const without = withChoice(all, EVERYTHING, { tag: 'pets', operations: [a, b] }, false);
    expect(without).toEqual({ include: null, exclude: ['tag:pets'] });
    expect(withChoice(all, without, { operations: [b] }, true)).toEqual({
      include: null,
      exclude: ['a'],
    });
  });

  test('takes back what was said', () => {
    expect(withChoice(all, leave(EVERYTHING, a), { operations: [a] }, true)).toEqual(EVERYTHING);
    expect(leave(withChoice(all, NOTHING, { operations: [d] }, true), d)).toEqual(NOTHING);
  });

  test('sends that nothing is chosen as nothing, and never as all', () => {
    expect(sentSelection(NOTHING)).toEqual({ include: [], exclude: ['* *'] });
    expect(names(selectionOf(sentSelection(NOTHING) ?? undefined))).toEqual([]);
  });

  test('leaves all others as they were, whatever is chosen or left out, and in whatever order', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(EVERYTHING, NOTHING, ONLY_READING, {
          include: ['* /*', 'tag:admin'],
          exclude: ['GET */b', 'tag:orders'],
        }),
        fc.array(fc.tuple(fc.subarray([...all], { minLength: 1 }), fc.boolean()), { maxLength: 8 }),
        (start, acts) => {
          let selection: Selection = start;
          let chosen = new Set<Choosable>(selected(all, start));
          for (const [operations, isWanted] of acts) {
            selection = withChoice(all, selection, { operations }, isWanted);
            const acted = new Set<Choosable>(operations);
            chosen = new Set(all.filter((one) => (acted.has(one) ? isWanted : chosen.has(one))));
            expect(new Set(selected(all, selection))).toEqual(chosen);
          }
        },
      ),
    );
  });

  test('reads entries as the service does', () => {
    const description = readDescription(
      Buffer.from(
        JSON.stringify({
          openapi: '3.1.0',
          info: { title: 'All', version: '1' },
          paths: {
            '/a': { get: { operationId: 'GET /b', tags: ['x y', '*'] } },
            '/a/{b}/c': { put: { operationId: '* /a' }, get: { tags: ['x y'] } },
            '/aa*': { delete: {}, post: { operationId: 'make it' } },
          },
        }),
      ),
      { maxBytes: 10_000, maxDepth: 50 },
    );
    const shown = description.operations.map(({ method, path, operationId, tags }) => ({
      method,
      path,
      ...(operationId !== undefined && { operation_id: operationId }),
      tags,
    }));
    const entry = fc.oneof(
      fc.constantFrom('tag:x y', 'tag:*', 'GET /b', '* /a', 'make it', 'tag:none', 'make', ''),
      fc
        .tuple(
          fc.constantFrom('*', 'get', 'PUT', ' post'),
          fc.stringMatching(/^[/*][a-c/*{}]{0,6}$/),
        )
        .map(([method, path]) => `${method} ${path}`),
    );
    const limit = { max: 100, limit: 'any', searchable: 0 };
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 4 }),
        fc.array(entry, { maxLength: 3 }),
        (...lists) => {
          const [include, exclude] = lists;
          const theirs = (): readonly string[] => {
            const sent = { include, exclude };
            try {
              return selectOperations(description, sent, limit, sent).operations.map(placeOf);
            } catch {
              return [];
            }
          };
          expect([...selected(shown, selectionOf({ include, exclude }))].map(placeOf)).toEqual(
            theirs(),
          );
        },
      ),
      { numRuns: runs(500) },
    );
  });

  test('shows operations with two tags under both, and those without one apart', () => {
    const groups = [...byTag(all)].map(([tag, group]) => [tag, group.map(operationName)]);

    expect(groups).toEqual([
      ['pets', ['a', 'b']],
      ['orders', ['c', 'd']],
      ['admin', ['d']],
      [UNTAGGED, ['DELETE /e']],
    ]);
  });
});
