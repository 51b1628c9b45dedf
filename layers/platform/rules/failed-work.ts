import { DAY, type EpochSeconds } from './time.ts';
import { jsonOrUndefined } from './json/parsed-json.ts';

/** Names of the dead-letter queues. */
export const FAILED_QUEUES = ['unsent-mails', 'unstorable-calls', 'undelivered-commands'] as const;
export type FailedQueue = (typeof FAILED_QUEUES)[number];

export interface FailedMessage {
  readonly body: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly sentAt: EpochSeconds;
  readonly receipt: string;
}

export interface FailedItem {
  /** Description for operators, without addresses and secrets. */
  readonly what: string;
  readonly why: string;
  readonly next:
    | { readonly to: 'mails'; readonly event: object }
    | { readonly to: 'calls' }
    /** The message is no longer needed. */
    | { readonly to: 'nobody' }
    /** A person must decide. */
    | { readonly to: 'stay' };
}

/** Later, the person has requested another mail, and this one's link would only confuse. */
const MAIL_SECONDS = DAY;

/**
 * Classifies a message of a dead-letter queue: a failed invocation of Lambda, or an undelivered event of EventBridge.
 * Source: AWS Lambda Developer Guide, "Capturing records of Lambda asynchronous invocations"; Amazon EventBridge User
 * Guide, "Using dead-letter queues to process undelivered events".
 */
export const failedItem = (
  queue: FailedQueue,
  { body, attributes, sentAt }: FailedMessage,
  now: EpochSeconds,
): FailedItem => {
  const sent = objectOf(jsonOrUndefined(body)) ?? {};
  const failed = objectOf(sent['requestPayload']);
  const event = failed ?? sent;
  const reason = objectOf(sent['responsePayload'])?.['errorMessage'];
  const why =
    [reason, attributes['ERROR_MESSAGE'], attributes['ERROR_CODE']].find(isText) ??
    'no reason is told';

  if (queue === 'unstorable-calls') {
    return failed && objectOf(failed['awslogs'])
      ? { what: 'calls', why, next: { to: 'calls' } }
      : { what: 'no calls', why, next: { to: 'stay' } };
  }
  // Events of KMS are for people; no function handles them.
  if (event['source'] === 'aws.kms') return { what: 'news of a key', why, next: { to: 'stay' } };
  if (isText(event['detail-type'])) return { what: 'news of a mail', why, next: toMails(event) };
  const purpose = event['purpose'];
  if (isText(purpose) && isText(event['email'])) {
    const isLate = now - sentAt > MAIL_SECONDS;
    return { what: `a mail (${purpose})`, why, next: isLate ? NOBODY : toMails(event) };
  }
  // The schedule has run again since.
  if (event['operator'] !== undefined)
    return { what: 'a command of a schedule', why, next: NOBODY };
  if (isText(event['tool'])) return { what: 'a walk of the canary', why, next: NOBODY };
  return { what: 'an unknown event', why, next: { to: 'stay' } };
};

const NOBODY = { to: 'nobody' } as const;
const toMails = (event: object) => ({ to: 'mails', event }) as const;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const objectOf = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
