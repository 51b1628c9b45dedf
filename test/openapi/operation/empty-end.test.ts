import { expect, test } from '@jest/globals';
import { compiled } from '../../support/openapi/compile.ts';
import { aDescription, anOperation } from '../../support/openapi/intake.ts';

const path = (name: string, more: object = {}) => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string' },
  ...more,
});

/** Which places of the tools of these paths may be empty, by method and path. */
const emptiable = (
  ...operations: readonly (readonly [string, string, ReturnType<typeof path>?])[]
) => {
  const paths: Record<string, Record<string, object>> = {};
  for (const [method, at, parameter] of operations) {
    const parameters = parameter ? [parameter] : [];
    paths[at] = { ...paths[at], [method]: anOperation({ parameters } as never) };
  }
  return compiled(aDescription({ paths: paths as never })).tools.flatMap(({ operation }) =>
    operation.parameters.some(({ mayBeEmpty }) => mayBeEmpty)
      ? [`${operation.method} ${operation.path}`]
      : [],
  );
};

test.each<[string, string, string, ReturnType<typeof path>]>([
  ['a path', 'get', '/files/{path}', path('path')],
  ['the path of a file', 'head', '/files/{filePath}', path('filePath')],
  ['several segments', 'get', '/files/{name}', path('name', { 'x-multi-segment': true })],
])('the last place may be empty where it is %s', (_, method, at, parameter) => {
  expect(emptiable([method, at, parameter])).toEqual([`${method.toUpperCase()} ${at}`]);
});

test.each<[string, string, string, ReturnType<typeof path>]>([
  ['it is an id', 'get', '/users/{id}', path('id')],
  ['something is written', 'put', '/files/{path}', path('path')],
  ['it is not the last', 'get', '/files/{path}/rows', path('path')],
  ['it is a part of a segment', 'get', '/files/v{path}', path('path')],
])('it may not where %s', (_, method, at, parameter) => {
  expect(emptiable([method, at, parameter])).toEqual([]);
});

// Most servers take `/files/` for `/files`, and an owner may have left that out.
test.each(['/files', '/files/'])('nor where %s is described, published or not', (shorter) => {
  expect(emptiable(['get', '/files/{path}', path('path')], ['get', shorter])).toEqual([]);
  expect(emptiable(['get', '/files/{path}', path('path')], ['post', shorter])).toEqual([
    'GET /files/{path}',
  ]);
});
