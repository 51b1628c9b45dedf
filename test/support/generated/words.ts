import * as fc from 'fast-check';
import { oneOf } from './dialect.ts';

/**
 * Names of properties, many of which no model API takes as they are. Those of inherited members
 * (`constructor`) are tested elsewhere: Ajv, which judges here, takes them for members of every object.
 */
const PROPERTY_NAMES: readonly string[] = [
  'name',
  'kind_of',
  'filter[x]',
  'StartTime<',
  'a b',
  'größe',
  '名前',
  'type',
  'properties',
  '$select',
  '@type',
  'x/y~z',
  'dotted.name',
  'a'.repeat(70),
  '%41',
  'q"uote',
];

/** Names of components: any that OpenAPI 3 allows. */
export const OBJECTS = ['Pet', 'Node', 'Order.Item'] as const;
export const COMPONENTS = [...OBJECTS, 'List-of_things'] as const;

export const propertyName = oneOf(...PROPERTY_NAMES);

export const text = oneOf(
  'A thing.',
  'Grüße, 世界 & <b>friends</b>!',
  '',
  'Line one.\n\nLine two: `code`.',
  'x'.repeat(2000),
);

export const operationId = fc.oneof(
  oneOf('listPets', 'get-pet', 'pets.search', 'Pets/Create Pet', 'päivitä', 'constructor'),
  fc.string({ minLength: 1, maxLength: 80 }),
);
