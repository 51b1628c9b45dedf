import { pathOf } from '../api/api.ts';
import { type Command, command, type Facts } from '../command.ts';
import type { Json } from '../json.ts';
import type { Output } from '../output.ts';
import { differenceLines } from '../text/difference.ts';
import { findingsOf } from '../failure.ts';
import type { Columns } from '../text/table.ts';

/** A command that lists what a server has. */
export const listCommand = ({
  collection,
  columns,
  empty,
  ...facts
}: Facts & {
  readonly collection: string;
  /** @param now - epoch seconds */
  readonly columns: (items: readonly Json[], now: number) => Columns<Json>;
  readonly empty: (slug: string) => string;
}): Command =>
  command({
    ...facts,
    places: ['slug'],
    run: async ({ api, output, world }, { slug }) => {
      const items = await api.list(pathOf('deployments', slug, collection));
      output.rows(items, columns(items, world.now()), empty(slug));
    },
  });

/** A command that shows a server, or the one thing of a kind that it has. */
export const showCommand = ({
  of = [],
  lines,
  ...facts
}: Facts & {
  readonly of?: readonly string[];
  readonly lines: (shown: Json) => readonly string[];
}): Command =>
  command({
    ...facts,
    places: ['slug'],
    run: async ({ api, output }, { slug }) => {
      const shown = await api.call('GET', pathOf('deployments', slug, ...of));
      output.result(shown, lines(shown));
      output.warnings(findingsOf(shown['warnings']));
    },
  });

/** A command that removes the one thing of a kind that a server has. */
export const removeCommand = ({
  of,
  line,
  ...facts
}: Facts & { readonly of: string; readonly line: (slug: string) => string }): Command =>
  command({
    ...facts,
    places: ['slug'],
    run: async ({ api, output }, { slug }) => {
      await api.call('DELETE', pathOf('deployments', slug, of));
      output.result({ removed: true }, [line(slug)]);
    },
  });

/** Shows what a change has made of the tools of a server. */
export const showChange = (output: Output, answer: Json, more: readonly string[] = []): void => {
  output.result(answer, [...differenceLines(answer), ...more]);
  output.warnings(findingsOf(answer['warnings']));
};
