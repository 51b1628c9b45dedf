import type { Random } from '../support/random.ts';

type Node = Record<string, unknown>;

const ref = (name: string | number): Node => ({ $ref: `#/components/schemas/S${name}` });
const named = (count: number, schema: (index: number) => unknown): Node =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`S${index}`, schema(index)]));
const many = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));
const entries = (names: readonly string[], value: () => unknown): Node =>
  Object.fromEntries(names.map((name) => [name, value()]));
const properties = (count: number, schema: (index: number) => unknown): Node =>
  Object.fromEntries(many(count, (index) => [`p${index}`, schema(index)]));

/** Schemas that are small, and that a careless reader writes out for ever. Each takes its size. */
const SCHEMAS: readonly ((size: number) => Node)[] = [
  // Each stands for two of the next.
  (size) => named(size, (at) => ({ allOf: [ref(at + 1), ref(at + 1)] })),
  (size) => named(size, (at) => ({ anyOf: [ref(at + 1), { type: 'object' }, ref(at + 1)] })),
  (size) => named(size, (at) => ({ oneOf: [ref(at + 1), ref(at + 2)], title: `T${at}` })),
  (size) => named(size, (at) => ({ properties: { a: ref(at + 1), b: ref(at + 1) } })),
  (size) =>
    named(size, (at) => ({ type: 'array', items: ref(at + 1), prefixItems: [ref(at + 1)] })),
  (size) => named(size, (at) => entries(['if', 'then', 'else'], () => ref(at + 1))),
  (size) => named(size, (at) => ({ not: { allOf: [ref(at + 1), ref(at + 1)] } })),
  (size) =>
    named(size, (at) => ({
      additionalProperties: ref(at + 1),
      patternProperties: { a: ref(at + 1) },
    })),
  // All refer to all.
  (size) => named(size, (at) => ({ properties: properties(size, (to) => ref((at + to) % size)) })),
  (size) => named(size, () => ({ allOf: many(size, ref) })),
  (size) =>
    named(size, () => ({ anyOf: many(size, ref), discriminator: { propertyName: 'kind' } })),
  (size) => named(size, (at) => ({ allOf: [ref((at + 1) % size)], anyOf: [ref((at + 2) % size)] })),
  // Much of one thing.
  (size) => ({ S0: { enum: many(size * 200, (at) => `value ${at}`) } }),
  (size) => ({
    S0: { type: 'object', properties: properties(size * 50, () => ({ enum: [1, 'a'] })) },
  }),
  (size) => ({
    S0: { allOf: many(size * 20, (at) => ({ properties: { [`p${at}`]: { const: at } } })) },
  }),
  (size) => ({ S0: { anyOf: many(size * 20, (at) => ({ required: [`p${at}`] })) } }),
  (size) => ({
    S0: {
      type: 'string',
      pattern: `^(${'a?'.repeat(size)})+$`,
      description: 'x'.repeat(size * 5000),
    },
  }),
  (size) => ({
    S0: {
      $dynamicRef: '#node',
      $dynamicAnchor: 'node',
      properties: { n: { $dynamicRef: '#node' } },
      required: many(size * 100, (at) => `r${at}`),
    },
  }),
];

/** Operations around a schema, few or many. */
const PATHS: readonly ((size: number) => Node)[] = [
  () => ({ '/a': { post: inBody(ref(0)) } }),
  (size) => ({
    '/a': {
      get: {
        parameters: many(size * 20, (at) => ({ name: `q${at}`, in: 'query', schema: ref(0) })),
      },
    },
  }),
  (size) =>
    Object.fromEntries(many(size * 5, (at) => [`/a${at}`, { post: inBody(ref(at % size)) }])),
  (size) =>
    Object.fromEntries(
      many(size * 5, (at) => [
        `/a${at}/${'{x}/'.repeat(at % 9)}`,
        { $ref: '#/components/pathItems/Shared' },
      ]),
    ),
  () => ({
    '/a': { post: { requestBody: { content: { 'multipart/form-data': { schema: ref(0) } } } } },
  }),
  () => ({
    '/a': {
      post: {
        requestBody: { content: { 'application/x-www-form-urlencoded': { schema: ref(0) } } },
      },
    },
  }),
];

const inBody = (schema: Node): Node => ({
  requestBody: { required: true, content: { 'application/json': { schema } } },
});

/** A description that is small for what it asks of a careless reader. */
export const bomb = (random: Random): Node => {
  const size = random.pick([3, 10, 30, 60, 120]);
  const shared = {
    get: inBody(ref(0)),
    parameters: many(size, (at) => ({ name: `s${at}`, in: 'query', schema: ref(at) })),
  };
  return {
    openapi: random.pick(['3.0.3', '3.1.0', '3.2.0']),
    info: { title: 'Bomb', version: '1' },
    paths: random.pick(PATHS)(size),
    components: {
      schemas: {
        ...random.pick(SCHEMAS)(size),
        ...(random.oneIn(2) && { [`S${size}`]: ref(0), [`S${size + 1}`]: ref(0) }),
      },
      pathItems: { Shared: shared },
    },
  };
};
