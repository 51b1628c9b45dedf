import * as fc from 'fast-check';
import {
  always,
  isModern,
  isSwagger,
  joined,
  type Node,
  oneOf,
  optional,
  type Version,
} from './dialect.ts';
import { text } from './words.ts';

const count = (min: number, max: number) => fc.integer({ min, max });

const FORMATS = ['date', 'date-time', 'uuid', 'email', 'uri', 'ipv4', 'password', 'x-unknown'];
const PATTERNS = ['^[a-z]{2,5}$', '^\\d+$', '[A-Z]', '^(red|green)-\\d{1,3}$'];

/** Schemas of texts that a value can be found for. */
const strings = (version: Version): fc.Arbitrary<Node> =>
  joined(
    always({ type: 'string' }),
    fc.oneof(
      optional({ minLength: count(0, 3), maxLength: count(4, 30) }),
      oneOf(...FORMATS).map((format): Node => ({ format })),
      oneOf(...PATTERNS).map((pattern): Node => ({ pattern })),
      oneOf<Node>({ enum: ['one', 'two words', 'thrée'] }, { enum: ['only'] }),
      isModern(version) ? always({ const: 'fixed' }) : always({}),
    ),
  );

const LOWER_LIMITS = (version: Version): fc.Arbitrary<Node> =>
  isModern(version)
    ? oneOf<Node>({ minimum: 1 }, { exclusiveMinimum: 0 }, {})
    : oneOf<Node>({ minimum: 1 }, { minimum: 0, exclusiveMinimum: true }, {});

const numbers = (version: Version): fc.Arbitrary<Node> =>
  joined(
    oneOf<Node>({ type: 'integer' }, { type: 'integer', format: 'int64' }, { type: 'number' }),
    LOWER_LIMITS(version),
    oneOf<Node>({}, { maximum: 90 }, { multipleOf: 5 }),
  );

/** `nullable` in each dialect's words. */
export const orNull = (version: Version, schema: Node): Node => {
  if (isSwagger(version)) return { ...schema, 'x-nullable': true };
  if (!isModern(version)) return { ...schema, nullable: true };
  return typeof schema['type'] === 'string' && !schema['enum'] && !('const' in schema)
    ? { ...schema, type: [schema['type'], 'null'] }
    : { anyOf: [schema, { type: 'null' }] };
};

/** Schemas of plain values, the only ones that every place and style can hold. */
export const scalars = (version: Version): fc.Arbitrary<Node> =>
  joined(
    fc.oneof(strings(version), numbers(version), always({ type: 'boolean' })),
    optional({ description: text }),
  );
