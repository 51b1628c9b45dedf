import { afterAll, describe, expect, test } from '@jest/globals';
import type { Json } from '../../../layers/platform/rules/json/json.ts';
import { prepareTool } from '../../../layers/tools/prepare-tool.ts';
import { buildRequest } from '../../../layers/tools/request/build-request.ts';
import { readArguments } from '../../../layers/tools/arguments/read-arguments.ts';
import { toIndexedTool } from '../../../layers/openapi/tool-index.ts';
import { overrideArguments } from '../../../layers/deployments/rules/override-arguments.ts';
import {
  compiled,
  onlyOf,
  propertiesOf,
  readTool,
  swagger,
} from '../../support/openapi/compile.ts';
import { aDescription, anOperation } from '../../support/openapi/intake.ts';
import { refusalOf } from '../../support/mcp/tools.ts';
import { anEcho } from '../../support/target/echo.ts';

const echo = await anEcho();

afterAll(async () => {
  await echo[Symbol.asyncDispose]();
});

type Members = Readonly<Record<string, Json>>;

const described = (schema: Json, required?: boolean, method = 'post', type = 'application/json') =>
  aDescription({
    paths: {
      '/x': {
        [method]: anOperation({
          requestBody: {
            ...(required !== undefined && { required }),
            content: { [type]: { schema } },
          },
        }),
      },
    },
  });

const toolIn = (description: Members) => readTool(onlyOf(compiled(description).tools));

const sent = async (description: Members, args = {}): Promise<string> =>
  (await echo.call(description, args)).body.toString();

const NOTHING = { type: 'object' };
const MAP = { type: 'object', additionalProperties: { type: 'integer' } };
const OPTIONAL = { type: 'object', properties: { a: { type: 'string' } } };
const DEFAULTED = {
  type: 'object',
  properties: { a: { type: 'string', default: 'x' } },
  required: ['a'],
};

describe('a required body that may be empty', () => {
  test.each([
    ['has no properties', NOTHING],
    ['has any properties', MAP],
    ['has optional properties', OPTIONAL],
    ['may be null as well', { ...NOTHING, type: ['object', 'null'] }],
  ])('is {} where it is left out and %s', async (_, schema) => {
    const description = described(schema, true);

    expect(toolIn(description).inputSchema['required']).toBeUndefined();
    expect(await sent(description)).toBe('{}');
  });

  test('has the defaults of what it requires, where it is left out', async () => {
    const description = described(DEFAULTED, true);

    expect(toolIn(description).inputSchema['required']).toBeUndefined();
    expect(await sent(description)).toBe('{"a":"x"}');
  });

  test('of Swagger 2.0 is so, too', async () => {
    const description = swagger({
      parameters: [{ name: 'body', in: 'body', required: true, schema: NOTHING }],
    });

    expect(toolIn(description).inputSchema['required']).toBeUndefined();
    expect(await sent(description)).toBe('{}');
  });

  test('is what is given', async () => {
    expect(await sent(described(NOTHING, true), { body: { a: 1 } })).toBe('{"a":1}');
  });

  test('says in words that it need not be given', () => {
    expect(propertiesOf(toolIn(described(NOTHING, true)))['body']).toMatchObject({
      description: '{} if left out.',
    });
  });

  test('is sent though its owner takes its argument away', () => {
    const tool = onlyOf(compiled(described(NOTHING, true)).tools);
    const override = { arguments: { body: { hidden: true } } } as const;
    const hidden = overrideArguments(tool, tool.listed.inputSchema, override, () => undefined);
    const prepared = prepareTool(toIndexedTool(hidden.tool));

    expect(buildRequest(prepared, readArguments(prepared, {})).body).toBe('{}');
  });
});

describe('a required body that cannot be empty', () => {
  test.each([
    ['it needs a property', { ...OPTIONAL, required: ['a'] }, ['a']],
    ['it needs some property', { ...NOTHING, minProperties: 1 }, ['body']],
    ['it is one of several', { anyOf: [OPTIONAL, { type: 'array' }] }, ['body']],
    ['it is a list', { type: 'array', items: { type: 'string' } }, ['body']],
    ['nothing is said of it', {}, ['body']],
  ])('is needed where %s', (_, schema, required) => {
    expect(toolIn(described(schema, true)).inputSchema['required']).toEqual(required);
  });
});

describe('a body that nothing is said of whether it may be left out', () => {
  test.each(['post', 'put', 'patch'])('is {} where it may be empty: %s', async (method) => {
    expect(await sent(described(OPTIONAL, undefined, method))).toBe('{}');
    expect(await sent(described(MAP, undefined, method))).toBe('{}');
  });

  test('is told to be so in the report of the tool', () => {
    const { notes } = compiled(described(OPTIONAL));

    expect([...notes.values()].flat()).toContainEqual({
      what: 'without any field, {} is sent',
      why: 'the description does not say that the body may be left out',
    });
  });

  test.each([
    ['requests that take something away', described(OPTIONAL, undefined, 'delete')],
    ['forms', described(OPTIONAL, undefined, 'post', 'application/x-www-form-urlencoded')],
    ['bodies that need something', described({ ...OPTIONAL, required: ['a'] })],
  ])('is left out of %s', async (_, description) => {
    expect(await sent(description)).toBe('');
  });
});

describe('a form with required fields', () => {
  const FORM = { ...OPTIONAL, required: ['a'] };
  const inputOf = (type: string, required?: boolean) =>
    toolIn(described(FORM, required, 'post', type)).inputSchema;

  test.each(['multipart/form-data', 'application/x-www-form-urlencoded'])(
    'is needed where nothing else is said: %s',
    (type) => {
      expect(inputOf(type)).toMatchObject({ properties: { a: {} }, required: ['a'] });
      expect(inputOf(type)).toEqual(inputOf(type, true));
      expect(inputOf(type, false)).not.toHaveProperty('required');
    },
  );

  test('is said to be so in the report of the tool', () => {
    const { notes } = compiled(described(FORM, undefined, 'post', 'multipart/form-data'));

    expect([...notes.values()].flat()).toContainEqual({
      what: 'the required fields of the form have to be given',
      why: 'the description does not say that the body may be left out',
    });
  });
});

describe('a body that may be left out in so many words', () => {
  const description = described(OPTIONAL, false);

  test('is left out', async () => {
    expect(await sent(description)).toBe('');
    expect(await sent(description, { send_empty_body: false })).toBe('');
  });

  test('is {} where a call asks for that', async () => {
    expect(await sent(description, { send_empty_body: true })).toBe('{}');
    expect(await sent(description, { a: 'x', send_empty_body: true })).toBe('{"a":"x"}');
  });

  test('is {} as one argument', async () => {
    expect(await sent(described(MAP, false))).toBe('');
    expect(await sent(described(MAP, false), { body: {} })).toBe('{}');
  });

  test('has no such argument where one of its own has the name', () => {
    const properties = { send_empty_body: { type: 'string' } };

    expect(propertiesOf(toolIn(described({ type: 'object', properties }, false)))).toEqual(
      properties,
    );
  });

  test('has none where it cannot be empty', () => {
    const tool = onlyOf(compiled(described({ ...OPTIONAL, minProperties: 1 }, false)).tools);
    const prepared = prepareTool(toIndexedTool(tool));

    expect(refusalOf(() => readArguments(prepared, { send_empty_body: true }))).toMatchObject({
      code: 'invalid_params',
    });
  });
});
