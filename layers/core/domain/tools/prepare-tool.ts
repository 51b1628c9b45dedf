import type { IndexedTool, Operation } from '../tool-index.ts';
import { acceptOf } from './accept.ts';
import { isObject } from './json.ts';
import { type IsKept, keptPlaces } from './kept-places.ts';
import { type Schema, type Shape, type Shapes, shapeOf } from './shape.ts';
import { type CheckArguments, checkerOf } from './validator.ts';
import { wireNamesOf, type WireNames } from './wire-names.ts';

/** A tool made ready for calls: what does not depend on a call's arguments is worked out. */
export interface PreparedTool {
  readonly name: string;
  readonly operation: Operation;
  readonly shapes: Shapes;
  readonly shape: Shape | undefined;
  readonly check: CheckArguments;
  /** Every argument that a call may have; `additional` says whether others go into the body. */
  readonly argumentNames: ReadonlySet<string>;
  readonly additional: boolean;
  readonly accept: string;
  readonly wireNames: WireNames | undefined;
  /** Sent with every call. */
  readonly fixed: Readonly<Record<string, unknown>>;
  /** What no call may have, not even where the body takes further properties. */
  readonly withheld: ReadonlySet<string>;
  /** Where nothing of a call may stand, whichever argument it is of. */
  readonly isKept: IsKept;
}

/** Reads a tool once, so that calls need not. Keep it as long as the tool index it comes from. */
export const prepareTool = (tool: IndexedTool): PreparedTool => {
  const { name, listed, operation, fixed = {}, withheld = [] } = tool;
  const { inputSchema }: { inputSchema?: unknown } = JSON.parse(listed);
  const root: Schema = isObject(inputSchema) ? inputSchema : {};
  const shapes: Shapes = { root, known: new Map(), patterns: new Map() };
  const { parameters, body, accept, wireNames } = operation;
  const source = body?.source;

  return {
    name,
    operation,
    shapes,
    shape: shapeOf(shapes, [root]),
    check: checkerOf(root, body?.form === 'multipart' || body?.form === 'binary'),
    fixed,
    withheld: new Set(withheld),
    isKept: keptPlaces(tool),
    argumentNames: new Set([
      ...parameters.map(({ argument }) => argument),
      ...(source?.kind === 'whole' ? [source.argument] : []),
      ...(source?.kind === 'properties' ? source.properties.map(({ argument }) => argument) : []),
    ]),
    additional: source?.kind === 'properties' && source.additional,
    accept: acceptOf(accept),
    wireNames: wireNames && wireNamesOf(root, wireNames),
  };
};
