export interface Choosable {
  readonly method: string;
  readonly path: string;
  readonly operation_id?: string | undefined;
  readonly tags: readonly string[];
}

/** Entries also choose among later versions: `tag:NAME`, `METHOD /path` with `*` in either, or an operationId. */
export interface Selection {
  /** null: all operations, also those of later versions. */
  readonly include: readonly string[] | null;
  readonly exclude: readonly string[];
}

export const EVERYTHING: Selection = { include: null, exclude: [] };
export const NOTHING: Selection = { include: [], exclude: [] };
export const ONLY_READING: Selection = { include: ['GET *', 'HEAD *'], exclude: [] };

export const operationName = ({ operation_id: id, method, path }: Choosable): string =>
  id ?? `${method.toUpperCase()} ${path}`;

/** Group of operations without a tag; it is never sent. */
export const UNTAGGED = '';

/** Operations by tag, in the order of the description; one with two tags stands under both. */
export const byTag = <Operation extends Choosable>(
  operations: readonly Operation[],
): ReadonlyMap<string, readonly Operation[]> => {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const tags = operation.tags.length > 0 ? operation.tags : [UNTAGGED];
    for (const tag of tags) {
      const group = groups.get(tag);
      if (group) group.push(operation);
      else groups.set(tag, [operation]);
    }
  }
  return groups;
};

export const selected = <Operation extends Choosable>(
  operations: readonly Operation[],
  { include, exclude }: Selection,
): ReadonlySet<Operation> => {
  const included = include === null ? () => true : anyOf(include, operations);
  const excluded = anyOf(exclude, operations);
  return new Set(operations.filter((one) => included(one) && !excluded(one)));
};

/**
 * The selection after somebody chose operations or left them out. Its entries for other operations stay.
 * @param acted - the operations, with the tag or the entry (`GET /orders*`) that named them; an entry that also
 *   names others is not used
 */
export const withChoice = (
  operations: readonly Choosable[],
  before: Selection,
  acted: {
    readonly tag?: string | undefined;
    readonly entry?: string | undefined;
    readonly operations: readonly Choosable[];
  },
  isWanted: boolean,
): Selection => {
  const entries =
    acted.tag !== undefined && acted.tag !== UNTAGGED
      ? [`tag:${acted.tag}`]
      : acted.entry !== undefined && namesExactly(acted.entry, acted.operations, operations)
        ? [acted.entry]
        : acted.operations.map(operationName);
  return isWanted
    ? taken(operations, before, acted.operations, entries)
    : leftOut(operations, before, acted.operations, entries);
};

const namesExactly = (
  entry: string,
  acted: readonly Choosable[],
  operations: readonly Choosable[],
): boolean => {
  const named = operations.filter(anyOf([entry], operations));
  return named.length === acted.length && named.every((one) => acted.includes(one));
};

const leftOut = (
  operations: readonly Choosable[],
  { include, exclude }: Selection,
  acted: readonly Choosable[],
  entries: readonly string[],
): Selection => {
  const unsaid = {
    include: include?.filter((entry) => !entries.includes(entry)) ?? null,
    exclude,
  };
  const still = selected(operations, unsaid);
  const left = acted.filter((one) => still.has(one));
  if (left.length === 0) return unsaid;
  const more = entries.filter((entry) => left.some(anyOf([entry], operations)));
  return { ...unsaid, exclude: [...exclude, ...more] };
};

const taken = (
  operations: readonly Choosable[],
  { include, exclude }: Selection,
  acted: readonly Choosable[],
  entries: readonly string[],
): Selection => {
  // An excluded entry for several operations is replaced by names of those that stay excluded.
  const kept = exclude.flatMap((entry) => {
    const named = operations.filter(anyOf([entry], operations));
    if (!named.some((one) => acted.includes(one))) return [entry];
    return named.filter((one) => !acted.includes(one)).map(operationName);
  });
  const unsaid = { include, exclude: [...new Set(kept)] };
  const there = selected(operations, unsaid);
  const missing = acted.filter((one) => !there.has(one));
  if (include === null || missing.length === 0) return unsaid;
  const more = entries.filter((entry) => missing.some(anyOf([entry], operations)));
  return { ...unsaid, include: [...include, ...more] };
};

/** Null for all operations. The API reads an empty `include` as all, so "none" is sent as an exclusion of all. */
export const sentSelection = ({
  include,
  exclude,
}: Selection): { include: string[]; exclude: string[] } | null => {
  if (include === null && exclude.length === 0) return null;
  if (include?.length === 0) return { include: [], exclude: ['* *'] };
  return { include: [...(include ?? [])], exclude: [...exclude] };
};

/** The selection of an answer of the API, where an empty `include` means all. */
export const selectionOf = (
  sent: { readonly include: readonly string[]; readonly exclude: readonly string[] } | undefined,
): Selection =>
  sent
    ? { include: sent.include.length === 0 ? null : sent.include, exclude: sent.exclude }
    : EVERYTHING;

export const selectionOptions = (
  { include, exclude }: Selection,
  quoted: (text: string) => string,
): readonly string[] => [
  ...(include ?? []).map((one) => `--include ${quoted(one)}`),
  ...exclude.map((one) => `--exclude ${quoted(one)}`),
];

/** Reads entries like the service: one that is no tag or operationId of the description is a method and a path. */
const anyOf = (
  entries: readonly string[],
  operations: readonly Choosable[],
): ((operation: Choosable) => boolean) => {
  const names = new Set(
    operations.flatMap(({ operation_id: id, tags }) => [
      ...(id === undefined ? [] : [id]),
      ...tags.map((tag) => `tag:${tag}`),
    ]),
  );
  const plain = new Set(entries.filter((entry) => names.has(entry)));
  const places = entries.flatMap((entry) => {
    const [, method = '', path] = /^(\S+)\s+([/*].*)$/s.exec(entry.trim()) ?? [];
    return path === undefined || names.has(entry)
      ? []
      : [{ method: method.toUpperCase(), parts: path.split('*') }];
  });
  return ({ operation_id: id, tags, method, path }) =>
    (id !== undefined && plain.has(id)) ||
    tags.some((tag) => plain.has(`tag:${tag}`)) ||
    places.some(
      (place) =>
        (place.method === '*' || place.method === method.toUpperCase()) &&
        isLike(path, place.parts),
    );
};

/** Whether a text consists of these parts in this order, with anything between them. */
const isLike = (text: string, [first = '', ...rest]: readonly string[]): boolean => {
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at + last.length <= text.length;
};
