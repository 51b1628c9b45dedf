import { useEffect, useRef, useState } from 'preact/hooks';
import type { Case } from '../../../../../layers/openapi/model-apis/cases.ts';
import type {
  CallResult,
  ModelCall,
  ModelProtocol,
  Turn,
} from '../../../../../layers/openapi/model-apis/protocols.ts';
import { isLook, operationCall } from '../../../../../layers/search/asked-operation.ts';
import type { Offered, Served } from '../model/offered.ts';
import type { Tool } from '../tools/tool.ts';
import { NoChoice, resultOf, streamedChoiceOf } from '../../../api/ask-model.ts';
import { Problem } from '../../../api/problem.ts';

/** What a person sees of a talk, in its order. */
export type Shown =
  | { readonly kind: 'wish'; readonly text: string }
  | {
      readonly kind: 'choice';
      readonly text: string;
      readonly calls: readonly ShownCall[];
      readonly inputTokens: number;
      readonly outputTokens: number;
    }
  | { readonly kind: 'change' };

export interface ShownCall extends ModelCall {
  readonly state: 'unknown' | 'waiting' | 'calling' | 'refused' | 'outdated' | 'answered';
  /** What it would call; undefined where the page does not know that, or nothing is called. */
  readonly operation: Pick<Tool, 'method' | 'path'> | undefined;
  readonly result?: CallResult;
}

interface Talk {
  readonly shown: readonly Shown[];
  readonly running: boolean;
  /** What the model has said of an answer that is not whole, and may never be; empty otherwise. */
  readonly coming: string;
  /** Why it stands still. */
  readonly fault?: string;
  /** As many steps were made as go without a word. */
  readonly isPaused: boolean;
}

/** Choices of a model for one wish until the person is asked. */
export const MOST_STEPS = 12;

const REFUSED = 'The person did not allow this call.';
const OUTDATED =
  'This call was not made: the server has changed since its tools were listed. They are listed anew now: decide by that list whether to call one.';
const NOTHING: Talk = { shown: [], running: false, coming: '', isPaused: false };

interface TalkTerms {
  readonly protocol: ModelProtocol;
  readonly slug: string;
  readonly served: Served;
  /** Reads the server again, which has changed. @throws Problem */
  readonly renew: () => Promise<Served>;
}

/** The operation that a model calls; undefined where it only looks for one, or the page knows none of that name. */
const operationOf = ({ operations, isSearch }: Offered, one: ModelCall): Tool | undefined => {
  const tool = isSearch ? operationCall(one)?.tool : one.tool;
  return operations.find(({ name }) => name === tool);
};

/**
 * Whether a call goes out without the person's word: what looks for operations, and what is known to change nothing.
 * Whatever the page does not know may change something.
 */
const goesUnasked = (offered: Offered, one: ModelCall): boolean =>
  (offered.isSearch && isLook(one)) ||
  operationOf(offered, one)?.annotations['readOnlyHint'] === true;

const isThere = ({ tools }: Offered, one: ModelCall): boolean =>
  tools.some(({ name }) => name === one.tool);

/**
 * What a model chose for a wish, as a case says it.
 *
 * @param after - what is shown after the wish
 * @returns tool null where it called nothing; undefined where it has not chosen yet, or what is not there
 */
export const chosenFor = (
  offered: Offered,
  after: readonly Shown[],
): Pick<Case, 'arguments' | 'tool'> | undefined => {
  for (const one of after) {
    if (one.kind === 'wish') return undefined;
    if (one.kind === 'change') continue;
    if (one.calls.length === 0) return { tool: null };
    // What was chosen of tools that are not there any more is chosen again.
    const made = one.calls.filter(({ state }) => state !== 'outdated');
    const calls = offered.isSearch ? made.map(operationCall) : made;
    const first = calls.find((called) => called !== undefined);
    if (first) {
      const isThere = offered.operations.some(({ name }) => name === first.tool);
      return isThere ? { tool: first.tool, arguments: first.arguments } : undefined;
    }
  }
  return undefined;
};

/**
 * A talk with a model, which lives as long as its page. What went wrong ends a turn and loses nothing: the same
 * turns are sent again.
 */
