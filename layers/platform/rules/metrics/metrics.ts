import type { Neighbour } from '../fault.ts';

/**
 * The metrics of the service by their names in CloudWatch: unit, and the names of the dimensions. No
 * dimension tells a deployment, a user or an address apart.
 *
 * Source: docs/operations.md, "Metrics".
 */
export const METRICS = {
  /** What a request took in the function, the target's time included. */
  Latency: { unit: 'Milliseconds', dimensions: ['Route'] },
  /** 1 for a request that was answered with a status of 500 or more, 0 for others. */
  Faults: { unit: 'Count', dimensions: ['Route'] },
  /** Requests and invocations that failed for an error of ours. */
  Bugs: { unit: 'Count', dimensions: [] },
  /** Requests and invocations that failed for a service that did not answer. */
  NeighbourFaults: { unit: 'Count', dimensions: ['Neighbour'] },
  /** What failed since a policy or a key did not allow a call to AWS. */
  AwsDenials: { unit: 'Count', dimensions: [] },
  /** What failed since AWS had refused a call for its number, and its repetition as well. */
  AwsThrottles: { unit: 'Count', dimensions: [] },
  /** Events that no table has. */
  EventsLost: { unit: 'Count', dimensions: [] },
  /** Accounts that were locked for too many wrong passwords. */
  AccountLocks: { unit: 'Count', dimensions: [] },
  /** Sign-ins by password to accounts that are kept for emergencies. */
  BreakGlassUses: { unit: 'Count', dimensions: [] },
  /** Addresses that were blocked for too many requests to public deployments. */
  AddressBlocks: { unit: 'Count', dimensions: [] },
  /** Identity providers that took our client for none of theirs when they were asked about a person. */
  CompanyCheckFailures: { unit: 'Count', dimensions: [] },
  /** What a retrieval by the broker took. */
  CredentialRetrieval: { unit: 'Milliseconds', dimensions: ['Outcome'] },
  /** What it took to give the router a token that others had given for a credential. */
  ConnectionRetrieval: { unit: 'Milliseconds', dimensions: ['Outcome'] },
  /** Calls that were made with a credential that could not be asked for again. */
  StaleCredentials: { unit: 'Count', dimensions: [] },
  /** Requests for mails that were carried out. */
  Mails: { unit: 'Count', dimensions: ['Outcome'] },
  /** Recipients whose mail bounced for good, or who complained. */
  MailsReturned: { unit: 'Count', dimensions: [] },
  /** 1 for an invocation with which a round of the sweep ended, 0 for one that left some of it. */
  SweepRounds: { unit: 'Count', dimensions: [] },
  /** What a sweep could not do. */
  SweepFailures: { unit: 'Count', dimensions: [] },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

export type MetricName = keyof typeof METRICS;

export interface MetricDefinition {
  readonly unit: 'Milliseconds' | 'Count';
  readonly dimensions: readonly DimensionName[];
}

type DimensionName = 'Route' | 'Neighbour' | 'Outcome';

/** One or several metrics of one set of dimensions. */
export interface Measured {
  readonly dimensions: Readonly<Partial<Record<DimensionName, string>>>;
  readonly values: Readonly<Partial<Record<MetricName, number>>>;
}

/** All members of a union, which the compiler checks for completeness. */
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
  /** Too many retrievals. */
  'limited',
  /** The store has no such version: the credential was replaced or removed. */
  'missing',
  /** The store, or the key, does not let us. */
  'denied',
  /** The store, or the way to it, is throttled or down. */
  'unavailable',
] as const;

/** Why there is no token for a credential, by the fault of others than the service. */
export const TOKEN_FAILURES = [
  /** Whoever gives tokens does not answer, or not with a token. */
  'token_endpoint_failed',
  /** They refuse this client. */
  'token_refused',
  /** They are not where they were when the credential was set, or name another as themselves. */
  'token_endpoint_refused',
  /** A login was answered without a token where it should be. */
  'login_answer_unusable',
  /** No operator lists the role by now. */
  'role_not_listed',
  /** The role's account does not let this service assume it. */
  'role_refused',
  /** The policies of this service's own role do not let it. */
  'role_not_permitted',
] as const;

export const CONNECTION_OUTCOMES = [...CREDENTIAL_OUTCOMES, ...TOKEN_FAILURES] as const;

export const MAIL_OUTCOMES = [
  'sent',
  /** An event that was brought twice. */
  'sent_before',
  'no_account',
  'undeliverable',
  'too_many',
] as const;
export type MailOutcome = (typeof MAIL_OUTCOMES)[number];
