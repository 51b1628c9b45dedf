import { member } from '../../platform/rules/json/json.ts';
import type { ArgumentChecks } from '../../tools/arguments/argument-checks.ts';
import { type CountedAs, countedAs } from '../../events/rules/call-outcome.ts';
import {
  type CallFault,
  type CallRecord,
  MISSING_IN_PATH,
  UNKNOWN_OPERATION,
  WRONG_STRUCTURE,
} from '../../events/rules/call-record.ts';

/** Causes of failed calls, grouped by what helps. */
export const PROBLEM_CAUSES = [
  'missing_argument',
  'wrong_argument',
  'unknown_argument',
  'unknown_operation',
  'nothing_found',
  'refused',
  'no_answer',
  'target_error',
] as const;
export type ProblemCause = (typeof PROBLEM_CAUSES)[number];

export const REMEDIES = [
  'lenient_checks',
  'fix_argument',
  'hide_argument',
  'describe_tool',
  'add_keywords',
  'rename_tool',
  'hide_tool',
  'overlay',
  'set_credential',
] as const;
export type Remedy = (typeof REMEDIES)[number];

export interface Problem extends Partial<CallFault> {
  readonly tool: string;
  readonly cause: ProblemCause;
  /** Of calls that were refused or not answered. */
  readonly reason?: string;
  readonly status?: number;
  /** Words of a search without results, which is not an error. */
  readonly words?: readonly string[];
  /** Requests that called no tool and are not errors of calls: `tool` is the MCP method. */
  readonly withoutTool?: true;
  readonly calls: number;
  readonly callers: number;
  readonly lastAt: number;
  /** A sentence without full stop: `filter is sent as an object`. */
  readonly what: string;
  readonly remedies: readonly Remedy[];
}

/** From this number on a problem is reported to the owner: the description may be wrong. */
export const MANY_CALLS = 5;

/**
 * Groups failed calls by tool and cause, the most frequent first. A call with several faults counts for each. Trials
 * and unfinished calls do not count.
 * @param records - the newest first
 * @param checks - the deployment's argument checks, which decide about the remedies
 * Source: docs/decisions/management.md, "Activity".
 */
export const problemsOf = (
  records: readonly CallRecord[],
  checks: ArgumentChecks,
): readonly Problem[] => {
  const found = records
    .filter((call) => LOOKED_AT.has(countedAs(call)))
    .flatMap((call) => failuresOf(call).map((failure) => ({ call, failure })));
  const groups = Map.groupBy(found, ({ call: { tool }, failure }) =>
    JSON.stringify([tool, failure]),
  );
  return [...groups.values()]
    .flatMap((its) => {
      const [first] = its;
      if (!first) return [];
      const { call, failure } = first;
      return [
        {
          tool: call.tool,
          ...failure,
          calls: its.length,
          callers: new Set(its.map(({ call: { subject } }) => subject)).size,
          lastAt: Math.max(...its.map(({ call: { at } }) => at)),
          what: inWords(failure),
          remedies: remediesOf(failure, checks),
        },
      ];
    })
    .toSorted((one, other) => other.calls - one.calls || other.lastAt - one.lastAt);
};

/** `success` for searches without results, `no_call` for refused requests without a tool. */
const LOOKED_AT: ReadonlySet<CountedAs> = new Set(['success', 'error', 'no_call']);

type Failure = Pick<
  Problem,
  'cause' | 'reason' | 'status' | 'words' | 'withoutTool' | 'argument' | 'sent'
> & {
  readonly keyword?: string;
};

const failuresOf = (call: CallRecord): readonly Failure[] => {
  const { outcome, faults = [], words, reason = 'unknown', status, withoutTool } = call;
  if (words) return [{ cause: 'nothing_found', words }];
  if (outcome === 'target_error') return [{ cause: 'target_error', ...(status && { status }) }];
  if (outcome === 'no_answer') return [{ cause: 'no_answer', reason }];
  if (outcome !== 'refused') return [];
  if (withoutTool) return [{ cause: 'refused', reason, withoutTool }];
  if (faults.length === 0) return [{ cause: 'refused', reason }];
  return faults.map((fault) => ({ cause: causeOf(fault), ...fault }));
};

const causeOf = ({ keyword }: CallFault): ProblemCause => {
  if (keyword === 'required' || keyword === MISSING_IN_PATH) return 'missing_argument';
  if (keyword === 'unknown') return 'unknown_argument';
  return keyword === UNKNOWN_OPERATION ? 'unknown_operation' : 'wrong_argument';
};

const ARTICLES: Readonly<Record<string, string>> = {
  array: 'an array',
  integer: 'an integer',
  null: 'null',
  object: 'an object',
};

const BROKEN: Readonly<Record<string, string>> = {
  additionalProperties: 'has a member that is not allowed',
  anyOf: 'matches none of the allowed forms',
  const: 'is not the one value that is allowed',
  enum: 'is not one of the allowed values',
  format: 'does not have the format that is described',
  pattern: 'does not match the pattern that is described',
  request: 'cannot be sent as it is',
  size: 'is larger than can be checked',
  together: 'has arguments that do not go together, or lacks one of several',
  unreadable: 'cannot be read',
};

const inWords = (failure: Failure): string => {
  const { cause, keyword = '', sent = '', words = [], argument = 'the whole' } = failure;
  switch (cause) {
    case 'missing_argument':
      return `${argument} is missing`;
    case 'wrong_argument':
      return keyword === 'type' || keyword === WRONG_STRUCTURE
        ? `${argument} is sent as ${member(ARTICLES, sent) ?? `a ${sent}`}`
        : `${argument} ${member(BROKEN, keyword) ?? `breaks ${keyword}`}`;
    case 'unknown_argument':
      return 'an argument is sent that the tool does not have';
    case 'unknown_operation':
      return 'an operation is called that is not there';
    case 'nothing_found':
      return words.length > 0
        ? `nothing was found for: ${words.join(' ')}`
        : 'nothing was found for words that are not on record';
    case 'target_error':
      return `the API answered ${failure.status ?? 'with an error'}`;
    default:
      return `${cause === 'refused' ? 'refused' : 'no answer'}: ${failure.reason ?? ''}`;
  }
};

/** Keywords that lenient checks ignore. */
const LEFT_TO_API: ReadonlySet<string | undefined> = new Set(['format', 'pattern', 'type']);

const OF_ARGUMENTS = ['describe_tool', 'fix_argument'] as const;

const remediesOf = (
  { cause, keyword, status = 0 }: Failure,
  checks: ArgumentChecks,
): readonly Remedy[] => {
  switch (cause) {
    case 'missing_argument':
      return checks === 'lenient' || keyword === MISSING_IN_PATH
        ? [...OF_ARGUMENTS, 'overlay']
        : ['lenient_checks', ...OF_ARGUMENTS, 'overlay'];
    case 'wrong_argument':
      return checks === 'strict' && LEFT_TO_API.has(keyword)
        ? ['lenient_checks', ...OF_ARGUMENTS, 'hide_argument', 'overlay']
        : [...OF_ARGUMENTS, 'hide_argument', 'overlay'];
    case 'unknown_argument':
      return ['describe_tool', 'overlay'];
    case 'unknown_operation':
      return ['describe_tool', 'rename_tool'];
    case 'nothing_found':
      return ['add_keywords', 'describe_tool'];
    case 'target_error':
      if (status === 401 || status === 403) return ['set_credential'];
      return status >= 500 ? ['hide_tool'] : ['describe_tool', 'overlay'];
    default:
      return [];
  }
};
