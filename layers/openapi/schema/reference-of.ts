import { isObject, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { resolveFragment } from '../../platform/rules/json/pointer.ts';
import { isAnnotation, isFlat } from './flat-schema.ts';

/** The reference, if the schema has besides it nothing but texts. */
export const refOf = (schema: JsonObject, allowsRefSiblings: boolean): string | undefined => {
  const ref = member(schema, '$ref');
  if (typeof ref === 'string') {
    const isAlone = Object.keys(schema).every((key) => key === '$ref' || isAnnotation(key));
    return isAlone || !allowsRefSiblings ? ref : undefined;
  }
  if (isFlat(schema)) return undefined;
  // The common way to give a reference a description in OpenAPI 3.0.
  const single = ['allOf', 'oneOf', 'anyOf'].filter((keyword) => Object.hasOwn(schema, keyword));
  const [keyword] = single;
  const list = keyword === undefined ? undefined : member(schema, keyword);
  const [only] = Array.isArray(list) && list.length === 1 ? list : [];
  const isWrapper =
    single.length === 1 &&
    Object.keys(schema).every(
      (key) => key === keyword || isAnnotation(key) || key === 'discriminator',
    );
  const inner =
    isWrapper && isObject(only) && Object.keys(only).length === 1 ? only['$ref'] : undefined;
  return typeof inner === 'string' ? inner : undefined;
};

/**
 * `$recursiveRef` (2019-09) means the component that it is in. So does a `$dynamicRef` (2020-12), if the
 * component has its anchor; intake has settled those that can mean one schema only.
 */
export const dynamicRef = (
  root: JsonObject,
  schema: JsonObject,
  current: string | undefined,
): string | undefined => {
  if (current === undefined || typeof member(schema, '$recursiveRef') === 'string') return current;
  const ref = member(schema, '$dynamicRef');
  const component = resolveFragment(root, current);
  const anchor = isObject(component) ? member(component, '$dynamicAnchor') : undefined;
  return typeof anchor === 'string' && ref === `#${anchor}` ? current : undefined;
};