export const useTalk = ({ protocol, slug, served, renew }: TalkTerms) => {
  const present = useRef(served);
  useEffect(() => {
    present.current = served;
  }, [served]);
  const [talk, setTalk] = useState<Talk>(NOTHING);
  const turns = useRef<readonly Turn[]>([]);
  const allow = useRef<(isAllowed: boolean) => void>(undefined);
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);

  const show = (one: Shown) =>
    setTalk((before) => ({ ...before, coming: '', shown: [...before.shown, one] }));
  const hear = (text: string) => setTalk((before) => ({ ...before, coming: before.coming + text }));
  const change = (at: number, over: Partial<ShownCall>) =>
    setTalk((before) => {
      const last = before.shown.at(-1);
      if (last?.kind !== 'choice') return before;
      const calls = last.calls.map((one, index) => (index === at ? { ...one, ...over } : one));
      return { ...before, shown: [...before.shown.slice(0, -1), { ...last, calls }] };
    });

  const isAllowed = (at: number): Promise<boolean> => {
    change(at, { state: 'waiting' });
    return new Promise((resolve) => {
      allow.current = resolve;
    });
  };
  /** @param of - what the model was shown before it chose, and the person sees of the call */
  const made = async (one: ModelCall, at: number, of: Served): Promise<CallResult | undefined> => {
    if (!isThere(of, one)) {
      return { call: one, text: `There is no tool ${one.tool}.`, isError: true };
    }
    if (!goesUnasked(of, one) && !(await isAllowed(at))) {
      change(at, { state: 'refused' });
      return { call: one, text: REFUSED, isError: true };
    }
    change(at, { state: 'calling' });
    const { isSearch, etag } = of;
    const result = await resultOf({ slug, isSearch, etag }, one, leaving.current.signal);
    if (result) change(at, { state: 'answered', result });
    return result;
  };
  /** What is left of a choice is not made once one of its calls shows that the server has changed. */
  const allMade = async (calls: readonly ModelCall[], of: Served) => {
    const results: CallResult[] = [];
    let hasChanged = false;
    for (const [at, one] of calls.entries()) {
      const result: CallResult | undefined = hasChanged ? undefined : await made(one, at, of);
      if (!result) change(at, { state: 'outdated' });
      hasChanged ||= result === undefined;
      results.push(result ?? { call: one, text: OUTDATED, isError: true });
    }
    return { results, hasChanged };
  };

  const goOn = async (model: string, key: string): Promise<void> => {
    setTalk(({ shown }) => ({ ...NOTHING, shown, running: true }));
    try {
      for (let step = 0; step < MOST_STEPS; step += 1) {
        const of = present.current;
        const { tools, instructions } = of;
        const terms = { model, key, turns: turns.current, tools, instructions };
        const choice = await streamedChoiceOf(protocol, terms, leaving.current.signal, hear);
        const { calls, text, inputTokens, outputTokens, said } = choice;
        show({
          kind: 'choice',
          text,
          inputTokens,
          outputTokens,
          calls: calls.map((one) => ({
            ...one,
            state: isThere(of, one) ? 'calling' : 'unknown',
            operation: operationOf(of, one),
          })),
        });
        const { results, hasChanged } = await allMade(calls, of);
        // Together, so that no call stands without its result.
        if (text !== '' || calls.length > 0) turns.current = [...turns.current, { said }];
        if (calls.length > 0) turns.current = [...turns.current, { results }];
        if (hasChanged) {
          present.current = await renew();
          show({ kind: 'change' });
        }
        if (calls.length === 0) return setTalk(({ shown }) => ({ ...NOTHING, shown }));
      }
      setTalk(({ shown }) => ({ ...NOTHING, shown, isPaused: true }));
    } catch (error) {
      if (leaving.current.signal.aborted) return;
      const isSaid = error instanceof NoChoice || error instanceof Problem;
      const fault = isSaid ? error.message : 'Something went wrong here.';
      // What came of a broken answer stays, and is no part of what is sent again.
      setTalk((before) => ({ ...before, running: false, fault }));
    }
  };

  return {
    ...talk,
    goOn,
    ask: (wish: string, model: string, key: string): Promise<void> => {
      turns.current = [...turns.current, { wish }];
      show({ kind: 'wish', text: wish });
      return goOn(model, key);
    },
    allow: (isAllowedNow: boolean): void => allow.current?.(isAllowedNow),
    restart: (): void => {
      turns.current = [];
      setTalk(NOTHING);
    },
  };
};
