import type { FoundOperation } from '../document.ts';
import { nameOf, shortHash } from '../schema/property-names.ts';

/** Clients put a prefix of their own in front of the 64 characters that model APIs allow. */
const MAX_TOOL_NAME = 48;

/**
 * The tool name of every operation, unique and fit for all model APIs (`^[a-zA-Z_][a-zA-Z0-9_-]*$`,
 * at most 48 characters): its operationId, or method and path where it has none.
 *
 * A name depends on nothing but the operation itself, unless two operations want the same one. Then
 * an operation whose operationId is literally that name keeps it, and all others get an ending made
 * from their method and path; so order never matters, and a re-import renames nothing. Give it all
 * operations of the description, so that a choice among them changes no name.
 *
 * Source: docs/tools.md, "Names".
 */
export const toolNames = (
  operations: readonly FoundOperation[],
): ReadonlyMap<FoundOperation, string> => {
  const wanted = operations.map((operation) => ({ operation, name: wantedName(operation) }));
  const byName = Map.groupBy(wanted, ({ name }) => name);

  const taken = new Set<string>();
  const names = new Map<FoundOperation, string>();
  for (const [name, claims] of byName) {
    const owner = soleOwner(name, claims);
    if (!owner) continue;
    names.set(owner, name);
    taken.add(name);
  }
  for (const { operation, name } of wanted) {
    if (names.has(operation)) continue;
    const unique = endings(operation)
      .map((ending) => `${name.slice(0, MAX_TOOL_NAME - 1 - ending.length)}_${ending}`)
      .find((free) => !taken.has(free));
    if (unique === undefined) throw new Error('an operation stands in the list twice');
    names.set(operation, unique);
    taken.add(unique);
  }
  return names;
};

const wantedName = ({ method, path, operationId }: FoundOperation): string => {
  const given = operationId === undefined ? '' : toolName(operationId);
  if (given !== '') return given;
  const words = path
    .replaceAll(/\{([^{}]*)\}/g, '/by/$1/')
    .split(/[^a-zA-Z0-9-]+/)
    .filter((word) => word !== '');
  return toolName(
    [
      method.toLowerCase(),
      ...(words.length > 0 ? words : [path === '/' ? 'root' : shortHash(path, 6)]),
    ].join('_'),
  );
};

const toolName = (text: string): string => {
  const name = nameOf(text, /[^a-zA-Z0-9_-]+/g).replace(/^(?=[^a-zA-Z_])/, '_');
  return name === '_' ? '' : name;
};

/** Who may keep the plain name: the only one who wants it, or the only one who literally has it. */
const soleOwner = (
  name: string,
  claims: readonly { readonly operation: FoundOperation }[],
): FoundOperation | undefined => {
  if (name.length > MAX_TOOL_NAME) return undefined;
  const literal = claims.filter(({ operation }) => operation.operationId === name);
  if (literal.length === 1) return literal[0]?.operation;
  return claims.length === 1 ? claims[0]?.operation : undefined;
};

/** Six digits tell operations apart in practice; the longer ones are for those who try. */
const endings = ({ method, path, pointer }: FoundOperation): readonly string[] => [
  shortHash(`${method} ${path}`, 6),
  shortHash(`${method} ${path}`, 32),
  shortHash(`${method} ${path} ${pointer}`, 32),
];
