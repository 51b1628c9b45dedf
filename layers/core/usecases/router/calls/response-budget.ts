import { MOST_RESULT_BYTES, type ToolResult } from '../../../domain/tools/index.ts';

/** What the results of one HTTP request may take, in bytes on their way. */
export interface ResponseBudget {
  /** For the next of them. */
  left(): number;
  take(result: ToolResult): void;
}

/** All of it is one result's. */
export const wholeBudget: ResponseBudget = {
  left: () => MOST_RESULT_BYTES,
  take: () => undefined,
};

const MOST_OWN_BYTES = 64 * 1024;

/** Those of a batch share it: a little is each one's own, the rest goes to whoever comes first. */
export const sharedBudget = (results: number): ResponseBudget => {
  const own = Math.min(MOST_OWN_BYTES, MOST_RESULT_BYTES / (2 * results));
  let common = MOST_RESULT_BYTES - results * own;
  return {
    left: () => own + common,
    take: (result) => {
      const taken = Buffer.byteLength(JSON.stringify(JSON.stringify(result)));
      common -= Math.min(common, Math.max(0, taken - own));
    },
  };
};
