import { estimateTokens, toolTokens } from '../model-apis/token-estimate.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import type { CompiledTool } from '../tool-index.ts';
import { type Description, type FoundOperation, resolved } from '../document.ts';
import { type FittedTool, FRAME_BYTES, type ListBounds } from '../fit/fit-tools.ts';
import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { objectMember } from '../../platform/rules/json/members.ts';
import type { ToolOutput } from '../tool-output.ts';
import { flatSchemas } from '../schema/flat-schema.ts';
import {
  answerShapes,
  loosened,
  type LooseningContext,
  meantBy,
  type OutputDetail,
  toolOutput,
} from './output-schema.ts';
import { isJson, withinLimit } from '../operation/encodings.ts';

export interface OutputOptions {
  readonly isWanted: (operation: CompiledTool['operation']) => boolean;
  /** Estimated tokens that each tool may take; absent: no limit. */
  readonly tokenBudget?: number | undefined;
  readonly bounds: ListBounds;
}

interface ToolsWithOutput {
  readonly tools: readonly FittedTool[];
  readonly warnings: readonly Finding[];
}

/**
 * Adds output schemas to tools, each as detailed as the tool's remaining token budget allows, and all together within
 * the size of the list. Nothing else of a tool changes.
 * @param operations - those of the tools, in the same order
 * Source: docs/tools.md, "Structured output".
 */
export const withOutputs = (
  description: Description,
  operations: readonly FoundOperation[],
  tools: readonly FittedTool[],
  { isWanted, tokenBudget = Infinity, bounds }: OutputOptions,
): ToolsWithOutput => {
  const read = outputReader(description);
  const wanted = tools.map((fitted, index): Wanted => {
    const operation = operations[index];
    if (!operation || !isWanted(fitted.tool.operation)) return { fitted, pointer: '' };
    const tokens = tokenBudget - toolTokens(fitted.tool.listed);
    return { fitted, pointer: operation.pointer, answer: read(operation), tokens };
  });
  const used = tools.reduce((sum, { tool }) => sum + bounds.sizeOf(tool), FRAME_BYTES);
  const room = bounds.maxBytes - used;

  for (let level = 0; level < LAST_OUTPUT_LEVEL; level += 1) {
    const fitted = fitAll(wanted, level, room, bounds);
    if (!fitted.isCut) return fitted;
  }
  return fitAll(wanted, LAST_OUTPUT_LEVEL, room, bounds);
};

interface Wanted {
  readonly fitted: FittedTool;
  readonly pointer: string;
  /** Absent: the tool is to have no output. */
  readonly answer?: DescribedAnswer;
  /** Tokens of its budget that the tool leaves for the output. */
  readonly tokens?: number;
}

const fitAll = (
  wanted: readonly Wanted[],
  level: number,
  room: number,
  { sizeOf }: ListBounds,
): ToolsWithOutput & { readonly isCut: boolean } => {
  const warnings: Finding[] = [];
  let left = room;
  let isCut = false;
  const tools = wanted.map(({ fitted, pointer, answer, tokens = 0 }): FittedTool => {
    if (!answer) return fitted;
    if (answer.kind !== 'one') return noted(fitted, REASONS[answer.kind]);
    const { tool } = fitted;
    const output = greatest(answer.at, level, tokens)?.output;
    const size = output ? sizeOf({ ...tool, output }) - sizeOf(tool) : 0;
    if (output && size <= left) {
      left -= size;
      return { ...fitted, tool: { ...tool, output } };
    }
    isCut ||= output !== undefined;
    const why = output ? REASONS.list : REASONS.budget;
    warnings.push({ where: pointer, what: `${tool.name} ${NO_OUTPUT}: ${why}`, hint: HINT });
    return noted(fitted, why);
  });
  return { tools, warnings, isCut };
};

const greatest = (at: OutputAt, from: number, tokens: number): MeasuredOutput | undefined => {
  for (let level = from; level <= LAST_OUTPUT_LEVEL; level += 1) {
    const output = at(level);
    if (output && output.tokens <= tokens) return output;
  }
  return undefined;
};

const NO_OUTPUT = 'has no output schema';

const REASONS = {
  none: 'the description says nothing of the form of a JSON answer',
  several: 'several different answers are described',
  budget: 'there is no room for it in the budget of the tool',
  list: 'there is no room for it in the list of all tools',
} as const;

const HINT =
  'Nothing has to be done: its results are as they are without. `tool_token_budget` sets how many tokens a tool may take.';

const noted = (fitted: FittedTool, why: string): FittedTool => ({
  ...fitted,
  notes: [...fitted.notes, { what: NO_OUTPUT, why }],
});

type DescribedAnswer =
  | { readonly kind: 'one'; readonly at: OutputAt }
  /** The answer is no JSON, or of unknown structure. */
  | { readonly kind: 'none' }
  | { readonly kind: 'several' };

/** Output at a level of detail, from 0 (full); undefined where it is too large for any tool. */
type OutputAt = (level: number) => MeasuredOutput | undefined;

interface MeasuredOutput {
  readonly output: ToolOutput;
  readonly tokens: number;
}

const DETAILS: readonly OutputDetail[] = [
  { depth: 8, text: 200, values: 8 },
  { depth: 8, text: 0, values: 8 },
  { depth: 4, text: 0, values: 0 },
  { depth: 2, text: 0, values: 0 },
  { depth: 1, text: 0, values: 0 },
];
const LAST_OUTPUT_LEVEL = DETAILS.length - 1;

