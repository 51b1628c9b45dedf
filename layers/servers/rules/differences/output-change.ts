import { isDeepStrictEqual } from 'node:util';
import { outputSchema } from '../../../openapi/tool-index.ts';
import type { ToolOutput } from '../../../openapi/tool-output.ts';
import { isObject } from '../../../platform/rules/json/json.ts';

/** `breaking`: clients with the old list of tools may refuse results until they list the tools again. */
export const outputChange = (
  before: ToolOutput | undefined,
  after: ToolOutput | undefined,
): { readonly what: string; readonly breaking: boolean } | undefined => {
  if (before?.schema === after?.schema) return undefined;
  if (!before) return { what: 'the results are structured', breaking: false };
  if (!after) return { what: 'the results are no longer structured', breaking: true };
  const [old, now] = [outputSchema(before), outputSchema(after)];
  if (isDeepStrictEqual(old, now)) return undefined;
  const breaking = excludes(old, now);
  return { what: 'the output schema is another one', breaking };
};

/** Whether a described value of the new schema may violate the old one. */
const excludes = (before: unknown, after: unknown): boolean => {
  if (!isObject(before) || !isObject(after)) return false;
  const [old, now] = [listOf(before['type']), listOf(after['type'])];
  if (old.length > 0 && (now.length === 0 || now.some((type) => !includes(old, type)))) return true;
  const [had, has] = [before['properties'], after['properties']];
  const isInside =
    isObject(had) &&
    isObject(has) &&
    Object.entries(had).some(
      ([name, schema]) => Object.hasOwn(has, name) && excludes(schema, has[name]),
    );
  return isInside || excludes(before['items'], after['items']);
};

const listOf = (type: unknown): readonly unknown[] => (type === undefined ? [] : [type].flat());

const includes = (types: readonly unknown[], type: unknown): boolean =>
  types.includes(type) || (type === 'integer' && types.includes('number'));
