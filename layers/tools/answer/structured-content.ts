import type { Schema } from '../../openapi/json-schema/schema.ts';
import { outputSchema } from '../../openapi/tool-index.ts';
import type { ToolOutput } from '../../openapi/tool-output.ts';
import { isObject, nestsDeeperThan } from '../../platform/rules/json/json.ts';
import { portableJson } from './json-text.ts';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

/** JSON text of what stands in the place of an answer that cannot stand there itself. */
export const structuredNote = (
  { names }: ToolOutput,
  note: string,
  parts?: readonly string[],
): string => JSON.stringify({ [names.note]: note, ...(parts && { [names.parts]: parts }) });

/**
 * The structured content of a whole answer, as JSON text. It always fits the tool's output schema: clients
 * throw away what does not, when the call has been made. Nothing of an answer is changed to make it fit.
 * What cannot stand there as JSON stands there as text: some clients show models nothing else.
 *
 * @param answer - as the target sent it
 *
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
 * The same of the shown part of an answer, which is JSON itself, with what else is to be said of it.
 *
 * @param parts - where the rest is; absent: there is none
 */
export const structuredExcerpt = (
  output: ToolOutput,
  shown: string,
  note: string,
  parts?: readonly string[],
): string => {
  const structured = structuredContent(output, shown);
  const said = structuredNote(output, note, parts);
  // What could not stand there in its form has a note of its own.
  const { note: name, answer } = output.names;
  if (structured.startsWith(`{${JSON.stringify(name)}:`)) {
    const given = structured.slice(structured.indexOf(`,${JSON.stringify(answer)}:`));
    return said.slice(0, -1) + given;
  }
  const inside = structured.slice(structured.indexOf('{') + 1);
  return `${said.slice(0, -1)}${inside.trimStart().startsWith('}') ? '' : ','}${inside}`;
};

/** Strict clients read 128 levels, those around an answer included. */
const MAX_NESTING = 100;

const asText = ({ names }: ToolOutput, what: string, answer: string): string =>
  JSON.stringify({
    [names.note]: `${what}, so it is given here as text.`,
    [names.answer]: answer,
  });

const unreadable = (why: string): string =>
  `The answer is JSON that some clients could not read (${why})`;

const OTHER_FORM = 'The answer does not have the described form, so it is given here as it came.';

/** Members that nobody described, in names that say something of the service here. */
const hasOurs = ({ names, result }: ToolOutput, value: object): boolean =>
  [names.note, names.answer, names.parts, result].some(
    (name) => name !== undefined && Object.hasOwn(value, name),
  );

/** A memo: an output lives as long as the tool that it is of. */
const schemas = new WeakMap<ToolOutput, Schema>();

const schemaOf = (output: ToolOutput): Schema => {
  const known = schemas.get(output);
  if (known) return known;
  const schema = outputSchema(output);
  schemas.set(output, schema);
  return schema;
};

/**
 * Whether a value fits a schema that has nothing but `type`, `properties` and `items`, as output schemas
 * do. Members that are not described may be anything.
 *
 * Source: JSON Schema 2020-12 Validation §6.1.1; JSON Schema 2020-12 §10.3.1.2, §10.3.2.1.
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
