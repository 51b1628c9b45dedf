import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RpcRefusal } from '../../../layers/platform/rules/refusal/rpc-refusal.ts';
import { buildRequest } from '../../../layers/tools/request/build-request.ts';
import { readArguments } from '../../../layers/tools/arguments/read-arguments.ts';
import type { OperationParameter, ParameterStyle } from '../../../layers/openapi/tool-index.ts';
import type { TargetRequest } from '../../../layers/target/rules/target.ts';
import { aBody, aParameter, aTool, refusalOf } from '../../support/mcp/tools.ts';
import { runs } from '../../support/generated/runs.ts';

const STYLES: readonly ParameterStyle[] = [
  'matrix',
  'label',
  'simple',
  'form',
  'spaceDelimited',
  'pipeDelimited',
  'tabDelimited',
  'deepObject',
];

const anyStyle = fc.record({
  style: fc.constantFrom(...STYLES),
  explode: fc.boolean(),
  allowReserved: fc.boolean(),
  mediaType: fc.constantFrom(undefined, 'application/json', 'text/plain'),
});

type AnyStyle = typeof anyStyle extends fc.Arbitrary<infer S> ? S : never;

const styled = (place: OperationParameter['in'], name: string, { mediaType, ...style }: AnyStyle) =>
  aParameter(place, name, { ...style, ...(mediaType === undefined ? {} : { mediaType }) });

/** Texts that lead elsewhere when they are put into a URL or header as they are. */
const nasty = fc.oneof(
  fc.constantFrom(
    '..',
    '.',
    '/',
    '\\',
    '../..',
    '..%2f',
    '%2e%2e',
    '%2E.',
    '..;',
    '//evil.example',
    '@evil.example',
    '?a=b',
    '#',
    '&key=x',
    ';key=x',
    '\r\nhost: evil',
    '\u0000',
    '\t',
    '\ud800',
    '😀',
    'http://evil.example',
    '__proto__',
    'constructor',
    '',
    ' ',
    '%',
    '%zz',
    'data:,x',
    'AA==',
    '[',
    '{"a":"../"}',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
);

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSparseArray: true,
  maxDepth: 3,
});

const value = fc.oneof(
  { weight: 4, arbitrary: nasty },
  { weight: 2, arbitrary: fc.tuple(nasty, nasty).map((pair) => pair.join('')) },
  { weight: 2, arbitrary: fc.array(nasty, { maxLength: 3 }) },
  { weight: 2, arbitrary: fc.dictionary(nasty, fc.oneof(nasty, fc.array(nasty)), { maxKeys: 3 }) },
  { weight: 1, arbitrary: anything },
);

const PATHS = ['/a/{p}/b', '/a/{p}', '/{p}{p}', '/a/.{p}', '/a/{p}.json?x={p}'];

const NAMES = ['p', 'q', 'h', 'c', 'b'];

const attempt = (act: () => TargetRequest): TargetRequest | undefined => {
  try {
    return act();
  } catch (error) {
    if (error instanceof RpcRefusal) return undefined;
    throw error;
  }
};

const hostile = fc.record({
  path: fc.constantFrom(...PATHS),
  styles: fc.tuple(anyStyle, anyStyle, anyStyle, anyStyle),
  form: fc.constantFrom('json', 'form', 'multipart', 'text', 'binary'),
  args: fc
    .subarray(['q', 'h', 'c', 'b'], { maxLength: 2 })
    .chain((names) => fc.record(Object.fromEntries(['p', ...names].map((name) => [name, value])))),
  schema: fc.constantFrom(
    {},
    { type: 'string' },
    { type: ['array', 'object'] },
    { type: 'integer' },
  ),
});

describe('arguments of every kind', () => {
  test('make a request below the server, or a refusal, and nothing else', () => {
    let built = 0;
    const property = fc.property(hostile, ({ path, styles, form, args, schema }) => {
      const [p, q, h, c] = styles;
      const tool = aTool(
        {
          method: 'POST',
          path,
          serverUrl: 'https://api.example.com/v1/base',
          parameters: [
            styled('path', 'p', p),
            styled('query', 'q', q),
            styled('header', 'h', h),
            styled('cookie', 'c', c),
          ],
          body: aBody(form, 'application/x-thing', ['b']),
        },
        { properties: Object.fromEntries(NAMES.map((name) => [name, schema])) },
      );
      const key = {
        type: 'api_key',
        in: 'query',
        name: 'key',
        prefix: '',
        secret: 'secret',
        origins: [],
      } as const;

      const request = attempt(() =>
        buildRequest(tool, readArguments(tool, args), { credentials: [key] }),
      );

      if (!request) return;
      built += 1;
      const url = new URL(request.url);
      const [template = ''] = `/v1/base${path}`.split('?');
      const pattern = template.replaceAll('.', '\\.').replaceAll('{p}', '[^/?#]+');
      expect(url.origin).toBe('https://api.example.com');
      expect(url.pathname).toMatch(new RegExp(`^${pattern}$`));
      expect(url.hash).toBe('');
      expect(url.searchParams.getAll('key')).toEqual(['secret']);
      for (const [name, text] of Object.entries(request.headers)) {
        expect(name).toMatch(/^(?:user-agent|accept|content-type|cookie|h)$/);
        expect(text).toMatch(/^[\t\x20-\x7e\x80-\xff]*$/);
      }
    });

    fc.assert(property, { numRuns: runs(2000), seed: 1 });
    expect(built).toBeGreaterThan(runs(400));
  });

  test('never throw anything but a refusal, whatever takes their place', () => {
    const tool = aTool({ parameters: [aParameter('query', 'q')] }, { properties: { q: {} } });
    const property = fc.property(
      fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true }),
      (args) => {
        attempt(() => buildRequest(tool, readArguments(tool, args)));
      },
    );

    fc.assert(property, { numRuns: runs(1000), seed: 1 });
  });
});

describe('arguments that make the head of a request', () => {
  const tool = aTool({ parameters: [aParameter('query', 'q')] }, { properties: { q: {} } });
  const headBytes = ({ url, headers }: TargetRequest) =>
    [url, ...Object.entries(headers).flat()].join('').length;
  const built = (bytes: number) =>
    buildRequest(tool, readArguments(tool, { q: 'x'.repeat(bytes) }));
  const others = headBytes(built(1)) - 1;

  test('as large as servers take it are sent', () => {
    expect(headBytes(built(65_536 - others))).toBe(65_536);
  });

  test('any larger are the caller’s to mend, and are not sent', () => {
    expect(refusalOf(() => built(65_537 - others))).toMatchObject({
      code: 'invalid_params',
      errors: [{ path: '', message: 'take more than 65536 bytes of path, query and headers' }],
    });
  });
});

describe('arguments with very many members that are not allowed', () => {
  test('are reported by the first of them, and by how many follow', () => {
    const closed = { type: 'object', properties: { a: {} }, additionalProperties: false };
    const tool = aTool({ parameters: [aParameter('query', 'q')] }, { properties: { q: closed } });
    const members = Array.from({ length: 30_000 }, (_, at) => [`k${at}`, at]);
    const { errors, description } = refusalOf(() =>
      readArguments(tool, { q: Object.fromEntries(members) }),
    );

    expect(errors).toHaveLength(20);
    expect((errors as unknown[])[0]).toEqual({
      path: '/q/k0',
      message: 'is not allowed here, only a',
    });
    expect(description).toContain('There are more faults than these.');
  });
});
