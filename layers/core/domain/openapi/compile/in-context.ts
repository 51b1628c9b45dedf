import type { Json } from '../document.ts';
import { ANYTHING, type LinkedSchema, typesOf } from './linked-schema.ts';
import { isOneOf, type TypeName } from './types.ts';

/**
 * A member of `anyOf` or `allOf` as it stands within a schema of these types: types that the outer
 * schema rules out are taken away, since strict readers of JSON Schema refuse such contradictions.
 *
 * @param context - the types of the outer schema; empty where it takes any
 * @returns undefined if nothing is left of it
 */
export const inContext = (
  schema: LinkedSchema,
  context: readonly TypeName[],
): LinkedSchema | undefined => {
  const types = typesOf(schema);
  const common = [...new Set(types.flatMap((type) => commonType(type, context)))];
  if (types.length === 0 || context.length === 0) return schema;
  if (common.length === 0) return undefined;
  if (common.length === types.length && common.every((type) => types.includes(type))) return schema;

  const type: Json = common.length === 1 ? (common[0] ?? null) : common;
  const { enum: values, ...others } = schema.keywords;
  const kept = Array.isArray(values) ? values.filter((value) => isOneOf(common, value)) : [];
  const lost = types.filter((one) => commonType(one, context).length === 0);
  // Keywords of a type that is gone would contradict it too; those of `null` do not exist.
  const isWhole = lost.every((one) => one === 'null');
  const { description } = schema;
  return {
    ...(isWhole ? schema : description === undefined ? {} : { description }),
    ...(!isWhole && common.includes('array') ? { one: { items: ANYTHING } } : {}),
    keywords: { ...(isWhole ? others : {}), type, ...(kept.length > 0 ? { enum: kept } : {}) },
  };
};

const commonType = (type: TypeName, context: readonly TypeName[]): readonly TypeName[] => {
  if (context.length === 0 || context.includes(type)) return [type];
  if (type === 'number' && context.includes('integer')) return ['integer'];
  return type === 'integer' && context.includes('number') ? [type] : [];
};
