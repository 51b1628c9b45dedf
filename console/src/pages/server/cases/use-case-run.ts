import { useEffect, useRef, useState } from 'preact/hooks';
import {
  type Case,
  type CaseResult,
  changedSince,
  evaluate,
  type NoAnswer,
} from '../../../../../layers/openapi/model-apis/cases.ts';
import type {
  CallResult,
  ModelCall,
  ModelChoice,
  ModelProtocol,
  Turn,
} from '../../../../../layers/openapi/model-apis/protocols.ts';
import { operationsAskedFor } from '../../../../../layers/search/asked-operation.ts';
import { choiceOf, NoChoice, triedBy } from '../../../api/ask-model.ts';
import { call } from '../../../api/call.ts';
import { asProblem } from '../../../api/problem.ts';
import type { Offered } from '../model/offered.ts';

export interface ShownRun {
  readonly running: boolean;
  /** Number of cases to ask. */
  readonly of: number;
  readonly results: readonly CaseResult[];
  /** Why the run ended before all cases were asked. */
  readonly ended?: string;
  /** Why the service does not store the finished run; undefined if it does. */
  readonly notKept?: string;
  /** Wishes whose result differs from that of the run before. */
  readonly changed: readonly string[];
}

export interface RunTerms {
  readonly protocol: ModelProtocol;
  readonly vendor: string;
  readonly slug: string;
  /** What the tools belong to: a version, or a description that is not published. */
  readonly of: { readonly version: number } | { readonly tools_hash: string };
  readonly offered: Offered;
  /** ETag of the server when its tools were read, so that searches of the model find the same ones. */
  readonly servedAs: string;
  readonly cases: readonly Case[];
  /** ETag of the cases. */
  readonly etag: string;
  readonly before: readonly Pick<CaseResult, 'wish' | 'right'>[];
}

const STOPPED = 'You stopped it.';
const CHANGED = 'The server has changed meanwhile: load this page again.';
/** Attempts at one question while the vendor is busy. */
const TRIES = 5;

/** Asks a model all cases and has the service store the outcome. The run ends when its page is left. */
export const useCaseRun = (onKept: () => void) => {
  const [shown, setShown] = useState<ShownRun>();
  const stopping = useRef(new AbortController());
  useEffect(() => () => stopping.current.abort(), []);
  const change = (over: Partial<ShownRun>) =>
    setShown((before) => before && { ...before, ...over });

  return {
    shown,
    stop: (): void => stopping.current.abort(),
    run: async (terms: RunTerms, model: string, key: string): Promise<void> => {
      const { cases, offered, before } = terms;
      stopping.current = new AbortController();
      const { signal } = stopping.current;
      setShown({ running: true, of: cases.length, results: [], changed: [] });
      try {
        let hasChanged = false;
        const answer = async (turns: readonly Turn[]): Promise<ModelChoice | NoAnswer> =>
          hasChanged
            ? { why: CHANGED, ends: true }
            : answerTo(turns, terms, { model, key, signal });
        const look = async (one: ModelCall): Promise<CallResult> => {
          const result = await lookFor(one, terms, signal);
          hasChanged ||= result === undefined;
          return result ?? { call: one, text: CHANGED, isError: true };
        };
        const asking = (wish: string) =>
          offered.isSearch ? operationsAskedFor(wish, answer, look) : answer([{ wish }]);
        const { results, ended, isAnswered } = await evaluate(
          cases,
          offered.operations,
          asking,
          (result) => setShown((now) => now && { ...now, results: [...now.results, result] }),
        );
        const changed = changedSince(results, before).map(({ wish }) => wish);
        if (ended !== undefined || !isAnswered) {
          const notKept = 'Only a run of all cases that got answers is kept.';
          const fault = ended === undefined ? {} : { ended };
          return change({ running: false, results, changed, notKept, ...fault });
        }
        const notKept = await keep(terms, model, results);
        change({ running: false, results, changed, ...(notKept !== undefined && { notKept }) });
        onKept();
      } catch {
        change({ running: false, ended: 'Something went wrong here.' });
      }
    },
  };
};

/** @returns why the service does not store the run; undefined if it does */
const keep = async (
  { vendor, slug, of, etag }: RunTerms,
  model: string,
  results: readonly CaseResult[],
): Promise<string | undefined> => {
  const sum = (member: 'input_tokens' | 'output_tokens') =>
    results.reduce((total, one) => total + one[member], 0);
  const body = {
    model: `${vendor}/${model}`,
    ...of,
    wrong: results.filter(({ right }) => !right).map(({ wish }) => wish),
    input_tokens: sum('input_tokens'),
    output_tokens: sum('output_tokens'),
  };
  try {
    await call('POST /deployments/{slug}/case-runs', { path: { slug }, body, ifMatch: etag });
    return undefined;
  } catch (error) {
    return asProblem(error).message;
  }
};

/** Pauses when asked to: models search more often than people may. @returns undefined if the server has changed */
const lookFor = async (
  one: ModelCall,
  { slug, servedAs: etag }: RunTerms,
  signal: AbortSignal,
): Promise<CallResult | undefined> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await triedBy({ slug, isSearch: true, etag }, one, signal);
    } catch (error) {
      const { code, message, retryAfterSeconds: wait } = asProblem(error);
      if (code === 'stale') return undefined;
      if (wait === undefined || tries === TRIES || signal.aborted) {
        return { call: one, text: message, isError: true };
      }
      await pause(1000 * wait, signal);
    }
  }
};

/** Asks the model, and waits while the vendor is busy. A failure is an answer, too. */
const answerTo = async (
  turns: readonly Turn[],
  { protocol, offered: { tools, instructions } }: RunTerms,
  {
    model,
    key,
    signal,
  }: { readonly model: string; readonly key: string; readonly signal: AbortSignal },
): Promise<ModelChoice | NoAnswer> => {
  for (let tries = 1; ; tries += 1) {
    if (signal.aborted) return { why: STOPPED, ends: true };
    try {
      return await choiceOf(protocol, { model, key, turns, tools, instructions }, signal);
    } catch (error) {
      if (signal.aborted) return { why: STOPPED, ends: true };
      if (!(error instanceof NoChoice)) throw error;
      if (!error.isBusy || tries === TRIES) return { why: error.message, ends: error.isKeyRefused };
      await pause(1000 * 2 ** (tries - 1), signal);
    }
  }
};

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
