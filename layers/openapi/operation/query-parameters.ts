import type { QueryLanguage } from '../frameworks/query-languages.ts';
import { type JsonObject, member } from '../../platform/rules/json/json.ts';
import { objectOf } from '../../platform/rules/json/members.ts';
import { readTypes } from '../json-schema/types.ts';
import type { Schemas } from '../schema/translate-schemas.ts';
import type { Parameter } from './encodings.ts';
import { propertiesIn } from '../schema/flat-schema.ts';

export interface ReadParameter {
  readonly parameter: Parameter;
  readonly isGuess: boolean;
}

/** Applies a framework's query language to the parameter `node`, except where OpenAPI defines what it declares. */
export const inLanguage = (
  { brackets, dots, filters, json, lists }: QueryLanguage,
  schemas: Pick<Schemas, 'flat'>,
  parameter: Parameter,
  node: JsonObject,
): ReadParameter => {
  const { name, mediaType, schema } = parameter;
  const types = readTypes(schemas.flat(objectOf(schema)));
  if (filters?.isFilter(name) && !types.includes('array') && !types.includes('object')) {
    return {
      parameter: { ...parameter, schema: { type: 'string' }, notes: [filters.argument] },
      isGuess: false,
    };
  }
  if (json && mediaType === undefined && types.includes('object')) {
    const isDeclared = ['style', 'explode'].some((field) => member(node, field) !== undefined);
    return isDeclared
      ? { parameter, isGuess: false }
      : { parameter: { ...parameter, mediaType: 'application/json' }, isGuess: true };
  }
  if (dots && mediaType === undefined && hasObjects(schemas, schema)) {
    const isSpread = parameter.style === 'form' && parameter.explode;
    return isSpread
      ? { parameter: { ...parameter, dots: true }, isGuess: true }
      : { parameter, isGuess: false };
  }
  const isList = lists === true && types.includes('array') && !name.includes('[');
  if (!brackets || mediaType !== undefined || !(types.includes('object') || isList)) {
    return { parameter, isGuess: false };
  }
  const isDeclared = ['style', 'explode', 'collectionFormat'].some(
    (field) => member(node, field) !== undefined,
  );
  if (isDeclared || brackets.isSpread(name)) {
    const isSpread = parameter.style === 'form' && parameter.explode;
    return isSpread
      ? {
          parameter: {
            ...parameter,
            ...(brackets.isSpread(name) && { schema: askingNothing(schemas, schema) }),
            brackets: true,
          },
          isGuess: true,
        }
      : { parameter, isGuess: false };
  }
  return { parameter: { ...parameter, style: 'deepObject', explode: true }, isGuess: true };
};

/** A filter whose schema is that of the records, without the members that only a record must have. */
const askingNothing = (schemas: Pick<Schemas, 'flat'>, schema: Parameter['schema']): JsonObject => {
  const { required: _, ...rest } = schemas.flat(objectOf(schema));
  return rest;
};

const hasObjects = (schemas: Pick<Schemas, 'flat'>, schema: Parameter['schema']): boolean => {
  return Object.values(propertiesIn(schemas, schema)).some((property) => {
    const flat = schemas.flat(objectOf(property));
    const items = schemas.flat(objectOf(member(flat, 'items')));
    return [flat, items].some((one) => readTypes(one).includes('object'));
  });
};
