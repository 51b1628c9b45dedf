import type {
  AnswerOf,
  ItemOf,
  ListOperation,
  Operation,
  PathOf,
} from '../../console/src/api/operation.ts';
import { type Command, command, type Facts } from '../command.ts';
import { type Json, jsonOf } from '../json.ts';
import type { Output } from '../output.ts';
import { differenceLines } from '../text/difference.ts';
import { findingsOf } from '../failure.ts';
import type { Columns } from '../text/table.ts';

type OfServer<Id extends Operation> =
  PathOf<Id> extends { readonly slug: string }
    ? keyof PathOf<Id> extends 'slug'
      ? Id
      : never
    : never;

export const listCommand = <Id extends ListOperation & Operation>({
  at,
  columns,
  empty,
  ...facts
}: Facts & {
  readonly at: OfServer<Id>;
  /** @param now - epoch seconds */
  readonly columns: (items: readonly ItemOf<Id>[], now: number) => Columns<ItemOf<Id>>;
  readonly empty: (slug: string) => string;
}): Command =>
  command({
    ...facts,
    places: ['slug'],
    run: async ({ api, output, world }, { slug }) => {
      const items = (await api.list(at as 'GET /deployments/{slug}/tokens', {
        path: { slug },
      })) as readonly unknown[] as readonly ItemOf<Id>[];
      output.rows(items, columns(items, world.now()), empty(slug));
    },
  });

/** A command that shows a server, or the one thing of a kind that it has. */
export const showCommand = <Id extends Operation>({
  at,
  lines,
  ...facts
}: Facts & {
  readonly at: OfServer<Id>;
  readonly lines: (shown: AnswerOf<Id>) => readonly string[];
}): Command =>
  command({
    ...facts,
    places: ['slug'],
    run: async ({ api, output }, { slug }) => {
      const shown = (await api.call(at as 'GET /deployments/{slug}', {
        path: { slug },
      })) as AnswerOf<Id>;
      output.result(shown, lines(shown));
      output.warnings(findingsOf(jsonOf(shown).warnings));
    },
  });

/** A command that removes the one thing of a kind that a server has. */
export const removeCommand = ({
  at,
  line,
  ...facts
}: Facts & {
  readonly at: 'DELETE /deployments/{slug}/jwt-issuer';
  readonly line: (slug: string) => string;
}): Command =>
  command({
    ...facts,
    places: ['slug'],
    run: async ({ api, output }, { slug }) => {
      await api.call(at, { path: { slug } });
      output.result({ removed: true }, [line(slug)]);
    },
  });

/** Shows what a change has made of the tools of a server. */
export const showChange = (output: Output, answer: Json, more: readonly string[] = []): void => {
  output.result(answer, [...differenceLines(answer), ...more]);
  output.warnings(findingsOf(answer.warnings));
};
