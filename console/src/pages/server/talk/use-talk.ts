import { useEffect, useRef, useState } from 'preact/hooks';
import type { Case } from '../../../../../layers/openapi/model-apis/cases.ts';
import type {
  CallResult,
  ModelCall,
  ModelProtocol,
  Turn,
} from '../../../../../layers/openapi/model-apis/protocols.ts';
import { operationCall } from '../../../../../layers/search/asked-operation.ts';
import type { Offered } from '../model/offered.ts';
import type { Tool } from '../tools/tool.ts';
import { NoChoice, resultOf, streamedChoiceOf } from '../../../api/ask-model.ts';

/** What a person sees of a talk, in its order. */
export type Shown =
  | { readonly kind: 'wish'; readonly text: string }
  | {
      readonly kind: 'choice';
      readonly text: string;
      readonly calls: readonly ShownCall[];
      readonly inputTokens: number;
      readonly outputTokens: number;
    };

export interface ShownCall extends ModelCall {
  readonly state: 'unknown' | 'waiting' | 'calling' | 'refused' | 'answered';
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
const NOTHING: Talk = { shown: [], running: false, coming: '', isPaused: false };

interface TalkTerms {
  readonly protocol: ModelProtocol;
  readonly slug: string;
  readonly offered: Offered;
  readonly instructions: string | undefined;
}

/** Whether a person is asked before a model calls it. */
const changesSomething = ({ annotations }: Tool): boolean => annotations['readOnlyHint'] !== true;

/** The operation that a model calls; undefined where it only looks for one, or there is no such operation. */
const operationOf = ({ operations, isSearch }: Offered, one: ModelCall): Tool | undefined => {
  const tool = isSearch ? operationCall(one)?.tool : one.tool;
  return operations.find(({ name }) => name === tool);
};

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
    if (one.calls.length === 0) return { tool: null };
    const calls = offered.isSearch ? one.calls.map(operationCall) : one.calls;
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
export const useTalk = ({ protocol, slug, offered, instructions }: TalkTerms) => {
  const { tools } = offered;
  const isThere = (one: ModelCall): boolean => tools.some(({ name }) => name === one.tool);
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
  const made = async (one: ModelCall, at: number): Promise<CallResult> => {
    if (!isThere(one)) return { call: one, text: `There is no tool ${one.tool}.`, isError: true };
    const operation = operationOf(offered, one);
    if (operation && changesSomething(operation) && !(await isAllowed(at))) {
      change(at, { state: 'refused' });
      return { call: one, text: REFUSED, isError: true };
    }
    change(at, { state: 'calling' });
    const result = await resultOf(
      { slug, isSearch: offered.isSearch },
      one,
      leaving.current.signal,
    );
    change(at, { state: 'answered', result });
    return result;
  };

  const goOn = async (model: string, key: string): Promise<void> => {
    setTalk(({ shown }) => ({ ...NOTHING, shown, running: true }));
    try {
      for (let step = 0; step < MOST_STEPS; step += 1) {
        const terms = { model, key, turns: turns.current, tools, instructions };
        const choice = await streamedChoiceOf(protocol, terms, leaving.current.signal, hear);
        const { calls, text, inputTokens, outputTokens, said } = choice;
        show({
          kind: 'choice',
          text,
          inputTokens,
          outputTokens,
          calls: calls.map((one) => ({ ...one, state: isThere(one) ? 'calling' : 'unknown' })),
        });
        const results: CallResult[] = [];
        for (const [at, one] of calls.entries()) results.push(await made(one, at));
        // Together, so that no call stands without its result.
        if (text !== '' || calls.length > 0) turns.current = [...turns.current, { said }];
        if (calls.length > 0) turns.current = [...turns.current, { results }];
        if (calls.length === 0) return setTalk(({ shown }) => ({ ...NOTHING, shown }));
      }
      setTalk(({ shown }) => ({ ...NOTHING, shown, isPaused: true }));
    } catch (error) {
      if (leaving.current.signal.aborted) return;
      const fault = error instanceof NoChoice ? error.message : 'Something went wrong here.';
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
