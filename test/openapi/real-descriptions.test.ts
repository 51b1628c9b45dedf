import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { DEFAULT_LIMITS } from '../../layers/limits/rules/limits.ts';
import type { ModelTool } from '../../layers/openapi/model-apis/rules.ts';
import { MODEL_APIS } from '../../layers/openapi/model-apis/verdict.ts';
import { subschemas } from '../../layers/openapi/json-schema/subschemas.ts';
import type { Json } from '../../layers/platform/rules/json/json.ts';
import { compileTools } from '../../layers/openapi/compile-tools.ts';
import { listBounds } from '../../layers/openapi/fit/fit-tools.ts';
import { withOutputs } from '../../layers/openapi/output/outputs.ts';
import { structuredContent } from '../../layers/tools/answer/structured-content.ts';
import type { ToolOutput } from '../../layers/openapi/tool-output.ts';
import { toolTokens } from '../../layers/openapi/model-apis/token-estimate.ts';
import { ToolIndexSchema } from '../../layers/deployments/store/versions/tool-index-schema.ts';
import { toToolIndex } from '../../layers/openapi/tool-index.ts';
import { NO_DIFFERENCE, toolsDiff } from '../../layers/servers/rules/differences/tools-diff.ts';
import { readText } from '../support/openapi/intake.ts';
import { readTool } from '../support/openapi/compile.ts';
import { officialVerdicts } from '../support/openapi/output-validators.ts';
import { allArguments } from '../support/openapi/sample-arguments.ts';
import { strictly } from '../support/openapi/json-schema.ts';

const FOLDER = new URL('../../../shared/openapi/', import.meta.url);
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

/**
 * What of these output schemas does not compile. Each object in them once, with the types of what is inside:
 * a compiler takes one after the other, and most stand in many schemas.
 */
const uncompilable = (schemas: readonly string[]): readonly string[] => {
  const objects = new Map<string, object>();
  const collect = (node: Node): void => {
    const { type, properties, items } = node;
    const shallow = {
      type,
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, inside]) => [name, typeOnly(inside)]),
        ),
      }),
      ...(items && { items: typeOnly(items) }),
    };
    if (properties || items) objects.set(JSON.stringify(shallow), shallow);
    for (const inside of [...Object.values(properties ?? {}), ...(items ? [items] : [])]) {
      collect(inside);
    }
  };
  for (const schema of schemas) collect(JSON.parse(schema));
  try {
    officialVerdicts({ type: 'object', properties: { ...[...objects.values()] } });
    return [];
  } catch (error) {
    return [String(error)];
  }
};

/** Six digits and more, not all of them letters. */
const HASHED = /_(?=[a-f]*\d)[0-9a-f]{6,}$/;

interface Node {
  readonly type?: Json;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
}

const typeOnly = ({ type }: Node): object => (type === undefined ? {} : { type });

/** Answers whose structured content clients would refuse; or the error for which they have no tools. */
const misfitting = (output: ToolOutput): readonly unknown[] => {
  try {
    const schema = JSON.parse(output.schema);
    const verdicts = officialVerdicts(schema);
    const { [output.result ?? '']: result = schema } = schema.properties;
    const { value } = allArguments({ properties: { value: result } }) as { value: Json };
    const broken = [[value], { ...Object(value), _note: 1 }, null, 'text', 1.5];
    return [value, ...broken].filter((answer) => {
      const sent = JSON.parse(structuredContent(output, JSON.stringify(answer)));
      return verdicts.some((fits) => !fits(sent));
    });
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

    test('differs in nothing from itself, stored and read back', () => {
      const index = toToolIndex(compiled.tools);
      const stored = ToolIndexSchema.parse(JSON.parse(JSON.stringify(index)));

      expect(toolsDiff(stored, index)).toEqual(NO_DIFFERENCE);
      expect(toolsDiff(index, stored)).toEqual(NO_DIFFERENCE);
    });

    test('has names of words, and no two descriptions that read alike', () => {
      expect(tools.map(({ name: its }) => its).filter((its) => HASHED.test(its))).toEqual([]);
      expect(new Set(tools.map((tool) => tool.description)).size).toBe(tools.length);
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
        const asking = operation.body?.emptyArgument;
        const sent = [
          ...parameters.map(({ argument }) => argument),
          ...inBody,
          ...(asking === undefined ? [] : [asking]),
        ];
        expect(new Set(sent).size).toBe(sent.length);
        const { constants = {} } = operation;
        expect(Object.keys(inputSchema['properties'] as object)).toEqual(
          sent.filter((name) => !Object.hasOwn(constants, name)),
        );
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

    test('has output schemas that official clients compile, and what an answer becomes fits them', () => {
      const isWanted = () => true;
      const bounds = listBounds('operations');
      const fitted = compiled.tools.map((tool) => ({ tool, notes: [] }));
      const options = { isWanted, tokenBudget: DEFAULT_LIMITS.tool_token_budget, bounds };
      const made = withOutputs(description, description.operations, fitted, options);
      // Many tools have the same.
      const outputs = new Map(
        made.tools.flatMap(({ tool: { output } }) => (output ? [[output.schema, output]] : [])),
      );
      expect(uncompilable([...outputs.keys()])).toEqual([]);
      const some = [...outputs.values()].filter((_, index) => index % 16 === 0);
      expect(some.flatMap(misfitting)).toEqual([]);
    });

    test('has a list of tools that fits into one answer', () => {
      const bytes = JSON.stringify(compiled.tools.map(({ listed }) => listed)).length;
      expect(bytes).toBeLessThan(5_000_000);
    });
  });
