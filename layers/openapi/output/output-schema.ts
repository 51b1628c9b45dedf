import type { Json, JsonObject } from '../../platform/rules/json/json.ts';
import type { OutputNames, ToolOutput } from '../tool-output.ts';
import type { AnswerShape } from './answer-shape.ts';
import type { Loosened } from './loosened-schema.ts';

/**
 * The one form that results have in all versions of MCP: an object. An answer that is an object is that
 * object; another one is a member of it. Members of the service's own stand beside, in names that the
 * API does not use.
 *
 * @returns undefined where nothing is known of the answer
 *
 * Source: MCP 2025-11-25, "Tools", "Output Schema"; docs/tools.md, "Structured output".
 */
export const toolOutput = (loosened: Loosened): ToolOutput | undefined => {
  const { shape, properties, description } = loosened;
  const others = shape.types.filter((type) => type !== 'object' && type !== 'null');
  const hasObjects = shape.types.includes('object');
  if (!hasObjects && others.length === 0) return undefined;

  const taken = new Set(hasObjects ? shape.properties.keys() : []);
  const result = others.length > 0 ? free('result', taken) : undefined;
  const names: OutputNames = {
    note: free('_note', taken),
    answer: free('_answer', taken),
    parts: free('_parts', taken),
  };
  const schema: JsonObject = {
    type: 'object',
    ...(hasObjects && description !== undefined && { description }),
    properties: {
      ...properties,
      ...(result !== undefined && { [result]: resultSchema(loosened, others) }),
      ...ownProperties(names),
    },
  };
  return {
    schema: JSON.stringify(schema),
    names,
    ...(result !== undefined && { result }),
    hasObjects,
  };
};

const resultSchema = (
  { description, items }: Loosened,
  types: AnswerShape['types'],
): JsonObject => ({
  type: [...types, 'null'],
  ...(description !== undefined && { description }),
  ...(items && { items }),
});

const ownProperties = ({ note, answer, parts }: OutputNames): Readonly<Record<string, Json>> => ({
  [note]: { type: 'string', description: 'Why the answer is not here as it is.' },
  [answer]: { description: 'An answer of another form.' },
  [parts]: {
    type: 'array',
    items: { type: 'string' },
    description: 'URIs of the rest of a long answer.',
  },
});

/** What the API calls so keeps its name. */
const free = (name: string, taken: ReadonlySet<string>): string => {
  let candidate = name;
  while (taken.has(candidate))
    candidate = `_hosted${candidate.startsWith('_') ? '' : '_'}${candidate}`;
  return candidate;
};
