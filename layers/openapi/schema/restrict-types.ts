import type { Json } from '../../platform/rules/json/json.ts';
import { commonType, isOneOf, type TypeName } from '../json-schema/types.ts';
import { ANYTHING, type LinkedSchema, typesOf } from './linked-schema.ts';

/**
 * A member of `anyOf` or `allOf` as it stands within a schema of these types: types that the outer
 * schema rules out are taken away, since strict readers of JSON Schema refuse such contradictions.
 *
 * @param outerTypes - those of the outer schema; empty where it takes any
 * @returns undefined if nothing is left of it
 */
export const restrictTypes = (
  schema: LinkedSchema,
  outerTypes: readonly TypeName[],
): LinkedSchema | undefined => {
  const types = typesOf(schema);
  if (types.length === 0 || outerTypes.length === 0) return schema;
  const common = [...new Set(types.flatMap((type) => commonType(type, outerTypes) ?? []))];
  if (common.length === 0) return undefined;
  if (common.length === types.length && common.every((type) => types.includes(type))) return schema;

  const type: Json = common.length === 1 ? (common[0] ?? null) : common;
  const { enum: values, ...others } = schema.keywords;
  const kept = Array.isArray(values) ? values.filter((value) => isOneOf(common, value)) : [];
  const lost = types.filter((one) => commonType(one, outerTypes) === undefined);
  // Keywords of a type that is gone would contradict it too; those of `null` do not exist.
  const isWhole = lost.every((one) => one === 'null');
  const { description } = schema;
  return {
    ...(isWhole ? schema : description === undefined ? {} : { description }),
    ...(!isWhole && common.includes('array') ? { items: ANYTHING } : {}),
    keywords: { ...(isWhole ? others : {}), type, ...(kept.length > 0 ? { enum: kept } : {}) },
  };
};
