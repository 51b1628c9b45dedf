import { MOST_RESULT_BYTES } from '../../../tools/answer/fitting-text.ts';
import type { ToolResult } from '../../../tools/answer/answer-content.ts';

/** What the results of one HTTP request may take, in bytes on their way, and what memory. */
export interface ResponseBudget {
  /** For the next of them. */
  left(): number;
  take(result: ToolResult): void;
  /** For one call. */
  longAnswer(): LongAnswer;
}

/**
 * A turn at reading an answer beyond the room of a result: each takes several times its size until what is
 * left out has been stored, and the calls of a batch would need them all at once.
 */
export interface LongAnswer {
  /** Resolves when all who had a turn before have ended it. Whoever asks again has the same turn. */
  begin(): Promise<void>;
  /** Does nothing where it was not begun. */
  end(): void;
}

/** All of it is one result's. */
export const wholeBudget: ResponseBudget = {
  left: () => MOST_RESULT_BYTES,
  take: () => undefined,
  longAnswer: () => ({ begin: async () => undefined, end: () => undefined }),
};

const MOST_OWN_BYTES = 64 * 1024;

/** Those of a batch share it: a little is each one's own, the rest goes to whoever comes first. */
export const sharedBudget = (results: number): ResponseBudget => {
  const own = Math.min(MOST_OWN_BYTES, MOST_RESULT_BYTES / (2 * results));
  let common = MOST_RESULT_BYTES - results * own;
  let turns: Promise<void> = Promise.resolve();
  return {
    left: () => own + common,
    longAnswer: () => {
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      let turn: Promise<void> | undefined;
      const begin = (): Promise<void> => {
        if (turn) return turn;
        turn = turns;
        turns = turn.then(() => ended);
        return turn;
      };
      return { begin, end };
    },
    take: (result) => {
      const taken = Buffer.byteLength(JSON.stringify(JSON.stringify(result)));
      common -= Math.min(common, Math.max(0, taken - own));
    },
  };
};
