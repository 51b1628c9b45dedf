import {
  type IndexedTool,
  isMergePatch,
  listedTool,
  type Operation,
} from '../openapi/tool-index.ts';
import { isObject } from '../platform/rules/json/json.ts';
import { resolvePointer } from '../platform/rules/json/pointer.ts';
import type { Schema } from '../openapi/json-schema/schema.ts';
import type { ToolOutput } from '../openapi/tool-output.ts';
import { narrowingArguments } from './answer/continuation-note.ts';
import { type WireNames, wireNamesOf } from './arguments/convert-value.ts';
import { type Shape, shapeOf, type Shapes, shapesOf } from './arguments/shape.ts';
import { type ReservedNames, reservedNames } from './request/reserved-names.ts';

/** A tool with all that calls need and that does not depend on their arguments. */
export interface PreparedTool {
  readonly name: string;
  readonly operation: Operation;
  readonly shapes: Shapes;
  readonly shape: Shape | undefined;
  /** Declared arguments; with `additional`, others go into the body. */
  readonly argumentNames: ReadonlySet<string>;
  readonly additional: boolean;
  readonly accept: string;
  readonly output: ToolOutput | undefined;
  readonly wireNames: WireNames | undefined;
  /** Values that the owner fixed, sent with every call. */
  readonly fixed: Readonly<Record<string, unknown>>;
  /** Arguments that no call may have, not even as additional properties. */
  readonly withheld: ReadonlySet<string>;
  /** Parameters that the server's settings answer: values from callers are accepted and ignored. */
  readonly presets: ReadonlySet<string>;
  readonly narrowing: readonly string[];
  readonly reservedNames: ReservedNames;
}

const NOTHING: ReadonlySet<string> = new Set();

/** Prepares a tool; cache the result as long as its tool index. */
export const prepareTool = (
  tool: IndexedTool,
  presets: ReadonlySet<string> = NOTHING,
): PreparedTool => {
  const { name, operation, fixed = {}, withheld = [] } = tool;
  const root = checkedSchema(tool);
  const { parameters, body, accept, wireNames } = operation;
  const source = body?.source;
  const isPatch = body !== undefined && isMergePatch(body);
  const ofParameters = new Set(parameters.map(({ argument }) => argument));
  const shapes = shapesOf(root, body?.form === 'multipart' || body?.form === 'binary', {
    defaults: operation.defaults,
    // In a merge patch null deletes a member (RFC 7396 §1), so it is not the same as leaving one out.
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

/** Schema that calls are validated against: the listed one, with keywords that listings omit. */
export const checkedSchema = (tool: Pick<IndexedTool, 'listed' | 'operation'>): Schema => {
  // Parsed for this call alone, so it may be changed.
  const { inputSchema = {} } = listedTool(tool);
  for (const [pointer, keywords] of Object.entries(tool.operation.unlisted ?? {})) {
    const schema = resolvePointer(inputSchema, pointer);
    if (isObject(schema)) Object.assign(schema, keywords);
  }
  return inputSchema;
};

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+*-]+$/;

/** `version=2`, `odata.metadata=full`: parameters that choose a variant of a type. */
const PARAMETER = /^[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[\w !#$&^.+:/-]*")$/;
/** Parameters about encoding and preference, which choose no variant. */
const NO_FORM = /^(?:charset|boundary|q)=/i;

const VENDOR_JSON = /^[^/]+\/vnd\.[^/]*\+json$/;

const MOST = 10;

/**
 * `Accept` header for the media types that a description declares: those of JSON, or all others where there is no JSON,
 * and anything as last resort. Others are not named beside JSON, since many servers choose by an order of their own
 * among types of the same weight, or misread weights. With parameters that choose a version or variant, and again
 * without them. A single vendor type stands alone: it is the version of the API, and servers such as Ceph's compare the
 * entire header with it.
 * Source: RFC 9110 §12.5.1; RFC 6838 §3.2; Slurm 22.05, src/slurmrestd/operations.c, `_compare_q`; Ceph,
 * src/pybind/mgr/dashboard/controllers/_version.py, `from_mime_type`.
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
  const chosen = json.length > 0 ? json : types;
  const named = chosen.length > 0 ? chosen : ['application/json'];
  const different = [...new Set(named)].slice(0, MOST);
  const [only = '', ...more] = different;
  const isVersion = more.length === 0 && VENDOR_JSON.test(only);
  return isVersion ? only : [...different, '*/*;q=0.1'].join(', ');
};

/** Source: RFC 6838 §4.2.8. */
export const isJsonType = (type: string): boolean => /^[^;]+[/+]json *(?:;|$)/i.test(type);
