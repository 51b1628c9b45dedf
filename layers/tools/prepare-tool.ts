import type { Schema } from '../openapi/json-schema/schema.ts';
import type { IndexedTool, Operation } from '../openapi/tool-index.ts';
import type { ToolOutput } from '../openapi/tool-output.ts';
import { narrowingArguments } from './answer/narrowing-arguments.ts';
import { acceptOf } from './request/accept.ts';
import { isObject } from '../platform/rules/json/json.ts';
import { type ReservedNames, reservedNames } from './request/reserved-names.ts';
import { type Shape, type Shapes, shapeOf, shapesOf } from './arguments/shape.ts';
import { wireNamesOf, type WireNames } from './arguments/wire-names.ts';

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
  /** Arguments with which a caller asks for less. */
  readonly narrowing: readonly string[];
  /** What no argument may put into a request. */
  readonly reservedNames: ReservedNames;
}

/** Reads a tool once, so that calls need not. Keep it as long as the tool index it comes from. */
export const prepareTool = (tool: IndexedTool): PreparedTool => {
  const { name, listed, operation, fixed = {}, withheld = [] } = tool;
  const { inputSchema }: { inputSchema?: unknown } = JSON.parse(listed);
  const root: Schema = isObject(inputSchema) ? inputSchema : {};
  const { parameters, body, accept, wireNames } = operation;
  const source = body?.source;
  const shapes = shapesOf(root, body?.form === 'multipart' || body?.form === 'binary');

  return {
    name,
    narrowing: narrowingArguments(root),
    operation,
    shapes,
    shape: shapeOf(shapes, [root]),
    fixed,
    withheld: new Set(withheld),
    reservedNames: reservedNames(tool),
    argumentNames: new Set([
      ...parameters.map(({ argument }) => argument),
      ...(source?.kind === 'whole' ? [source.argument] : []),
      ...(source?.kind === 'properties' ? source.properties.map(({ argument }) => argument) : []),
    ]),
    additional: source?.kind === 'properties' && source.additional,
    accept: acceptOf(accept),
    output: tool.output,
    wireNames: wireNames && wireNamesOf(root, wireNames),
  };
};
