import type { JsonObject } from '../../platform/rules/json/json.ts';
import { clientsWith } from '../../platform/rules/mcp-clients.ts';

/** Members that a tool which takes no further ones would have to refuse. */
const ADDED = clientsWith('adds').map(({ adds }) => adds);

/** What of a tool decides whether a member can be meant for it. */
interface Takes {
  readonly hasArgument: (name: string) => boolean;
  /** Whether it takes members of any name: then a name alone does not tell that nobody meant it. */
  readonly takesFurther: boolean;
}

/**
 * Arguments without what clients add to those of every tool; a tool's own argument of the same name is the tool's.
 *
 * Source: docs/protocol.md, "Arguments of a call".
 */
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
