import type { AnswerOf, ItemOf, ListOperation, PathOf } from '../../console/src/api/operation.ts';
import type { Operation } from '../../console/src/api/operation.ts';
import { member } from '../../layers/platform/rules/json/json.ts';
import type { Request } from '../api/api.ts';
import { type Command, command, type Context, type Facts } from '../command.ts';
import type { Options, ValuesOf } from '../command.ts';
import { EXIT, Failure, findingsOf } from '../failure.ts';
import { type Json, jsonOf } from '../json.ts';
import type { Output } from '../output.ts';
import { differenceLines } from '../text/difference.ts';
import { plain } from '../text/plain.ts';
import type { Columns } from '../text/table.ts';
import { type Naming, nothingNamed, oneNamed } from './names.ts';

type Texts = Readonly<Record<string, string>>;
type Path<Id extends Operation> = PathOf<Id> & Texts;
type NoOptions = Readonly<Record<never, never>>;
type Listing = ListOperation & Operation;

/** A command that is one operation of the management API: path parameters are its places. */
interface Row<Id extends Operation, Given extends Options> extends Facts {
  readonly at: Id;
  /** Other names for the command's places; `sends` fills path parameters without one. */
  readonly places?: readonly string[];
  readonly options?: Given;
  /** The request, with path parameters that are no places. @throws Failure usage */
  readonly sends?: (
    values: ValuesOf<Given>,
    places: Texts,
    context: Context,
  ) => Sent<Id> | Promise<Sent<Id>>;
}

type Sent<Id extends Operation> = Request<Id> & { readonly path?: Texts };

/** The types of a row ensure that request and answer belong to the operation. */
type Send = (at: string, request: object) => Promise<never>;

const rowCommand = <Id extends Operation, Given extends Options>(
  { at, sends = () => ({}), ...facts }: Row<Id, Given>,
  run: (
    context: Context & { readonly call: Send; readonly list: Send },
    request: { readonly path: Path<Id> },
    values: ValuesOf<Given>,
  ) => Promise<void>,
): Command => {
  const parts = [...at.matchAll(/\{(\w+)\}/g)].map(([, part = '']) => part);
  return command({
    places: parts,
    ...facts,
    run: async (context, typed, given) => {
      const values = given as ValuesOf<Given>;
      const sent = await sends(values, typed, context);
      const places = Object.values(typed);
      const path = parts.map((part, index) => [
        part,
        places[index] ?? member(sent.path ?? {}, part) ?? '',
      ]);
      const { call, list } = context.api as unknown as Readonly<Record<'call' | 'list', Send>>;
      const request = { ...sent, path: Object.fromEntries(path) };
      await run({ ...context, call, list }, request, values);
    },
  });
};

export const operationCommand = <Id extends Operation, const Given extends Options = NoOptions>({
  lines,
  note,
  ...row
}: Row<Id, Given> & {
  readonly lines: (answer: AnswerOf<Id>, path: Path<Id>) => readonly string[];
  readonly note?: (answer: AnswerOf<Id>, context: Context) => string;
}): Command =>
  rowCommand(row, async (context, request) => {
    const answer: AnswerOf<Id> = await context.call(row.at, request);
    context.output.result(answer, lines(answer, request.path));
    if (note) context.output.note(note(answer, context));
    context.output.warnings(findingsOf(jsonOf(answer).warnings));
  });

export const listCommand = <Id extends Listing>({
  columns,
  empty,
  ...row
}: Row<Id, NoOptions> & {
  readonly columns:
    | Columns<ItemOf<Id>>
    /** @param now - epoch seconds */
    | ((items: readonly ItemOf<Id>[], now: number) => Columns<ItemOf<Id>>);
  readonly empty: (path: Path<Id>) => string;
}): Command =>
  rowCommand(row, async ({ list, output, world }, request) => {
    const items: readonly ItemOf<Id>[] = await list(row.at, request);
    const shown = typeof columns === 'function' ? columns(items, world.now()) : columns;
    output.rows(items, shown, empty(request.path));
  });

/** How a word typed instead of an id is resolved. */
type Among<List extends Listing, Given extends Options> = Naming<ItemOf<List>> & {
  readonly list: List;
  /** Items that a word may mean. @param given - values of options, and the time in epoch seconds */
  readonly meant: (
    items: readonly ItemOf<List>[],
    word: string,
    given: ValuesOf<Given> & { readonly now: number },
  ) => readonly ItemOf<List>[];
};

/** Removal of an id in no list (any more) is left to the service, which can finish a half-done one. */
export const removeCommand = <
  Id extends Operation & `DELETE ${string}`,
  List extends Listing,
  const Given extends Options = NoOptions,
>({
  among,
  line,
  ...row
}: Row<Id, Given> & {
  readonly among?: Among<List, Given>;
  /** @param named - the last path parameter, safe to show */
  readonly line: (path: Path<Id>, named: string) => string;
}): Command =>
  rowCommand(row, async ({ call, list, output, world }, { path }, values) => {
    const [last, word] = Object.entries<string>(path).at(-1) ?? ['', ''];
    const all: readonly ItemOf<List>[] = among ? await list(among.list, { path }) : [];
    const items = among?.meant(all, word, { ...values, now: world.now() }) ?? [];
    const found = among && oneNamed(word, items, among);
    const id = among && found ? among.id(found) : word;
    const nothing = among && !found && nothingNamed(word, items, among, path['slug'] ?? '');
    // An item with this id exists, but an option excludes it.
    if (nothing && all.some((one) => among.id(one) === word)) throw nothing;
    await call(row.at, { path: { ...path, [last]: id } }).catch((error: unknown) => {
      const isUnknown = error instanceof Failure && error.exitCode === EXIT.notFound;
      throw nothing && isUnknown ? nothing : error;
    });
    output.result({ removed: row.at.endsWith('}') ? id : true }, [line(path, plain(word))]);
  });

export const showChange = (output: Output, answer: Json, more: readonly string[] = []): void => {
  output.result(answer, [...differenceLines(answer), ...more]);
  output.warnings(findingsOf(answer.warnings));
};
