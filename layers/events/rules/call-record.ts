import type { CallOutcome } from './call-outcome.ts';
import { DAY, type EpochSeconds, timeOf } from '../../platform/rules/time.ts';

/**
 * Version of the log's lines about calls and events, which filters use. A new member keeps it; any other change
 * increases it. Source: docs/stream.md, "The lines".
 */
export const LINE_SCHEMA = 1;

/** Events that are stored one by one. */
export const EVENT_TYPES = ['change', 'security', 'credential_access', 'quota_warning'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const ACTIVITY_TYPES = [...EVENT_TYPES, 'tool_invocations'] as const;
export type ActivityType = (typeof ACTIVITY_TYPES)[number];

export interface ActivityEvent {
  readonly type: EventType;
  /** Position on the time line: ISO time and a unique suffix. */
  readonly place: string;
  readonly at: EpochSeconds;
  readonly details: Readonly<Record<string, string | number>>;
}

/** `deployment_id` for `deploymentId`. */
export const wireName = (field: string): string =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A day's counts are at its first moment, so that a page which reaches them has passed the whole day. */
export const placeOfDay = (day: string): string => `${day}T00:00:00.000Z`;

/** The first moment within the retention time. @param since - as requested */
export const firstMoment = (
  since: EpochSeconds | undefined,
  now: EpochSeconds,
  retentionDays: number,
): EpochSeconds => Math.max(since ?? 0, now - retentionDays * DAY);

/**
 * Record of a tool call: who called what, when, and with which outcome. It contains no argument values and nothing of
 * the answer; only searches without results have their words. Source: docs/decisions/storage.md, "Calls are
 * accountable".
 */
export interface CallRecord extends CallIdentity {
  /** When it was sent, or refused. */
  readonly at: EpochSeconds;
  /** Correlation id of its HTTP request. */
  readonly requestId: string;
  /** Position among the messages of that request. */
  readonly index: number;
  readonly deploymentId: string;
  readonly version: number;
  /** In search mode the called operation; for a web page refused before it called a tool, the MCP method. */
  readonly tool: string;
  readonly outcome: CallOutcome;
  /** A refused request without a tool: it is listed, but counts as no call. */
  readonly withoutTool?: true;
  /** The owner tried the tool. */
  readonly trial?: true;
  readonly status?: number;
  /** Why there was no answer, or only a part. */
  readonly reason?: string;
  /** What was wrong with a refused call's arguments; at most 5. */
  readonly faults?: readonly CallFault[];
  /** Words of a search without results, as `searchWords` gives them. */
  readonly words?: readonly string[];
  /** `Origin` of a web page that was refused. */
  readonly origin?: string;
  /** Time that the target took; 0 if nothing was sent, or the end is unknown. */
  readonly durationMs: number;
  /** Estimated tokens of the result; absent without text. */
  readonly answerTokens?: number;
  readonly ip: string;
  /** Private network of the target; absent: public internet. */
  readonly network?: string;
  /** Version of the credential `main`, if the call carried only that. */
  readonly credentialVersion?: string;
  /** Credentials that the call carried, unless it is only `main` as stored; at most 5. */
  readonly credentials?: readonly CarriedRecord[];
}

/** Further members of a finished call in the log. */
export interface LoggedCall extends CallRecord {
  /** The deployment's, at that time. */
  readonly slug: string;
  /** HTTP method of the operation. */
  readonly method?: string;
  /** `traceparent` from the client. Source: W3C Trace Context. */
  readonly trace?: string;
}

/** A fault of an argument, without values and names that the caller made up. */
export interface CallFault {
  /**
   * Path as in the description: `filter.items[].price`, with `*` for unknown names. Absent: the arguments as a whole,
   * or an unknown argument.
   */
  readonly argument?: string;
  /** A keyword of JSON Schema, of `ArgumentFault`, or a constant below. */
  readonly keyword: string;
  /** For `type` and `structure`: type of the sent value. */
  readonly sent?: string;
}

/** Keyword of a missing path parameter. */
export const MISSING_IN_PATH = 'path';

/** Keyword of a value with a wrong type that even lenient checks refuse. */
export const WRONG_STRUCTURE = 'structure';

/** Keyword of a `call_operation` for an unknown operation. */
export const UNKNOWN_OPERATION = 'unknown_operation';

/** Converts records of former versions, which name only missing arguments. */
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

/** On whose behalf a call was made, according to its token. */
export interface CallIdentity {
  /** Whose limits count: a user's id, a subject of an external issuer, or an IP address. */
  readonly subject: string;
  readonly clientId?: string;
  readonly grantId?: string;
  /** `jti` of a JWT. */
  readonly tokenId?: string;
}

/** Sort key among the calls of a deployment, by time; unique. */
export const placeOfCall = ({
  at,
  requestId,
  index,
}: Pick<CallRecord, 'at' | 'requestId' | 'index'>): string =>
  `${timeOf(at)}#${requestId}#${String(index).padStart(4, '0')}`;
