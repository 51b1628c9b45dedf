import * as fc from 'fast-check';
import { isModern, isSwagger, type Node, type Version, without } from './dialect.ts';
import { schemas } from './schemas.ts';
import { OBJECTS } from './words.ts';

/** The schemas that others refer to. They refer to each other, each other's circles included. */
export const componentSchemas = (version: Version): fc.Arbitrary<Node> => {
  const { object, any } = schemas(version);
  // An extension by `allOf` adds properties, which a closed object would refuse.
  const open = object.map((schema) => without(schema, 'additionalProperties'));
  const list = any.map((items): Node => ({ type: 'array', items }));
  const pets = isSwagger(version)
    ? fc.constant({})
    : fc.record({ Cat: pet('cat', version), Dog: pet('Dog', version) });
  const keeper = isModern(version) ? fc.constant({ Keeper: KEEPER }) : fc.constant({});
  return fc
    .tuple(fc.tuple(...OBJECTS.map(() => open)), list, pets, keeper)
    .map(([objects, things, tagged, keepers]): Node => ({
      ...Object.fromEntries(OBJECTS.map((name, index) => [name, objects[index] ?? {}])),
      'List-of_things': things,
      ...tagged,
      ...keepers,
    }));
};

const pet = (kind: string, version: Version): fc.Arbitrary<Node> =>
  fc.constant({
    type: 'object',
    required: ['petType'],
    properties: {
      petType: isModern(version) ? { const: kind } : { type: 'string', enum: [kind] },
      friends: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
      self: { $ref: `#/components/schemas/${kind === 'cat' ? 'Cat' : 'Dog'}` },
    },
  });

const KEEPER: Node = {
  type: 'object',
  properties: { kept: { $ref: '#/components/schemas/Keeper/$defs/kept' } },
  $defs: {
    kept: { type: 'object', properties: { keeper: { $ref: '#/components/schemas/Keeper' } } },
  },
};