/** Limit for an output schema, whatever the token budget: more does not help, and many would be expensive. */
const MOST_CHARACTERS = 16_000;

const outputReader = (
  description: Description,
): ((operation: FoundOperation) => DescribedAnswer) => {
  const { dialect, root } = description;
  const allowsRefSiblings = dialect === 'openapi-3.1' || dialect === 'openapi-3.2';
  const flats = flatSchemas(root, allowsRefSiblings);
  const shapes = answerShapes(flats);
  const context: LooseningContext = { flats, shapes, allowsRefSiblings };
  const known = new Map<Json, OutputAt>();

  const outputAt = (schema: JsonObject): OutputAt => {
    const meant = meantBy(context, schema);
    const at = known.get(meant) ?? measuredOnce(context, schema);
    known.set(meant, at);
    return at;
  };

  return (operation) => {
    const [first, ...others] = answerSchemas(description, operation);
    if (first === undefined && others.length === 0) return { kind: 'none' };
    if (!isObject(first)) return { kind: others.length > 0 ? 'several' : 'none' };
    const at = outputAt(first);
    if (!others.every((other) => isObject(other) && isAlike(at, outputAt(other)))) {
      return { kind: 'several' };
    }
    const isKnown = shapes([first]).types.some((type) => type !== 'null');
    return isKnown ? { kind: 'one', at } : { kind: 'none' };
  };
};

/** The most detailed output of each operation, whether or not its tool has one. */
export const describedOutputs = (
  description: Description,
  operations: readonly FoundOperation[],
): ((operation: Pick<FoundOperation, 'method' | 'path'>) => ToolOutput | undefined) => {
  const read = outputReader(description);
  const found = new Map(operations.map((each) => [`${each.method} ${each.path}`, each]));
  return ({ method, path }) => {
    const operation = found.get(`${method} ${path}`);
    const answer = operation && read(operation);
    if (answer?.kind !== 'one') return undefined;
    for (const level of DETAILS.keys()) {
      const output = answer.at(level)?.output;
      if (output !== undefined) return output;
    }
    return undefined;
  };
};

const measuredOnce = (context: LooseningContext, schema: Json): OutputAt => {
  const levels = new Map<number, MeasuredOutput | undefined>();
  return (level) => {
    if (!levels.has(level)) levels.set(level, measured(context, schema, level));
    return levels.get(level);
  };
};

const measured = (
  context: LooseningContext,
  schema: Json,
  level: number,
): MeasuredOutput | undefined => {
  const detail = DETAILS[level];
  if (!detail) throw new Error(`there is no level ${level} of detail`);
  const form = loosened(context, [schema], detail, MOST_CHARACTERS);
  const output = form && toolOutput(form);
  // The limit in `loosened` is approximate.
  if (!output || output.schema.length > MOST_CHARACTERS) return undefined;
  return { output, tokens: estimateTokens(`"outputSchema":${output.schema},`) };
};

/** Whether two outputs are equal, descriptions aside. */
const isAlike = (one: OutputAt, other: OutputAt): boolean => {
  if (one === other) return true;
  for (let level = 1; level <= LAST_OUTPUT_LEVEL; level += 1) {
    const [ours, theirs] = [one(level), other(level)];
    if (ours ?? theirs) return ours?.output.schema === theirs?.output.schema;
  }
  return false;
};

const MOST_RESPONSES = 100;

/**
 * Schemas of successful JSON responses, one per status and media type; undefined for one without schema.
 * Source: OpenAPI 3.1.1, "Responses Object"; Swagger 2.0, "Response Object".
 */
const answerSchemas = (
  description: Description,
  { method, operation }: FoundOperation,
): readonly (Json | undefined)[] => {
  if (method === 'HEAD') return [];
  const { root } = description;
  const read = description.dialect === 'swagger-2.0' ? swaggerSchemas : openapiSchemas;
  return Object.entries(objectMember(operation, 'responses'))
    .slice(0, MOST_RESPONSES)
    .filter(([status]) => /^2(?:\d\d|xx)$/i.test(status))
    .flatMap(([, node]) => {
      const response = resolved(root, node);
      return isObject(response) ? read(response, root, operation) : [];
    });
};

type Reader = (
  response: JsonObject,
  root: JsonObject,
  operation: JsonObject,
) => readonly (Json | undefined)[];

const openapiSchemas: Reader = (response) => {
  const content = member(response, 'content');
  if (!isObject(content)) return [];
  return withinLimit(Object.keys(content))
    .filter(isJson)
    .flatMap((type) => {
      const media = member(content, type);
      const schema = isObject(media) ? member(media, 'schema') : undefined;
      return isBytes(schema) ? [] : [schema];
    });
};

/** Without `produces`, JSON is assumed. */
const swaggerSchemas: Reader = (response, root, operation) => {
  const schema = member(response, 'schema');
  if (schema === undefined || isBytes(schema)) return [];
  const produces = [member(operation, 'produces'), member(root, 'produces')].find(Array.isArray);
  const types = withinLimit((produces ?? []).filter((type) => typeof type === 'string'));
  return types.length === 0 || types.some(isJson) ? [schema] : [];
};

/** A file that is described under every media type. Source: OpenAPI 3.0.4, "Considerations for File Uploads". */
const isBytes = (schema: Json | undefined): boolean =>
  isObject(schema) && (schema['format'] === 'binary' || schema['type'] === 'file');
