import * as fc from 'fast-check';
import {
  always,
  isModern,
  isSwagger,
  joined,
  type Node,
  objectOf,
  oneOf,
  optional,
  type Version,
} from './dialect.ts';
import { orNull, scalars } from './scalars.ts';
import { COMPONENTS, OBJECTS, propertyName, text } from './words.ts';

export interface SchemaArbitraries {
  /** Refers to nothing. */
  readonly ground: fc.Arbitrary<Node>;
  /** May refer to components, in circles too. Every such schema has a value. */
  readonly any: fc.Arbitrary<Node>;
  /** Objects only. */
  readonly object: fc.Arbitrary<Node>;
}

/**
 * Schemas that some value fits: what must be there never leads in a circle, and the parts of a
 * composition do not contradict each other.
 */
export const schemas = (version: Version): SchemaArbitraries => {
  const places = isSwagger(version) ? '#/definitions' : '#/components/schemas';
  const referenceTo = (names: readonly string[]) =>
    oneOf(...names).map((name): Node => ({ $ref: `${places}/${name}` }));
  const reference = referenceTo(COMPONENTS);
  const scalar = fc
    .tuple(scalars(version), fc.integer({ max: 5, min: 0 }))
    .map(([schema, chance]) => (chance === 0 ? orNull(version, schema) : schema));

  const ties = fc.letrec<{ ground: Node; any: Node; object: Node }>((tie) => {
    const list = (items: fc.Arbitrary<Node>, limits: fc.Arbitrary<Node>) =>
      fc
        .tuple(items, limits)
        .map(([itself, some]): Node => ({ type: 'array', items: itself, ...some }));
    const groundList = list(tie('ground'), oneOf<Node>({}, { minItems: 1, maxItems: 3 }));
    const anyList = list(tie('any'), oneOf<Node>({}, { maxItems: 4 }));
    const object = anObject(version, tie('ground'), tie('any'));
    const extended = extension(referenceTo(OBJECTS), object);
    const compositions: readonly fc.Arbitrary<Node>[] = isSwagger(version)
      ? [extended]
      : [extended, choice(version, tie('ground')), someOf, tagged];
    return {
      ground: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        scalar,
        groundList,
        anObject(version, tie('ground'), tie('ground')),
      ),
      any: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        scalar,
        reference,
        anyList,
        object,
        ...compositions,
        ...(isModern(version) ? [tuples, withDefinitions] : []),
      ),
      object,
    };
  });
  return ties;
};

/** Required are only properties that refer to nothing. */
const anObject = (
  version: Version,
  ground: fc.Arbitrary<Node>,
  any: fc.Arbitrary<Node>,
): fc.Arbitrary<Node> =>
  fc
    .record({
      needed: fc.dictionary(propertyName, ground, { maxKeys: 2, noNullPrototype: true }),
      others: fc.dictionary(propertyName, any, { maxKeys: 3, noNullPrototype: true }),
      flags: fc.array(oneOf<Node>({ readOnly: true }, { writeOnly: true }), { maxLength: 1 }),
      further: oneOf<Node>(
        {},
        { additionalProperties: false },
        { additionalProperties: true },
        { additionalProperties: { type: 'string' } },
      ),
      texts: optional({ description: text, title: text }),
    })
    .map(({ needed, others, flags, further, texts }): Node => {
      const [flag = {}] = flags;
      const isKnown = isSwagger(version) ? !('writeOnly' in flag) : true;
      const marked = Object.entries(others).map(([name, schema], index): [string, Node] => [
        name,
        index === 0 && isKnown && !('$ref' in schema) ? { ...schema, ...flag } : schema,
      ]);
      const required = Object.keys(needed);
      return {
        type: 'object',
        ...texts,
        properties: { ...objectOf(marked), ...needed },
        ...(required.length > 0 ? { required } : {}),
        ...further,
      };
    });

/** A component with more properties, whose names stand in no other schema. */
const extension = (reference: fc.Arbitrary<Node>, object: fc.Arbitrary<Node>): fc.Arbitrary<Node> =>
  fc.tuple(reference, object).map(([base, { properties }]): Node => {
    const own = Object.entries((properties ?? {}) as Node).map(
      ([name, schema]) => [`own_${name.slice(0, 20)}`, schema] as const,
    );
    return { allOf: [base, { type: 'object', properties: objectOf(own) }] };
  });

/** Objects of which exactly one fits, told apart by a property that all require. */
const choice = (version: Version, ground: fc.Arbitrary<Node>): fc.Arbitrary<Node> =>
  fc.array(ground, { minLength: 2, maxLength: 3 }).map((bodies): Node => ({
    oneOf: bodies.map((body, index): Node => ({
      type: 'object',
      required: ['tag', 'body'],
      properties: {
        tag: isModern(version)
          ? { const: `tag-${index}` }
          : { type: 'string', enum: [`tag-${index}`] },
        body,
      },
    })),
    discriminator: { propertyName: 'tag' },
  }));

/** Components told apart by `petType`. Every one of them has it: see `description.ts`. */
const tagged: fc.Arbitrary<Node> = always({
  oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
  discriminator: {
    propertyName: 'petType',
    mapping: { cat: '#/components/schemas/Cat', dog: 'Dog' },
  },
});

const someOf: fc.Arbitrary<Node> = oneOf<Node>(
  { anyOf: [{ type: 'string', maxLength: 9 }, { type: 'integer' }] },
  { anyOf: [{ type: 'boolean' }, { type: 'array', items: { type: 'number' } }] },
  { not: { type: 'string' }, type: 'integer' },
);

const tuples: fc.Arbitrary<Node> = oneOf<Node>({
  type: 'array',
  prefixItems: [{ type: 'integer' }, { type: 'string' }],
  items: { type: 'boolean' },
  minItems: 2,
});

/** A component that keeps a schema of its own. See `description.ts`. */
const withDefinitions: fc.Arbitrary<Node> = joined(
  oneOf<Node>(
    { $ref: '#/components/schemas/Keeper/$defs/kept' },
    { type: 'array', items: { $ref: '#/components/schemas/Keeper' } },
  ),
  optional({ description: text }),
);
