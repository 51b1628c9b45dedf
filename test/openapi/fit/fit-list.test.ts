import { describe, expect, test } from '@jest/globals';
import { compileTools, type CompileOptions } from '../../../layers/openapi/compile-tools.ts';
import type { Description } from '../../../layers/openapi/document.ts';
import type { ToolMode } from '../../../layers/openapi/tool-mode.ts';
import type { CompiledTool } from '../../../layers/openapi/tool-index.ts';
import { aDescription, anOperation, read, refusalOf } from '../../support/openapi/intake.ts';

/** So many operations that take the same so many arguments, by reference: few bytes each. */
const described = (operations: number, parameters: number) => {
  const names = Array.from(
    { length: parameters },
    (_, at) => `aParameterWithANameThatIsAlmostAsLongAsNamesMayBe_${at}`,
  );
  const all = names.map((name) => ({ name, in: 'query', schema: { type: 'string' } }));
  return read(
    aDescription({
      openapi: '3.1.0',
      servers: [{ url: 'https://api.example.com' }],
      paths: Object.fromEntries(
        Array.from({ length: operations }, (_, at) => [
          `/p${at}`,
          { $ref: '#/components/pathItems/one' },
        ]),
      ),
      components: { pathItems: { one: { parameters: all, get: anOperation() } } },
    }),
  );
};

const compile = (description: Description, toolMode: ToolMode, options: CompileOptions = {}) =>
  compileTools(description, description.operations, { toolMode, ...options });

const listLength = (tools: readonly CompiledTool[]): number =>
  tools.reduce((sum, { listed }) => sum + JSON.stringify(listed).length, 0);

describe('the size of all tools together', () => {
  test('is bounded by what a client can be sent, and the refusal suggests the search mode', () => {
    const { code, description, findings } = refusalOf(() =>
      compile(described(10, 10), 'operations', { maxListBytes: 5000 }),
    );

    expect(code).toBe('tool_list_too_large');
    expect(description).toMatch(/^The list of 10 tools takes \d+ KB, .* at most 5 KB fit\.$/);
    expect(findings[0]?.hint).toContain('tool_mode: "search"');
  });

  test('may be larger in search mode, where no text is shortened for it', () => {
    const { tools, warnings } = compile(described(1200, 60), 'search');
    const listBytes = listLength(tools);

    expect(listBytes).toBeGreaterThan(5_000_000);
    expect(warnings.filter(({ what }) => what.includes('shortened'))).toEqual([]);
  });

  test('is bounded in search mode too, and the refusal suggests fewer operations', () => {
    const { code, findings } = refusalOf(() =>
      compile(described(10, 10), 'search', { maxListBytes: 10_000 }),
    );

    expect(code).toBe('tool_list_too_large');
    expect(findings[0]?.hint).toContain('operations.include');
    expect(findings[0]?.hint).not.toContain('tool_mode');
  });

  test('includes in search mode what a call needs, besides what is shown', () => {
    const { tools } = compile(described(10, 10), 'operations');
    const listBytes = 1000 + listLength(tools);

    expect(() =>
      compile(described(10, 10), 'operations', { maxListBytes: listBytes }),
    ).not.toThrow();
    expect(() => compile(described(10, 10), 'search', { maxListBytes: listBytes })).toThrow();
  });

  test('is refused for too many arguments before any tool is emitted', () => {
    const { code, description } = refusalOf(() => compile(described(2001, 100), 'search'));

    expect(code).toBe('tool_list_too_large');
    expect(description).toBe('The operations have more than 200000 arguments together.');
  });
});

describe('a list that thousands of operations share', () => {
  const numbered = <One>(count: number, make: (at: number) => One): One[] =>
    Array.from({ length: count }, (_, at) => make(at));
  const paths = (count: number, operation: ReturnType<typeof anOperation>) =>
    Object.fromEntries(numbered(count, (at) => [`/p${at}`, { post: operation }]));

  // Each of them on its own, this would go on for minutes.
  test('is read once, if it is a list of servers', () => {
    const description = read(
      aDescription({
        openapi: '3.1.0',
        servers: numbered(20_000, (at) => ({ url: `https://api${at}.example.com` })),
        paths: paths(2000, anOperation()),
      }),
    );
    const addresses = compile(description, 'search').tools.map(
      ({ operation }) => operation.serverUrl,
    );

    expect(new Set(addresses)).toEqual(new Set(['https://api0.example.com']));
  });

  test('is read to its hundredth entry, if it is a list of media types', () => {
    const types = numbered(20_000, (at) => `application/x${at}`);
    const description = read({
      swagger: '2.0',
      info: { title: 'Pets', version: '1' },
      host: 'api.example.com',
      consumes: types,
      produces: types,
      paths: paths(1000, anOperation({ parameters: [{ name: 'a', in: 'body', schema: {} }] })),
    });
    const [tool] = compile(description, 'search').tools;

    expect(tool?.operation.body?.mediaType).toBe('application/x0');
    expect(tool?.operation.accept).toEqual(types.slice(0, 100));
  });
});
