import type { QueryLanguage } from '../frameworks/query-languages.ts';
import { type JsonObject, member } from '../../platform/rules/json/json.ts';
import { objectOf } from '../../platform/rules/json/members.ts';
import { readTypes } from '../json-schema/types.ts';
import type { Schemas } from '../schema/translate-schemas.ts';
import type { Parameter } from './encodings.ts';
import { hasBoolean, propertiesIn } from '../schema/flat-schema.ts';

export interface ReadParameter {
  readonly parameter: Parameter;
  /** What is written as the framework reads it, where that is a guess. */
  readonly guess?: string;
}

/** Applies a framework's query language to the parameter `node`, except where OpenAPI defines what it declares. */
export const inLanguage = (
  language: QueryLanguage,
  schemas: Pick<Schemas, 'flat'>,
  parameter: Parameter,
  node: JsonObject,
): ReadParameter => {
  const read = inStyle(language, schemas, parameter, node);
  const isPlain = parameter.mediaType === undefined;
  if (!language.digits || !isPlain || !hasBoolean(schemas, parameter.schema)) return read;
  const guess =
    read.guess === undefined
      ? 'booleans in its query are written as 1 and 0'
      : `${read.guess}, booleans as 1 and 0`;
  return { parameter: { ...read.parameter, digits: true }, guess };
};

const inStyle = (
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
    };
  }
  if (json && mediaType === undefined && types.includes('object')) {
    const isDeclared = ['style', 'explode'].some((field) => member(node, field) !== undefined);
    return isDeclared
      ? { parameter }
      : { parameter: { ...parameter, mediaType: 'application/json' }, guess: objectsAs('JSON') };
  }
  if (dots && mediaType === undefined && hasObjects(schemas, schema)) {
    const isSpread = parameter.style === 'form' && parameter.explode;
    return isSpread
      ? { parameter: { ...parameter, dots: true }, guess: objectsAs('a.b=1') }
      : { parameter };
  }
  const isList = lists === true && types.includes('array') && !name.includes('[');
  if (!brackets || mediaType !== undefined || !(types.includes('object') || isList)) {
    return { parameter };
  }
  const isDeclared = ['style', 'explode', 'collectionFormat'].some(
    (field) => member(node, field) !== undefined,
  );
  if (isDeclared || brackets.isSpread(name)) {
    const isSpread = parameter.style === 'form' && parameter.explode;
    if (!isSpread || !types.includes('object')) return { parameter };
    const filter = brackets.isSpread(name) && { schema: askingNothing(schemas, schema) };
    return { parameter: { ...parameter, ...filter, brackets: true }, guess: objectsAs('a[b]=1') };
  }
  const guess = types.includes('object')
    ? objectsAs('a[b]=1')
    : 'lists in its query are written as a[]=1';
  return { parameter: { ...parameter, style: 'deepObject', explode: true }, guess };
};

const objectsAs = (written: string): string => `objects in its query are written as ${written}`;

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
