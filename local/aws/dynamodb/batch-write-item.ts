import type { Json } from '../wire/json.ts';
import type { Store } from './dynalite.ts';

type Run = (store: Store, input: Json) => Promise<Json>;
type Requests = Readonly<Record<string, readonly unknown[]>>;

/**
 * Batches of which DynamoDB does a part: it hands back what a throttled partition did not take.
 * @param run - does a batch as a whole
 * @returns `slow` makes each batch do one write only, until the function that it returns is called
 * Source: Amazon DynamoDB API Reference, "BatchWriteItem", `UnprocessedItems`.
 */
export const batchesInParts = (run: Run): { readonly run: Run; slow(): () => void } => {
  let isSlow = false;
  return {
    run: async (store, input) => {
      const [[table, requests] = ['', []], ...others] = Object.entries(
        input['RequestItems'] as Requests,
      );
      const [first, ...rest] = requests;
      if (!isSlow || first === undefined || rest.length + others.length === 0) {
        return run(store, input);
      }
      const done = await run(store, { ...input, RequestItems: { [table]: [first] } });
      const left = [...others, ...(rest.length > 0 ? [[table, rest] as const] : [])];
      return { ...done, UnprocessedItems: Object.fromEntries(left) };
    },
    slow: () => {
      isSlow = true;
      return () => {
        isSlow = false;
      };
    },
  };
};
