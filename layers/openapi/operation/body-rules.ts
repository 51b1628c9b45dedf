import type { ArgumentRule } from '../tool-index.ts';
import { isObject, member } from '../../platform/rules/json/json.ts';
import type { Body } from './body.ts';
import type { LinkedSchema } from '../schema/linked-schema.ts';
import { listOf } from '../schema/flat-schema.ts';
import type { Schemas } from '../schema/translate-schemas.ts';

/** Routers keep the rules of all tools: what is longer than any honest ones are is left to the API. */
const MAX_RULES = 20_000;

/**
 * What the router checks of a body whose properties are arguments, since no root of an `inputSchema` can
 * say it.
 *
 * @param choice - sets of properties of which one must be there
 */
export const bodyRules = (
  schemas: Pick<Schemas, 'flat'>,
  body: Body,
  object: LinkedSchema,
  choice: readonly (readonly string[])[] | undefined,
): readonly ArgumentRule[] => {
  const names = (object.properties ?? []).map(({ name }) => name);
  const sent = body.required ? {} : { when: names };
  const rules = [
    ...(choice === undefined ? [] : [{ ...sent, kind: 'needs' as const, sets: choice }]),
    ...countRules(object, sent),
    ...dependentRules(schemas, body, object),
  ];
  return JSON.stringify(rules).length <= MAX_RULES ? rules : [];
};

const countRules = (
  { keywords, properties = [] }: LinkedSchema,
  sent: Pick<ArgumentRule, 'when'>,
): readonly ArgumentRule[] => {
  const { minProperties: least, maxProperties: most } = keywords;
  if (typeof least !== 'number' && typeof most !== 'number') return [];
  return [
    {
      ...sent,
      kind: 'counts',
      of: properties.map(({ name }) => name),
      ...(typeof least === 'number' ? { least } : {}),
      ...(typeof most === 'number' ? { most } : {}),
    },
  ];
};

/** `dependentRequired`, by the names of the arguments; rules on what no argument is are left out. */
const dependentRules = (
  schemas: Pick<Schemas, 'flat'>,
  { schema }: Body,
  { properties = [] }: LinkedSchema,
): readonly ArgumentRule[] => {
  const flat = isObject(schema) ? schemas.flat(schema) : {};
  const names = new Map(properties.map(({ name, wireName }) => [wireName, name]));
  return ['dependentRequired', 'dependencies'].flatMap((keyword) => {
    const rules = member(flat, keyword);
    return Object.entries(isObject(rules) ? rules : {}).flatMap(([given, needed]) => {
      const when = names.get(given);
      const set = listOf(needed).map((name) =>
        typeof name === 'string' ? names.get(name) : undefined,
      );
      const known = set.filter((name) => name !== undefined);
      if (when === undefined || known.length === 0 || known.length < set.length) return [];
      return [{ when: [when], kind: 'needs' as const, sets: [known] }];
    });
  });
};
