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
  /** The operation that it would call; undefined if the page does not know it, or nothing is called. */
  readonly operation: Pick<Tool, 'method' | 'path'> | undefined;
  readonly result?: CallResult;
}

interface Talk {
  readonly shown: readonly Shown[];
  readonly running: boolean;
  /** Text of an incomplete answer; empty otherwise. */
  readonly coming: string;
  /** Why the talk has stopped. */
  readonly fault?: string;
  /** The model has made as many steps as it may without the person. */
  readonly isPaused: boolean;
}

/** Steps of a model for one wish before the person is asked to let it go on. */
export const MOST_STEPS = 12;

const REFUSED = 'The person did not allow this call.';
const OUTDATED =
  'This call was not made: the server has changed since its tools were listed. They are listed anew now: decide by that list whether to call one.';
const NOTHING: Talk = { shown: [], running: false, coming: '', isPaused: false };

interface TalkTerms {
  readonly protocol: ModelProtocol;
  readonly slug: string;
  readonly served: Served;
  /** Reads the server again after it has changed. @throws Problem */
  readonly renew: () => Promise<Served>;
}

/** The operation that a model calls; undefined if it only searches for one, or the page knows none of that name. */
const operationOf = ({ operations, isSearch }: Offered, one: ModelCall): Tool | undefined => {
  const tool = isSearch ? operationCall(one)?.tool : one.tool;
  return operations.find(({ name }) => name === tool);
};

/** Only searches, and operations known to change nothing, need no consent of the person. */
const goesUnasked = (offered: Offered, one: ModelCall): boolean =>
  (offered.isSearch && isLook(one)) ||
  operationOf(offered, one)?.annotations['readOnlyHint'] === true;

const isThere = ({ tools }: Offered, one: ModelCall): boolean =>
  tools.some(({ name }) => name === one.tool);

/**
 * What a model chose for a wish, in the form of a case.
 * @param after - what is shown after the wish
 * @returns tool null if it called nothing; undefined if it has not chosen yet, or its tool does not exist
 */
export const chosenFor = (
  offered: Offered,
  after: readonly Shown[],
): Pick<Case, 'arguments' | 'tool'> | undefined => {
  for (const one of after) {
    if (one.kind === 'wish') return undefined;
    if (one.kind === 'change') continue;
    if (one.calls.length === 0) return { tool: null };
    // Outdated calls were not made: the model chooses again from the new list of tools.
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

/** A talk ends when its page is left. A failure ends a turn only: the same turns can be sent again. */
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
  /** @param of - the server as the model saw it when it chose */
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
  /** Once a call shows that the server has changed, the remaining calls of the choice are not made. */
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
        // Choice and results are added together, so that no call is ever sent without its result.
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
      // The beginning of a broken answer stays visible, and is not sent with the next request.
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
