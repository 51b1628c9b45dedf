import type { Schema } from '../../openapi/json-schema/schema.ts';
import { outputSchema } from '../../openapi/tool-index.ts';
import type { ToolOutput } from '../../openapi/tool-output.ts';
import { isObject, nestsDeeperThan } from '../../platform/rules/json/json.ts';
import { portableJson } from './json-text.ts';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

/** Structured content that has only a note, where the answer itself cannot be included. */
export const structuredNote = (
  { names }: ToolOutput,
  note: string,
  parts?: readonly string[],
): string => JSON.stringify({ [names.note]: note, ...(parts && { [names.parts]: parts }) });

/**
 * Structured content for a whole answer, as JSON text. It always fits the tool's output schema, since clients discard a
 * result that does not, after the call was made. Values are never changed to fit: what cannot be included as JSON is
 * included as text, because some clients show models nothing else.
 * @param answer - as the target sent it
 * Source: MCP 2025-06-18, "Tools", "Output Schema"; docs/tools.md, "Structured results".
 */
export const structuredContent = (output: ToolOutput, answer: string): string => {
  if (nestsDeeperThan(answer, MAX_NESTING)) {
    const why = `it nests deeper than ${MAX_NESTING} levels`;
    return asText(output, unreadable(why), answer);
  }
  let value: unknown;
  try {
    value = parsedJson(answer);
  } catch {
    return asText(output, 'The answer is no JSON', answer);
  }
  const portable = portableJson(answer);
  if ('why' in portable) return asText(output, unreadable(portable.why), answer);
  const { text } = portable;
  if (isObject(value) && output.hasObjects) {
    if (!hasOurs(output, value) && fitsOutput(schemaOf(output), value)) return text;
  } else if (output.result !== undefined && !isObject(value)) {
    if (fitsOutput(schemaOf(output), { [output.result]: value })) {
      return `{${JSON.stringify(output.result)}:${text}}`;
    }
  }
  const { note, answer: name } = output.names;
  return `{${JSON.stringify(note)}:${JSON.stringify(OTHER_FORM)},${JSON.stringify(name)}:${text}}`;
};

/**
 * Structured content for an excerpt, which is JSON itself, and a note.
 * @param parts - URIs of the rest; absent: there is none
 */
export const structuredExcerpt = (
  output: ToolOutput,
  shown: string,
  note: string,
  parts?: readonly string[],
): string => {
  const structured = structuredContent(output, shown);
  const said = structuredNote(output, note, parts);
  // Where the excerpt did not fit the schema, its own note is replaced by this one.
  const { note: name, answer } = output.names;
  if (structured.startsWith(`{${JSON.stringify(name)}:`)) {
    const given = structured.slice(structured.indexOf(`,${JSON.stringify(answer)}:`));
    return said.slice(0, -1) + given;
  }
  const inside = structured.slice(structured.indexOf('{') + 1);
  return `${said.slice(0, -1)}${inside.trimStart().startsWith('}') ? '' : ','}${inside}`;
};

/** Levels of nesting that are passed on: strict clients read 128, those around the answer included. */
const MAX_NESTING = 100;

const asText = ({ names }: ToolOutput, what: string, answer: string): string =>
  JSON.stringify({
    [names.note]: `${what}, so it is given here as text.`,
    [names.answer]: answer,
  });

const unreadable = (why: string): string =>
  `The answer is JSON that some clients could not read (${why})`;

const OTHER_FORM = 'The answer does not have the described form, so it is given here as it came.';

/** Whether an answer has members, absent from its description, with names that our own notes use. */
const hasOurs = ({ names, result }: ToolOutput, value: object): boolean =>
  [names.note, names.answer, names.parts, result].some(
    (name) => name !== undefined && Object.hasOwn(value, name),
  );

const schemas = new WeakMap<ToolOutput, Schema>();

const schemaOf = (output: ToolOutput): Schema => {
  const known = schemas.get(output);
  if (known) return known;
  const schema = outputSchema(output);
  schemas.set(output, schema);
  return schema;
};

/**
 * Whether a value fits an output schema of `type`, `properties` and `items`; undeclared members have any value.
 * Source: JSON Schema 2020-12 Validation §6.1.1; Core §10.3.1.2, §10.3.2.1.
 */
export const fitsOutput = (schema: Schema, value: unknown): boolean => {
  const { type, properties, items } = schema;
  if (type !== undefined && ![type].flat().some((one) => isOfType(value, one))) return false;
  if (Array.isArray(value)) {
    return !isObject(items) || value.every((item) => fitsOutput(items, item));
  }
  if (!isObject(value) || !isObject(properties)) return true;
  return Object.entries(properties).every(
    ([name, inside]) =>
      !Object.hasOwn(value, name) || !isObject(inside) || fitsOutput(inside, value[name]),
  );
};

const isOfType = (value: unknown, type: unknown): boolean => {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return Number.isFinite(value);
    default:
      return typeof value === type;
  }
};
