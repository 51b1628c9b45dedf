import type { JsonObject } from '../../platform/rules/json/json.ts';

/** What a client adds to the arguments of every call, of itself and not of the model. */
interface AddedMembers {
  /** As people call it, with where it is reported. */
  readonly client: string;
  readonly members: readonly string[];
  /** The one that nobody else sends: by it a call of that client is told where any name might be meant. */
  readonly mark: string;
}

/**
 * Clients that add members of their own, which a tool that takes no further ones would have to refuse.
 *
 * Source: https://github.com/n8n-io/n8n/issues/21500; https://github.com/moltis-org/moltis/issues/182
 */
const ADDING_CLIENTS: readonly AddedMembers[] = [
  {
    client: 'n8n',
    members: ['toolCallId', 'sessionId', 'action', 'chatInput'],
    mark: 'toolCallId',
  },
  {
    client: 'Moltis',
    members: ['_accept_language', '_conn_id', '_session_key'],
    mark: '_conn_id',
  },
];

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
    ADDING_CLIENTS.flatMap(({ members, mark }) =>
      takesFurther && (!isSent(mark) || hasArgument(mark)) ? [] : members,
    ).filter((name) => isSent(name) && !hasArgument(name)),
  );
  if (added.size === 0) return given;
  return Object.fromEntries(Object.entries(given).filter(([name]) => !added.has(name)));
};
