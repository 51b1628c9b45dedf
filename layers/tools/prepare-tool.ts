import { type IndexedTool, listedTool, type Operation } from '../openapi/tool-index.ts';
import { isObject } from '../platform/rules/json/json.ts';
import { resolvePointer } from '../platform/rules/json/pointer.ts';
import type { Schema } from '../openapi/json-schema/schema.ts';
import type { ToolOutput } from '../openapi/tool-output.ts';
import { narrowingArguments } from './answer/continuation-note.ts';
import { type WireNames, wireNamesOf } from './arguments/convert-value.ts';
import { type Shape, shapeOf, type Shapes, shapesOf } from './arguments/shape.ts';
import { type ReservedNames, reservedNames } from './request/reserved-names.ts';

/** A tool made ready for calls: what does not depend on a call's arguments is worked out. */
export interface PreparedTool {
  readonly name: string;
  readonly operation: Operation;
  readonly shapes: Shapes;
  readonly shape: Shape | undefined;
  /** Every argument that a call may have; `additional` says whether others go into the body. */
  readonly argumentNames: ReadonlySet<string>;
  readonly additional: boolean;
  readonly accept: string;
  readonly output: ToolOutput | undefined;
  readonly wireNames: WireNames | undefined;
  /** Sent with every call. */
  readonly fixed: Readonly<Record<string, unknown>>;
  /** What no call may have, not even where the body takes further properties. */
  readonly withheld: ReadonlySet<string>;
  /** Parameters that settings of the server say: callers may name them, and it counts for nothing. */
  readonly presets: ReadonlySet<string>;
  /** Arguments with which a caller asks for less. */
  readonly narrowing: readonly string[];
  /** What no argument may put into a request. */
  readonly reservedNames: ReservedNames;
}

const NOTHING: ReadonlySet<string> = new Set();

/** Reads a tool once, so that calls need not. Keep it as long as the tool index it comes from. */
export const prepareTool = (
  tool: IndexedTool,
  presets: ReadonlySet<string> = NOTHING,
): PreparedTool => {
  const { name, operation, fixed = {}, withheld = [] } = tool;
  const root = checkedSchema(tool);
  const { parameters, body, accept, wireNames } = operation;
  const source = body?.source;
  const isPatch = body !== undefined && /\bmerge-patch\+json\b/i.test(body.mediaType);
  const ofParameters = new Set(parameters.map(({ argument }) => argument));
  const shapes = shapesOf(root, body?.form === 'multipart' || body?.form === 'binary', {
    defaults: operation.defaults,
    // In a merge patch it removes what it stands for (RFC 7396 §1), which nobody may do by leaving nothing out.
    ignoresNull: (argument) => !isPatch || ofParameters.has(argument),
  });

  return {
    name,
    narrowing: narrowingArguments(root),
    operation,
    shapes,
    shape: shapeOf(shapes, [root]),
    fixed,
    presets,
    withheld: new Set(withheld),
    reservedNames: reservedNames(tool),
    argumentNames: new Set([
      ...parameters.map(({ argument }) => argument),
      ...(source?.kind === 'whole' ? [source.argument] : []),
      ...(source?.kind === 'properties' ? source.properties.map(({ argument }) => argument) : []),
      ...(body?.emptyArgument === undefined ? [] : [body.emptyArgument]),
    ]),
    additional: source?.kind === 'properties' && source.additional,
    accept: acceptOf(accept),
    output: tool.output,
    wireNames: wireNames && wireNamesOf(root, wireNames),
  };
};

/** What calls of a tool are held against: its listed schema, and what lists are not given. */
export const checkedSchema = (tool: Pick<IndexedTool, 'listed' | 'operation'>): Schema => {
  // Just read, so that nobody else has it.
  const { inputSchema = {} } = listedTool(tool);
  for (const [pointer, keywords] of Object.entries(tool.operation.unlisted ?? {})) {
    const schema = resolvePointer(inputSchema, pointer);
    if (isObject(schema)) Object.assign(schema, keywords);
  }
  return inputSchema;
};

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+*-]+$/;

/** `version=2`, `odata.metadata=full`: what chooses among forms of one type. */
const PARAMETER = /^[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[\w !#$&^.+:/-]*")$/;
/** How the text is written, and how much it is wanted. */
const NO_FORM = /^(?:charset|boundary|q)=/i;

const MOST = 10;

/**
 * The `Accept` header for the media types that a description promises: JSON first, then the others in
 * their order, and anything else as the last resort. Parameters that choose a version or a form stay, each type with its
 * own before itself alone.
 *
 * Source: RFC 9110 §12.5.1.
 */
const acceptOf = (promised: readonly string[]): string => {
  const types = promised.flatMap((written) => {
    const [first = '', ...parameters] = written.split(';').map((part) => part.trim());
    const type = first.toLowerCase();
    if (!MEDIA_TYPE.test(type) || type === '*/*') return [];
    const chosen = parameters.filter((one) => PARAMETER.test(one) && !NO_FORM.test(one));
    return chosen.length > 0 ? [[type, ...chosen].join(';'), type] : [type];
  });
  const json = types.filter(isJsonType);
  const others = types.filter((type) => !isJsonType(type));
  const named = types.length > 0 ? [...json, ...others] : ['application/json'];
  return [...new Set(named)].slice(0, MOST).concat('*/*;q=0.1').join(', ');
};

/** Whether a media type is written as JSON. Source: RFC 6838 §4.2.8. */
export const isJsonType = (type: string): boolean => /^[^;]+[/+]json *(?:;|$)/i.test(type);
