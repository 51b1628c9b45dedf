import { describe, expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { compileTools } from '../../layers/openapi/compile-tools.ts';
import type { ModelTool } from '../../layers/openapi/model-apis/rules.ts';
import { MODEL_APIS } from '../../layers/openapi/model-apis/verdict.ts';
import { readTool } from '../support/openapi/compile.ts';
import { descriptions } from '../support/generated/index.ts';
import { read } from '../support/openapi/intake.ts';
import { strictly } from '../support/openapi/json-schema.ts';
import { describedOperations } from '../support/wire-reader/index.ts';
import { runs } from '../support/generated/runs.ts';

const SEED = 20_261_120;
const GENERATED = descriptions(runs(100), SEED).map((description) => {
  const { operations, ...rest } = read(description);
  const tools = compileTools({ operations, ...rest }, operations).tools.map(readTool);
  return { description, operations, tools };
});
const TOOLS = GENERATED.flatMap(({ tools }) => tools);

/** Each tool's complaints, with its name. */
const complaints = (of: (tool: ModelTool) => readonly string[]) =>
  TOOLS.flatMap((tool) => of(tool).map((complaint) => `${tool.name}: ${complaint}`));

describe('any valid description', () => {
  test('is valid by the OpenAPI Initiative’s own schemas', async () => {
    const validator = new Validator();
    const invalid: unknown[] = [];
    for (const { description } of GENERATED) {
      const { valid, errors } = await validator.validate(structuredClone(description));
      if (!valid) invalid.push({ description, errors });
    }

    expect(invalid).toEqual([]);
  });

  test('is of each dialect, and has operations with every kind of body', () => {
    const versions = GENERATED.map(({ description: { openapi, swagger } }) => openapi ?? swagger);
    const forms = TOOLS.map(({ operation }) => operation.body?.form ?? 'none');

    expect(new Set(versions)).toEqual(new Set(['2.0', '3.0.4', '3.1.1', '3.2.0']));
    expect(new Set(forms)).toEqual(
      new Set(['none', 'json', 'form', 'multipart', 'text', 'binary']),
    );
  });

  test('has one tool for every operation, each with a name of its own', () => {
    for (const { description, tools } of GENERATED) {
      const described = describedOperations(description);
      expect(tools.map(({ operation: { method, path } }) => `${method} ${path}`)).toEqual(
        described.map(({ method, path }) => `${method} ${path}`),
      );
      expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
      for (const { name } of tools) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,48}$/);
    }
  });

  test.each(Object.entries(MODEL_APIS))('has only tools that %s takes', (_, check) => {
    expect(complaints(check)).toEqual([]);
  });

  test('has schemas that compile in strict JSON Schema 2020-12', () => {
    expect(
      complaints(({ inputSchema }) => {
        try {
          strictly(inputSchema);
          return [];
        } catch (error) {
          return [String(error)];
        }
      }),
    ).toEqual([]);
  });

  test('requires the arguments that it requires, and no other', () => {
    for (const { description, tools } of GENERATED) {
      for (const [index, operation] of describedOperations(description).entries()) {
        const tool = tools[index]!;
        const { parameters, body } = tool.operation;
        const required = new Set([(tool.inputSchema['required'] ?? []) as string[]].flat());
        const named = parameters.map(({ in: place, name, argument }) => [
          `${place} ${name}`,
          required.has(argument),
        ]);
        const whole =
          body?.source.kind === 'whole' && !body.emptyObject
            ? required.has(body.source.argument)
            : undefined;

        const { constants = {}, defaults = {}, headers } = tool.operation;
        const known = parameters
          .filter(
            ({ argument }) =>
              Object.hasOwn(constants, argument) ||
              Object.hasOwn(defaults, `/properties/${argument}`),
          )
          .map(({ in: place, name }) => [`${place} ${name}`, false]);
        expect(Object.fromEntries(named)).toEqual({
          ...requiredBy(operation, headers),
          ...Object.fromEntries(known),
        });
        expect(whole ?? operation.body?.required).toBe(operation.body?.required);
      }
    }
  });
});

/** By place and name. Headers with one value only are sent without being asked for. */
const requiredBy = (
  { parameters }: ReturnType<typeof describedOperations>[number],
  fixed: Readonly<Record<string, string>> = {},
) =>
  Object.fromEntries(
    parameters
      .filter(
        ({ in: place, name }) => place !== 'header' || !Object.hasOwn(fixed, name.toLowerCase()),
      )
      .map(({ in: place, name, required }) => [`${place} ${name}`, required]),
  );
