import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { DEFAULT_LIMITS } from '../../../../layers/core/domain/access/limits.ts';
import {
  type ModelTool,
  MODEL_APIS,
  subschemas,
} from '../../../../layers/core/domain/model-apis/index.ts';
import { compileTools } from '../../../../layers/core/domain/openapi/compile/compile-tools.ts';
import { toolTokens } from '../../../../layers/core/domain/model-apis/token-estimate.ts';
import { readText } from '../../../support/intake.ts';
import { readTool } from '../../../support/compile.ts';
import { strictly } from '../../../support/json-schema.ts';

const FOLDER = new URL('../../../../../shared/openapi/', import.meta.url);
const files = existsSync(FOLDER)
  ? readdirSync(FOLDER).filter((name) => /\.(json|ya?ml)$/.test(name))
  : [];

const compileFile = (name: string) => {
  const description = readText(readFileSync(new URL(name, FOLDER)));
  const tokenBudget = DEFAULT_LIMITS.tool_token_budget;
  const compiled = compileTools(description, description.operations, { tokenBudget });
  return { description, compiled, tools: compiled.tools.map(readTool) };
};

/** Each tool's complaints, with its name. */
const complaints = (tools: readonly ModelTool[], of: (tool: ModelTool) => readonly string[]) =>
  tools.flatMap((tool) => of(tool).map((complaint) => `${tool.name}: ${complaint}`));

const compiles = ({ inputSchema }: ModelTool): readonly string[] => {
  try {
    strictly(inputSchema);
    return [];
  } catch (error) {
    return [String(error)];
  }
};

if (files.length === 0) {
  test.skip('real descriptions: the folder shared/openapi is not here', () => {});
}

if (files.length > 0)
  describe.each(files)('the description %s', (name) => {
    const { description, compiled, tools } = compileFile(name);

    test('has one tool for every operation, each with a name of its own', () => {
      expect(tools).toHaveLength(description.operations.length);
      expect(new Set(tools.map((tool) => tool.name)).size).toBe(tools.length);
      expect(tools.filter((tool) => tool.name.length > 48)).toEqual([]);
    });

    test.each(Object.entries(MODEL_APIS))('has only tools that %s accepts', (_, check) => {
      expect(complaints(tools, check)).toEqual([]);
    });

    test('has schemas that compile in strict JSON Schema 2020-12', () => {
      expect(complaints(tools, compiles)).toEqual([]);
    });

    test('has an argument for everything that is sent, and no other arguments', () => {
      for (const { inputSchema, operation } of tools) {
        const { parameters, body } = operation;
        const inBody =
          body?.source.kind === 'properties'
            ? body.source.properties.map(({ argument }) => argument)
            : body
              ? [body.source.argument]
              : [];
        const sent = [...parameters.map(({ argument }) => argument), ...inBody];
        expect(new Set(sent).size).toBe(sent.length);
        expect(Object.keys(inputSchema['properties'] as object)).toEqual(sent);
        expect(
          [...operation.path.matchAll(/\{([^{}]+)\}/g)].filter(
            ([, place]) => !parameters.some((one) => one.in === 'path' && one.name === place),
          ),
        ).toEqual([]);
      }
    });

    test('keeps the name on the wire of every property that was renamed', () => {
      for (const { inputSchema, operation } of tools) {
        const known = new Set(
          subschemas(inputSchema).flatMap(([at, schema]) =>
            Object.keys((schema['properties'] ?? {}) as object).map(
              (property) => `${at}/properties/${property}`,
            ),
          ),
        );
        expect(Object.keys(operation.wireNames ?? {}).filter((at) => !known.has(at))).toEqual([]);
      }
    });

    test('has no tool beyond the budget, and a note on each that was shortened', () => {
      const budget = DEFAULT_LIMITS.tool_token_budget;
      const shortened = compiled.warnings.filter(({ hint }) => hint.includes('tool_token_budget'));

      expect(tools.filter((tool) => toolTokens(tool) > budget)).toEqual([]);
      expect(shortened.length).toBeLessThanOrEqual(tools.length / 8);
      for (const { what } of shortened) {
        const [name = ''] = what.split(' ');
        expect(compiled.notes.get(name)).toContainEqual(
          expect.objectContaining({ why: `in full the tool takes more than ${budget} tokens` }),
        );
      }
    });

    test('has a list of tools that fits into one answer', () => {
      const bytes = JSON.stringify(compiled.tools.map(({ listed }) => listed)).length;
      expect(bytes).toBeLessThan(5_000_000);
    });
  });
