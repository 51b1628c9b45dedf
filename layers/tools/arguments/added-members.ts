import type { JsonObject } from '../../platform/rules/json/json.ts';
import { clientsWith } from '../../platform/rules/mcp-clients.ts';

/** Extra arguments that some MCP clients send with every call; strict schemas would refuse them. */
const ADDED = clientsWith('adds').map(({ adds }) => adds);

interface Takes {
  readonly hasArgument: (name: string) => boolean;
  /** Whether any member name is valid: a name alone then does not show that a client added it. */
  readonly takesFurther: boolean;
}

/** Removes undeclared arguments that clients add to every call. Source: docs/protocol.md, "Arguments of a call". */
export const withoutAddedMembers = (
  given: JsonObject,
  { hasArgument, takesFurther }: Takes,
): JsonObject => {
  const isSent = (name: string) => Object.hasOwn(given, name);
  const added = new Set(
    ADDED.flatMap(({ members, mark }) =>
      takesFurther && (!isSent(mark) || hasArgument(mark)) ? [] : members,
    ).filter((name) => isSent(name) && !hasArgument(name)),
  );
  if (added.size === 0) return given;
  return Object.fromEntries(Object.entries(given).filter(([name]) => !added.has(name)));
};
