import type { Neighbour } from '../fault.ts';

/** No dimension tells deployments, users or addresses apart. Source: docs/operations.md, "Metrics". */
export const METRICS = {
  /** Duration of a request in the function, including the target. */
  Latency: { unit: 'Milliseconds', dimensions: ['Route'] },
  /** 1 for a request answered with a status of 500 or more, else 0. */
  Faults: { unit: 'Count', dimensions: ['Route'] },
  /** Requests and invocations that failed by an error in our code. */
  Bugs: { unit: 'Count', dimensions: [] },
  /** Requests and invocations that failed because a neighbouring service did. */
  NeighbourFaults: { unit: 'Count', dimensions: ['Neighbour'] },
  /** Calls to AWS that an IAM or key policy refused. */
  AwsDenials: { unit: 'Count', dimensions: [] },
  /** Calls to AWS that were throttled even after retries. */
  AwsThrottles: { unit: 'Count', dimensions: [] },
  EventsLost: { unit: 'Count', dimensions: [] },
  AccountLocks: { unit: 'Count', dimensions: [] },
  /** Password sign-ins to break-glass accounts. */
  BreakGlassUses: { unit: 'Count', dimensions: [] },
  /** Addresses blocked after too many requests to public deployments. */
  AddressBlocks: { unit: 'Count', dimensions: [] },
  /** Checks of a person that failed because the identity provider rejected our client. */
  CompanyCheckFailures: { unit: 'Count', dimensions: [] },
  CredentialRetrieval: { unit: 'Milliseconds', dimensions: ['Outcome'] },
  /** Duration of a retrieval of a token that others issued. */
  ConnectionRetrieval: { unit: 'Milliseconds', dimensions: ['Outcome'] },
  /** Calls with a cached credential that could not be retrieved again. */
  StaleCredentials: { unit: 'Count', dimensions: [] },
  /** Requests for mails that were processed. */
  Mails: { unit: 'Count', dimensions: ['Outcome'] },
  /** Recipients with a permanent bounce or a complaint. */
  MailsReturned: { unit: 'Count', dimensions: [] },
  /** 1 for an invocation that completed a round of the sweep, else 0. */
  SweepRounds: { unit: 'Count', dimensions: [] },
  /** Items that a sweep could not remove. */
  SweepFailures: { unit: 'Count', dimensions: [] },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

export type MetricName = keyof typeof METRICS;

export interface MetricDefinition {
  readonly unit: 'Milliseconds' | 'Count';
  readonly dimensions: readonly DimensionName[];
}

type DimensionName = 'Route' | 'Neighbour' | 'Outcome';

export interface Measured {
  readonly dimensions: Readonly<Partial<Record<DimensionName, string>>>;
  readonly values: Readonly<Partial<Record<MetricName, number>>>;
}

/** All members of a union; the compiler checks completeness. */
const allOf = <Value extends string>(values: Readonly<Record<Value, true>>): readonly Value[] =>
  Object.keys(values) as Value[];

export const NEIGHBOURS = allOf<Neighbour>({
  dynamodb: true,
  s3: true,
  kms: true,
  'secrets-manager': true,
  ses: true,
  sqs: true,
  lambda: true,
  'target-api': true,
  web: true,
});

export const CREDENTIAL_OUTCOMES = [
  'ok',
  'limited',
  /** The store has no such version: the credential was replaced or removed. */
  'missing',
  /** Store or key deny access. */
  'denied',
  /** Store or connection are throttled or down. */
  'unavailable',
] as const;

/** Reasons, outside of this service, why there is no token for a credential. */
export const TOKEN_FAILURES = [
  /** The token endpoint does not answer, or without a token. */
  'token_endpoint_failed',
  /** The token endpoint refuses this client. */
  'token_refused',
  /** The token endpoint has another address or issuer than when the credential was set. */
  'token_endpoint_refused',
  /** The answer to a login has no token in the expected place. */
  'login_answer_unusable',
  /** Operators no longer list the role. */
  'role_not_listed',
  /** The role's trust policy does not allow this service to assume it. */
  'role_refused',
  /** The IAM policies of this service's role do not allow it. */
  'role_not_permitted',
] as const;

export const CONNECTION_OUTCOMES = [...CREDENTIAL_OUTCOMES, ...TOKEN_FAILURES] as const;

export const MAIL_OUTCOMES = [
  'sent',
  /** The same request was delivered twice. */
  'sent_before',
  'no_account',
  'undeliverable',
  'too_many',
] as const;
export type MailOutcome = (typeof MAIL_OUTCOMES)[number];
