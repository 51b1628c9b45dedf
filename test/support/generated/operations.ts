import * as fc from 'fast-check';
import type { Json } from '../../../layers/platform/rules/json/json.ts';
import { body } from './bodies.ts';
import { joined, type Node, oneOf, optional, type Version } from './dialect.ts';
import { parameter, parameterPlaces, querystring } from './parameters.ts';
import { operationId, text } from './words.ts';

const WITH_BODY = ['post', 'put', 'patch'];

const methodsOf = (version: Version): readonly string[] => [
  'get',
  'delete',
  ...WITH_BODY,
  'options',
  'head',
  ...(version === '3.2.0' ? ['query'] : []),
];

/** A path with the item that describes it: its operations, parameters for all of them, its own servers. */
export const pathItem = (version: Version, index: number): fc.Arbitrary<readonly [string, Node]> =>
  fc
    .record({
      places: fc.array(parameter(version, 'path', index), { maxLength: 2 }),
      methods: fc.uniqueArray(oneOf(...methodsOf(version)), { minLength: 1, maxLength: 3 }),
      shared: oneOf('item', 'operation'),
    })
    .chain(({ places, methods, shared }) => {
      // One path cannot name a place twice.
      const inPath = places.filter(
        ({ name }, at) => places.findIndex((other) => other['name'] === name) === at,
      );
      const path = `/p${index}${inPath.map(({ name }) => `/{${String(name)}}`).join('/to')}`;
      const own = shared === 'operation' ? inPath : [];
      return fc
        .tuple(...methods.map((method) => operation(version, method, own)))
        .map((operations): readonly [string, Node] => [
          path,
          {
            ...(shared === 'item' && inPath.length > 0 ? { parameters: inPath } : {}),
            ...Object.fromEntries(methods.map((method, at) => [method, operations[at] ?? {}])),
          },
        ]);
    });

const operation = (
  version: Version,
  method: string,
  inPath: readonly Node[],
): fc.Arbitrary<Node> => {
  const parameters = parameterPlaces(version).chain((places) =>
    fc.tuple(...places.map((place, index) => parameter(version, place, index))),
  );
  const hasBody = WITH_BODY.includes(method) || method === 'query';
  return fc
    .record({
      about: joined(
        optional({ operationId, summary: text, description: text, deprecated: fc.boolean() }),
        fc.constant({ responses: { 200: { description: 'fine' } } }),
      ),
      parameters,
      whole: fc.oneof(
        { weight: 4, arbitrary: fc.constant<readonly Json[]>([]) },
        querystring(version),
      ),
      sent: hasBody ? body(version) : fc.constant<Node>({}),
    })
    .map(({ about, parameters: some, whole, sent }): Node => {
      const { parameters: inBody = [], ...rest } = sent;
      const others = whole.length > 0 ? some.filter((one) => one['in'] !== 'query') : some;
      const all = [...inPath, ...others, ...whole, ...(inBody as readonly Json[])];
      const { deprecated, ...texts } = about;
      return {
        ...texts,
        ...(deprecated === undefined ? {} : { deprecated }),
        ...(all.length > 0 ? { parameters: all } : {}),
        ...rest,
      };
    });
};
