import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../layers/platform/rules/json/json.ts';
import { compileTools } from '../../layers/openapi/compile-tools.ts';
import { aDescription, anOperation, read, refusalOf } from '../support/openapi/intake.ts';
import {
  compiled,
  onlyOf,
  readTool,
  swagger,
  toolOf,
  toolsOf,
} from '../support/openapi/compile.ts';

describe('a listed tool', () => {
  test('has the members of an MCP tool, and no others', () => {
    const { operation: _, ...listed } = toolOf({ operationId: 'addPet', summary: 'Add a pet' });

    expect(listed).toEqual({
      name: 'addPet',
      title: 'Add a pet',
      description: 'Add a pet',
      inputSchema: { type: 'object', properties: {} },
      annotations: {
        title: 'Add a pet',
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: true,
      },
    });
  });

  test.each([
    ['get', true, false, true],
    ['head', true, false, true],
    ['put', false, true, true],
    ['patch', false, true, false],
    ['delete', false, true, true],
    ['options', false, false, false],
  ])(
    'for the method %s has the hints read-only %s, destructive %s, idempotent %s',
    (method, readOnly, destructive, idempotent) => {
      const { annotations } = onlyOf(
        toolsOf(aDescription({ paths: { '/pets': { [method]: anOperation() } } })),
      );

      expect(annotations).toEqual({
        readOnlyHint: readOnly,
        destructiveHint: destructive,
        idempotentHint: idempotent,
        openWorldHint: true,
      });
    },
  );

  test('asks for no argument in a header of the transport, whatever its description says', () => {
    const asked = { type: 'string', 'x-mcp-header': 'City' };
    const nested = { type: 'object', 'x-mcp-header': 'All', properties: { city: asked } };
    const tool = toolOf({
      parameters: [{ name: 'city', in: 'query', 'x-mcp-header': 'City', schema: asked }],
      requestBody: {
        content: { 'application/json': { schema: { ...nested, items: asked, allOf: [nested] } } },
      },
    });

    expect(JSON.stringify(tool.inputSchema)).toContain('city');
    expect(JSON.stringify(tool)).not.toContain('x-mcp-header');
  });

  test.each<[Readonly<Record<string, Json>>, string]>([
    [{ summary: 'Add.', description: 'Adds a pet.' }, 'Add.\n\nAdds a pet.'],
    [{ summary: 'Add a pet.', description: 'Add a pet to the store.' }, 'Add a pet to the store.'],
    [{ description: 'Adds a pet.' }, 'Adds a pet.'],
    [{ summary: 'Add.', deprecated: true }, 'Deprecated. Add.'],
    [{}, 'POST /pets'],
    [{ summary: ' ', description: 7 }, 'POST /pets'],
  ])('for the operation %j has the description %j', (operation, description) => {
    expect(toolOf(operation).description).toBe(description);
  });

  test('has no title where the summary is long or has several lines', () => {
    for (const summary of ['x'.repeat(101), 'a\nb']) {
      const tool = toolOf({ summary });
      expect(tool).not.toHaveProperty('title');
      expect(tool.annotations).not.toHaveProperty('title');
    }
    const titled = toolOf({ summary: 'x'.repeat(100) });
    expect(titled).toMatchObject({
      title: 'x'.repeat(100),
      annotations: { title: 'x'.repeat(100) },
    });
  });

  test('without arguments has a schema that says so, in the dialect that MCP takes for granted', () => {
    expect(toolOf({}).inputSchema).toEqual({ type: 'object', properties: {} });
  });

  test('has a description of at most 1,024 characters, its arguments of 400, cut after a sentence', () => {
    const text = 'This is a sentence. '.repeat(100);
    const { description, inputSchema } = toolOf({
      description: text,
      parameters: [{ name: 'a', in: 'query', description: text, schema: { type: 'string' } }],
    });

    expect(description).toMatch(/^(This is a sentence\. ?){51}…$/);
    expect(JSON.stringify(inputSchema)).toMatch(/(This is a sentence\. ?){19}…"/);
  });
});

describe('what a tool keeps of its operation', () => {
  test('is what a request needs', () => {
    const { operation } = toolOf({ operationId: 'add.pet' }, {}, '/pets?kind=a#add');

    expect(operation).toEqual({
      method: 'POST',
      path: '/pets?kind=a',
      serverUrl: 'https://api.example.com/v1',
      operationId: 'add.pet',
      parameters: [],
      accept: [],
    });
  });

  test('includes the media types of successful answers', () => {
    const { operation } = toolOf(
      {
        responses: {
          200: { $ref: '#/components/responses/Pet' },
          201: { description: 'fine', content: { 'text/csv': {}, 'application/json': {} } },
          400: { description: 'bad', content: { 'application/problem+json': {} } },
        },
      },
      {
        components: {
          responses: { Pet: { description: 'fine', content: { 'application/json': {} } } },
        },
      },
    );

    expect(operation.accept).toEqual(['application/json', 'text/csv']);
  });

  test('includes the media types that a Swagger 2.0 description produces', () => {
    const { operation } = onlyOf(
      toolsOf(swagger({ produces: ['application/json'] }, { produces: ['application/xml'] })),
    );

    expect(operation.accept).toEqual(['application/json']);
  });
});

describe('the tools of some operations', () => {
  test('have the same names as among the tools of all operations', () => {
    const description = read(
      aDescription({
        servers: [{ url: 'https://a.example' }],
        paths: {
          '/a': { get: anOperation({ operationId: 'same.' }) },
          '/b': { get: anOperation({ operationId: 'same' }) },
          '/c': { get: anOperation({ operationId: 'same!' }) },
        },
      }),
    );
    const all = compileTools(description, description.operations);

    for (const [index, operation] of description.operations.entries()) {
      const alone = compileTools(description, [operation]);
      expect(onlyOf(alone.tools).name).toBe(all.tools[index]?.name);
    }
  });
});

describe('a tool that would be very large', () => {
  const wide = (count: number, schema: Json) => ({
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: Object.fromEntries(
              Array.from({ length: count }, (_, i) => [`p${i}`, schema]),
            ),
          },
        },
      },
    },
  });

  test('defines a component once under $defs, if repeating it would make the tool large', () => {
    const tool = toolOf(wide(80, { $ref: '#/components/schemas/Big' }), {
      components: {
        schemas: {
          Big: {
            type: 'object',
            properties: { a: { type: 'string', description: 'x'.repeat(999) } },
          },
        },
      },
    });

    expect(tool.inputSchema['$defs']).toMatchObject({ Big: { type: 'object' } });
    expect(tool.inputSchema['properties']).toMatchObject({ p79: { $ref: '#/$defs/Big' } });
  });

  test('lists the first of more than 400 values in a description, without an enum', () => {
    const values = Array.from({ length: 401 }, (_, i) => `v${i}`);
    const { inputSchema } = toolOf({
      parameters: [{ name: 'a', in: 'query', schema: { type: 'string', enum: values } }],
    });

    expect(inputSchema['properties']).toEqual({
      a: {
        type: 'string',
        description: 'One of 401 values: v0, v1, v2, v3, v4, v5, v6, v7, and 393 more.',
      },
    });
  });
});

