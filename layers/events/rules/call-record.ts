import type { CallOutcome } from './call-outcome.ts';
import { DAY, type EpochSeconds, timeOf } from '../../platform/rules/time.ts';

/**
 * The version of the lines that the log has of calls and events, by which a filter also finds them. A member more keeps
 * it; anything else is the next one. Source: docs/stream.md, "The lines".
 */
export const LINE_SCHEMA = 1;

/** Events that are kept one by one. */
export const EVENT_TYPES = ['change', 'security', 'credential_access', 'quota_warning'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const ACTIVITY_TYPES = [...EVENT_TYPES, 'tool_invocations'] as const;
export type ActivityType = (typeof ACTIVITY_TYPES)[number];

export interface ActivityEvent {
  readonly type: EventType;
  /** Where it stands on the time line: its ISO time and something of its own, unique. */
  readonly place: string;
  readonly at: EpochSeconds;
  readonly details: Readonly<Record<string, string | number>>;
}

/** The name of an event's field where people and programs read it: `deploymentId` is `deployment_id`. */
export const wireName = (field: string): string =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A day's counts stand at its first moment: whatever is read down to there has passed the whole day. */
export const placeOfDay = (day: string): string => `${day}T00:00:00.000Z`;

/**
 * The first moment that may be looked at.
 *
 * @param since - what was asked for, in epoch seconds
 */
export const firstMoment = (
  since: EpochSeconds | undefined,
  now: EpochSeconds,
  retentionDays: number,
): EpochSeconds => Math.max(since ?? 0, now - retentionDays * DAY);

/**
 * One call of a tool: who called what, when, and how it ended. Never the value of an argument, and nothing
 * of an answer; of searches that find nothing the words.
 *
 * Source: docs/decisions/storage.md, "Calls are accountable".
 */
export interface CallRecord extends CallIdentity {
  /** When it was sent, or refused. */
  readonly at: EpochSeconds;
  /** The correlation id of its HTTP request. */
  readonly requestId: string;
  /** Its place among the messages of that request. */
  readonly index: number;
  readonly deploymentId: string;
  readonly version: number;
  /**
   * In search mode, the operation that was called; of a page in a browser that is refused before it calls a
   * tool, the method of MCP that it sent.
   */
  readonly tool: string;
  readonly outcome: CallOutcome;
  /** A refused request that calls no tool: it is listed, and counts as a call of none. */
  readonly withoutTool?: true;
  /** Its owner tried the tool; absent of a client's calls. */
  readonly trial?: true;
  readonly status?: number;
  /** Why the call got no answer, or only a part of one. */
  readonly reason?: string;
  /** Of a refused call: what is wrong with its arguments; 5 at most. */
  readonly faults?: readonly CallFault[];
  /** Of a search that found nothing: its words (see `searchWords`). */
  readonly words?: readonly string[];
  /** The page in a browser that was refused for its origin. */
  readonly origin?: string;
  /** What the target took; 0 if nothing was sent, or no end is known. */
  readonly durationMs: number;
  /** What the result takes of a model's context, roughly; absent where there was none, or no text in it. */
  readonly answerTokens?: number;
  readonly ip: string;
  /** The private network that it was made in; absent: the public internet. */
  readonly network?: string;
  /** The version of the target's credential that the call carried. */
  readonly credentialVersion?: string;
  /** Those that it carried, where they are more than one, or not the one called `main` as it is stored; 5 at most. */
  readonly credentials?: readonly CarriedRecord[];
}

/** What the log has of a call beside its record, once it has ended. */
export interface LoggedCall extends CallRecord {
  /** Of the deployment, at that time. */
  readonly slug: string;
  /** Of the HTTP request that the tool stands for. */
  readonly method?: string;
  /** Where the client traces what it does: its `traceparent`. Source: W3C Trace Context. */
  readonly trace?: string;
}

/** What a refused call's arguments broke: no value is in it, and no name that the caller made up. */
export interface CallFault {
  /**
   * As the description names it, with what is inside: `filter.items[].price`, and `*` for a name that it does not
   * say. Absent: the arguments together, or one that the tool does not have.
   */
  readonly argument?: string;
  /** A keyword of JSON Schema, or what `ArgumentFault` and the constants below have beyond them. */
  readonly keyword: string;
  /** Of `type` and `structure`: the type of the value that was sent. */
  readonly sent?: string;
}

/** The keyword of a missing argument without which there is no address. */
export const MISSING_IN_PATH = 'path';

/** The keyword of a value of another type than is described that lenient checks refuse, too. */
export const WRONG_STRUCTURE = 'structure';

/** The keyword of a call of search mode for an operation that is not there. */
export const UNKNOWN_OPERATION = 'unknown_operation';

/** The faults of a record that names missing arguments alone, as those of before do. */
export const missingFaults = (missing: readonly string[]): readonly CallFault[] =>
  missing.map((argument) => ({ argument, keyword: 'required' }));

export interface CarriedRecord {
  readonly name: string;
  readonly type: string;
  readonly version: string;
}

export const carriedVersions = ({
  credentialVersion,
  credentials = [],
}: Pick<CallRecord, 'credentials' | 'credentialVersion'>): readonly string[] => [
  ...(credentialVersion === undefined ? [] : [credentialVersion]),
  ...credentials.map(({ version }) => version),
];

/** On whose behalf a call was made, as far as its token tells. */
export interface CallIdentity {
  /** Whom its limits count: a user's id, what stands for a user of another issuer, or an address. */
  readonly subject: string;
  readonly clientId?: string;
  /** Of the OAuth grant behind an access token. */
  readonly grantId?: string;
  /** `jti` of a JWT. */
  readonly tokenId?: string;
}

/** Where a call stands among the others of its deployment, by time; unique. */
export const placeOfCall = ({
  at,
  requestId,
  index,
}: Pick<CallRecord, 'at' | 'requestId' | 'index'>): string =>
  `${timeOf(at)}#${requestId}#${String(index).padStart(4, '0')}`;
