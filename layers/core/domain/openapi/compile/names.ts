import { createHash } from 'node:crypto';
import type { FoundOperation } from '../document.ts';

/** Clients put a prefix of their own in front of the 64 characters that model APIs allow. */
const MAX_TOOL_NAME = 48;
const MAX_PROPERTY_NAME = 64;

/**
 * The tool name of every operation, unique and fit for all model APIs (`^[a-zA-Z_][a-zA-Z0-9_-]*$`,
 * at most 48 characters): its operationId, or method and path where it has none.
 *
 * A name depends on nothing but the operation itself, unless two operations want the same one. Then
 * an operation whose operationId is literally that name keeps it, and all others get an ending made
 * from their method and path; so order never matters, and a re-import renames nothing. Give it all
 * operations of the description, so that a choice among them changes no name.
 *
 * Source: tools.md, "Names".
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

/** A property name that all model APIs take: `^[a-zA-Z0-9_.-]{1,64}$`, and never `__proto__`. */
export const isPropertyName = (name: string): boolean =>
  /^[a-zA-Z0-9_.-]{1,64}$/.test(name) && name !== '__proto__';

/** What `filter[x]` may be called: `filter_x`. Not unique. */
export const propertyName = (wire: string): string => {
  if (isPropertyName(wire)) return wire;
  const name = clean(wire, /[^a-zA-Z0-9_.-]+/g);
  if (name === '') return `field_${hash(wire, 6)}`;
  return name.length > MAX_PROPERTY_NAME ? propertyNameWithHash(wire) : name;
};

/** The same, with an ending that tells apart names that would otherwise become equal. */
export const propertyNameWithHash = (wire: string, ...origin: readonly string[]): string =>
  `${(clean(wire, /[^a-zA-Z0-9_.-]+/g) || 'field').slice(0, MAX_PROPERTY_NAME - 13)}_${hash([wire, ...origin].join('\n'), 12)}`;

/** A name under `$defs`: the last part of the pointer, told apart by a hash unless it is a plain component. */
export const definitionName = (pointer: string): string => {
  const parts = pointer.split('/');
  const last = parts.at(-1) ?? '';
  const isComponent =
    /^#\/(components\/schemas|definitions)\/[^/]+$/.test(pointer) && isPropertyName(last);
  return isComponent ? last : propertyNameWithHash(last, pointer);
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
      ...(words.length > 0 ? words : [path === '/' ? 'root' : hash(path, 6)]),
    ].join('_'),
  );
};

const toolName = (text: string): string => {
  const name = clean(text, /[^a-zA-Z0-9_-]+/g).replace(/^(?=[^a-zA-Z_])/, '_');
  return name === '_' ? '' : name;
};

/** Characters that are not allowed become one `_`; a name that needed no change is left as it is. */
const clean = (text: string, forbidden: RegExp): string => {
  const name = text.replaceAll(forbidden, '_');
  if (name === text && name !== '__proto__') return name;
  return name.replaceAll(/_{2,}/g, '_').replaceAll(/^_+|_+$/g, '');
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
  hash(`${method} ${path}`, 6),
  hash(`${method} ${path}`, 32),
  hash(`${method} ${path} ${pointer}`, 32),
];

const hash = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length);