describe('the list of all tools', () => {
  const description = aDescription({
    paths: Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [
        `/pets/${i}`,
        {
          get: anOperation({
            operationId: `get${i}`,
            description: 'Word after word. '.repeat(100),
            parameters: [{ name: 'a', in: 'query', schema: { type: 'string' } }],
          }),
        },
      ]),
    ),
  });
  const sizeOf = (maxListBytes: number) => {
    const { tools, warnings } = compiled(description, { maxListBytes });
    return { bytes: JSON.stringify(tools.map(({ listed }) => listed)).length, warnings };
  };

  test('has shorter descriptions, with a warning, where it would be too large', () => {
    const { bytes: full, warnings: none } = sizeOf(1_000_000);
    const { bytes: fitted, warnings } = sizeOf(30_000);

    expect(full).toBeGreaterThan(40_000);
    expect(none).toEqual([]);
    expect(fitted).toBeLessThan(30_000);
    expect(onlyOf(warnings).what).toBe(
      'the texts of the 40 tools are shortened to keep their list small',
    );
  });

  test('is refused where it is too large even with the shortest descriptions', () => {
    const refusal = refusalOf(() => sizeOf(5_000));

    expect(refusal).toMatchObject({
      code: 'tool_list_too_large',
      description: expect.stringMatching(/^The list of 40 tools takes \d+ KB/),
    });
    expect(refusal.findings[0]).toMatchObject({
      where: expect.stringMatching(/^\/paths\//),
      hint: expect.stringContaining('operations.exclude'),
    });
  });
});

test('the tools of a description are the same every time they are compiled', () => {
  const description = aDescription({
    paths: { '/a': { get: anOperation(), put: anOperation() }, '/b': { get: anOperation() } },
  });

  expect(compiled(description)).toEqual(compiled(description));
  expect(
    compiled(description)
      .tools.map(readTool)
      .map(({ name }) => name),
  ).toEqual(['get_a', 'put_a', 'get_b']);
});
