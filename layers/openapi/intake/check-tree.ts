import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import { isObject, type Json, type JsonObject } from '../../platform/rules/json/json.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';
import { finding, type Warnings } from './findings.ts';

/** Levels of nesting in a description: far above any real one, far below a stack overflow. */
export const MAX_NESTING = 500;

/** Values in a description after expansion of YAML aliases; the densest real one of 5 MB has half as many. */
const MAX_VALUES = 500_000;

/** Size of a node with YAML aliases expanded. */
interface Extent {
  readonly weight: number;
  readonly height: number;
  readonly keys: number;
  readonly values: number;
}

export type KeysIn = (node: JsonObject) => number;

type Container = JsonObject | readonly Json[];

/**
 * Checks that a parsed tree can be walked safely: it is finite, size and nesting are bounded with YAML aliases
 * expanded, no key is `__proto__`, every string is valid Unicode. `.nan`, `.inf` and `1e999` become null, with a
 * warning.
 * @throws ApiRefusal `alias_expansion`, `forbidden_key`, `description_too_deep`, `description_too_large`,
 *   `description_not_parseable`
 */
export const checkTree = (root: Json, maxWeight: number, warnings: Warnings): KeysIn => {
  const extents = new Map<object, Extent | 'open'>();
  const path: (string | number)[] = [];
  let values = 0;

  const measure = (node: Container): Extent => {
    const known = extents.get(node);
    if (known === 'open') throw aliasCycle(path);
    if (path.length + (known?.height ?? 1) > MAX_NESTING) throw tooDeep(path);
    if (known !== undefined) return known;

    extents.set(node, 'open');
    const extent = { weight: 1, height: 1, keys: 0, values: 0 };
    const include = (value: Json) => {
      values += 1;
      extent.values += 1;
      if (values > MAX_VALUES) throw tooManyValues(pointerTo(...path));
      if (typeof value === 'object' && value !== null) {
        const inner = measure(value);
        extent.weight += inner.weight;
        extent.keys += inner.keys;
        extent.values += inner.values;
        extent.height = Math.max(extent.height, inner.height + 1);
      } else {
        extent.weight += typeof value === 'string' ? value.length + 1 : 1;
        if (isIllFormed(value)) throw illFormed(path);
      }
      // Without aliases, the weight never exceeds the bytes of the text.
      if (extent.weight > maxWeight || extent.values > MAX_VALUES) throw aliasExplosion(path);
    };
    if (isObject(node)) {
      for (const key of Object.keys(node)) {
        path.push(key);
        if (key === '__proto__') throw forbiddenKey(path);
        if (isIllFormed(key)) throw illFormed(path);
        extent.weight += key.length;
        extent.keys += 1;
        include(finite(node, key));
        path.pop();
      }
    } else {
      for (let index = 0; index < node.length; index += 1) {
        path.push(index);
        include(finite(node, index));
        path.pop();
      }
    }
    extents.set(node, extent);
    return extent;
  };

  /** Value under a key, with numbers that JSON cannot express replaced by null. */
  const finite = (node: Container, key: string | number): Json => {
    const value = (node as Record<string | number, Json>)[key] ?? null;
    if (typeof value !== 'number' || Number.isFinite(value)) return value;
    (node as Record<string | number, Json>)[key] = null;
    const what = `${value} is no number in JSON; null was put in its place`;
    warnings.add(pointerTo(...path), what, 'Write a finite number, or leave it out.');
    return null;
  };

  if (typeof root === 'object' && root !== null) measure(root);
  return (node) => (extents.get(node) as Extent | undefined)?.keys ?? 0;
};

const isIllFormed = (value: Json): boolean => typeof value === 'string' && !value.isWellFormed();

const illFormed = (path: readonly (string | number)[]): ApiRefusal =>
  new ApiRefusal('description_not_parseable', 'The description is not valid Unicode.', [
    finding(
      pointerTo(...path),
      'a text holds half of a surrogate pair',
      'Write the character out, or both halves of its escape.',
    ),
  ]);

const forbiddenKey = (path: readonly (string | number)[]): ApiRefusal =>
  new ApiRefusal('forbidden_key', 'The description holds a key that is never accepted.', [
    finding(pointerTo(...path), 'the key `__proto__`', 'Rename the key or remove it.'),
  ]);

const tooDeep = (path: readonly (string | number)[]): ApiRefusal => {
  const what = `nested more than ${MAX_NESTING} levels deep`;
  return new ApiRefusal('description_too_deep', `The description is ${what}.`, [
    finding(pointerTo(...path), what, 'Flatten it: move nested parts into components.'),
  ]);
};

export const tooManyValues = (where: string): ApiRefusal => {
  const what = `more values, lists and objects than the ${MAX_VALUES} that are accepted`;
  return new ApiRefusal('description_too_large', `The description has ${what}.`, [
    finding(where, what, 'Leave out operations, examples or schemas that are not needed.'),
  ]);
};

const aliasCycle = (path: readonly (string | number)[]): ApiRefusal =>
  new ApiRefusal('alias_expansion', 'The YAML aliases of the description never end.', [
    finding(
      pointerTo(...path),
      'an alias is inside its own anchor',
      'Use `$ref` for what refers to itself.',
    ),
  ]);

const aliasExplosion = (path: readonly (string | number)[]): ApiRefusal =>
  new ApiRefusal('alias_expansion', 'The YAML aliases of the description explode.', [
    finding(
      pointerTo(...path),
      'grows far beyond its size when its aliases are written out',
      'Use fewer aliases, or `$ref`.',
    ),
  ]);
