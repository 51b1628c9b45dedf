import type { LimitValues } from '../../limits/rules/limits.ts';
import { TOOL_MODES } from '../../openapi/tool-mode.ts';
import { HOUR } from '../../platform/rules/time.ts';
import { MOST_ACCESS_TOKEN_SECONDS } from '../../tokens/rules/token-life.ts';
import { ARGUMENT_CHECKS } from '../../tools/arguments/argument-checks.ts';

/** A setting with fixed values or a range of numbers. Its description is shown in the management API. */
export type Choice = { readonly description: string } & (
  | {
      /** The first is the default. */
      readonly values: readonly [string, ...string[]];
    }
  | {
      /** Numbers in this range, or null, whose meaning the description gives; usually unlimited. */
      readonly range: readonly [least: number, most: number];
      /** Limit of the service that is the default; undefined: the default is null. */
      readonly limit: keyof LimitValues | undefined;
    }
);

const oneOf = <const Values extends readonly [string, ...string[]]>(
  values: Values,
  description: string,
) => ({ values, description });

const limited = <const Limit extends keyof LimitValues>(
  limit: Limit,
  range: readonly [least: number, most: number],
  description: string,
) => ({ limit, range, description });

const unlimited = (range: readonly [least: number, most: number], description: string) => ({
  limit: undefined,
  range,
  description,
});

/** Settings that do not affect tools. A row is all that storage, management API and command line need. */
export const SERVING_CHOICES = {
  docs: oneOf(
    ['protected', 'public'],
    'Who is shown the tools at `docs_url`: everybody, or those who are signed in and may use the deployment. ' +
      'In mode `none` everybody is, whatever this says.',
  ),
  traceContext: oneOf(
    ['withheld', 'forwarded'],
    'Whether the trace context of a client (`traceparent`, `tracestate`) goes on to the target API as headers.',
  ),
  argumentChecks: oneOf(
    ARGUMENT_CHECKS,
    'Whether calls are refused that lack an argument, or a member of one, that the description requires, or have ' +
      'values of other scalar types, formats and patterns. With `lenient` they are sent for the API to judge; what ' +
      'the path needs is asked for in any case, and the rest is checked. An override says it of one tool.',
  ),
  // Smaller budgets hardly fit a single element.
  answerTokenBudget: limited(
    'answer_token_budget',
    [500, 1_000_000],
    'Tokens that an answer may take, roughly: a longer one is cut at whole elements, and says where the rest is; ' +
      'null: any number. An override says it of one tool.',
  ),
  accessTokenSeconds: limited(
    'access_token_seconds',
    [HOUR, MOST_ACCESS_TOKEN_SECONDS],
    'For how long an access token is good before its client has to refresh it, in seconds: an hour to a day; null: as long as ' +
      'the service says, which is an hour unless its operator changes that. ' +
      'Clients that do not refresh ask people to sign in again as often. A token that is revoked ends at once, however long it is good.',
  ),
  refresh: oneOf(
    ['off', 'daily', 'hourly'],
    'Whether the description is fetched again from `openapi_url`: what breaks no client and opens nothing is published by itself; of ' +
      'all else the owner is told. Nothing is fetched where the description was sent.',
  ),
  casesRight: unlimited(
    [1, 100],
    'How many percent of its cases a model must have got right with the tools of a new version before that is ' +
      'served, as a run that is kept says; null: it does not matter. Returning to an earlier version asks for nothing.',
  ),
  fetchWith: oneOf(
    ['nothing', 'credential'],
    'What a description is fetched with from `openapi_url`: the credential of the deployment, where it is meant for that host, or nothing.',
  ),
} as const satisfies Readonly<Record<string, Choice>>;

/** Settings of how tools are compiled: a change makes a new version. */
export const PUBLICATION_CHOICES = {
  toolMode: oneOf(
    TOOL_MODES,
    'Whether clients are shown a tool for each operation, or three tools that search, describe and call ' +
      'them: then a deployment of any size counts as one endpoint.',
  ),
  // Smaller budgets leave nothing of most tools.
  toolTokenBudget: limited(
    'tool_token_budget',
    [100, 1_000_000],
    'Tokens that a tool may take, roughly; null: any number.',
  ),
  structuredOutput: oneOf(
    ['off', 'on'],
    'Whether tools have an `outputSchema`, and results `structuredContent` beside their text, for clients ' +
      'that speak 2025-06-18 or later. `off` if it was never said. An override says it of one tool.',
  ),
} as const satisfies Readonly<Record<string, Choice>>;
