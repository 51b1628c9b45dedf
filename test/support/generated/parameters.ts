import * as fc from 'fast-check';
import type { Json } from '../../../layers/platform/rules/json/json.ts';
import {
  isSwagger,
  joined,
  type Node,
  objectOf,
  oneOf,
  optional,
  type Version,
  without,
} from './dialect.ts';
import { scalars } from './scalars.ts';
import { schemas } from './schemas.ts';
import { text } from './words.ts';

export type Place = 'path' | 'query' | 'header' | 'cookie';

/** Names that each place can hold; the number keeps those of one operation apart. */
const NAMES: Readonly<Record<Place, readonly string[]>> = {
  path: ['id', 'pet-id', 'pet_id', 'größe', 'a.b'],
  query: ['limit', 'filter[x]', '$top', 'a b', 'größe', 'q&a', 'from'],
  header: ['X-Trace', 'if-match', 'X_Under.Score'],
  cookie: ['session', 'c.d', 'c-e'],
};

const STYLES: Readonly<Record<Place, readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

/** A parameter in any place, style and type that its dialect defines. */
export const parameter = (version: Version, place: Place, index: number): fc.Arbitrary<Node> => {
  const named = oneOf(...NAMES[place]).map((name): Node => ({
    name: `${name}${index}`,
    in: place,
    ...(place === 'path' ? { required: true } : {}),
  }));
  const about = optional({
    description: text,
    ...(place === 'path' ? {} : { required: fc.boolean() }),
    ...(isSwagger(version) ? {} : { deprecated: fc.boolean() }),
  });
  const kind = isSwagger(version)
    ? collections(version, place)
    : fc.oneof(
        { weight: 6, arbitrary: styled(version, place, index) },
        { weight: 1, arbitrary: inJson(version) },
      );
  return joined(named, about, kind);
};

const styled = (version: Version, place: Place, index: number): fc.Arbitrary<Node> => {
  return oneOf(...STYLES[place]).chain((style) => {
    const flat = flatSchemas(version, index, place, style);
    switch (style) {
      case 'deepObject':
        return fc.record({
          style: fc.constant(style),
          explode: fc.constant(true),
          schema: flat.deep,
        });
      case 'spaceDelimited':
      case 'pipeDelimited':
        return fc.record({
          style: fc.constant(style),
          explode: fc.constant(false),
          schema: flat.list,
        });
      default:
        return joined(
          fc.record({ schema: fc.oneof(flat.scalar, flat.list, flat.object) }),
          optional({
            style: fc.constant(style),
            explode: fc.boolean(),
            ...(place === 'query' ? { allowReserved: fc.boolean() } : {}),
          }),
        ).map((node) =>
          'style' in node || style === STYLES[place][0] ? node : { ...node, style },
        );
    }
  });
};

/** What a style can hold: plain values, lists of them, objects of them; for `deepObject` one level more. */
const flatSchemas = (version: Version, index: number, place: Place, style: string) => {
  // A label is divided by dots, which are never encoded; nor can a list be told from its spaces.
  const scalar = scalars(version).filter(
    ({ format, enum: values }) =>
      !(style === 'label' && format) && !(style === 'spaceDelimited' && values),
  );
  const list = scalar.map((items): Node => ({ type: 'array', items }));
  // Exploded members stand among the other parameters, so no two may have one name.
  const objectWith = (member: fc.Arbitrary<Node>) =>
    fc.array(member, { minLength: 1, maxLength: 3 }).map((members): Node => ({
      type: 'object',
      properties: objectOf(
        members.map((schema, at) => [
          `m${index}_${(place === 'cookie' ? 'abc' : 'a[<').slice(0, at + 1)}`,
          schema,
        ]),
      ),
      required: [`m${index}_a`],
      additionalProperties: false,
    }));
  return {
    scalar,
    list,
    object: objectWith(scalar),
    deep: objectWith(fc.oneof(scalar, list, objectWith(scalar))),
  };
};

const inJson = (version: Version): fc.Arbitrary<Node> =>
  schemas(version).any.map((schema): Node => ({ content: { 'application/json': { schema } } }));

/** Swagger 2.0: a parameter is a schema itself. */
const collections = (version: Version, place: Place): fc.Arbitrary<Node> => {
  const scalar = scalars(version).map((schema) => without(schema, 'description'));
  const formats = ['csv', 'ssv', 'tsv', 'pipes', ...(place === 'query' ? ['multi'] : [])];
  const list = fc
    .tuple(
      scalar.filter(({ enum: values }) => !values),
      optional({ collectionFormat: oneOf(...formats) }),
    )
    .map(([items, format]): Node => ({ type: 'array', items, ...format }));
  return fc.oneof(scalar, list);
};

/** Places for parameters, cookies only where they can be described. */
export const parameterPlaces = (version: Version): fc.Arbitrary<readonly Place[]> =>
  fc.array(oneOf<Place>('query', 'header', ...(isSwagger(version) ? [] : (['cookie'] as const))), {
    maxLength: 4,
  });

/** OpenAPI 3.2: one parameter for the whole query. */
export const querystring = (version: Version): fc.Arbitrary<readonly Json[]> =>
  version === '3.2.0'
    ? flatSchemas(version, 9, 'query', 'form').object.map((schema) => [
        {
          name: 'whole',
          in: 'querystring',
          content: { 'application/x-www-form-urlencoded': { schema } },
        },
      ])
    : fc.constant([]);
