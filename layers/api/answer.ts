import { MOST_BODY_BYTES } from '../platform/http/reply.ts';

export interface AnswerBudget {
  /** Counts a fixed part of the answer. @returns it */
  readonly spend: <Part>(part: Part) => Part;
  /** Shows as many items as fit. @param most - bytes for all of them */
  readonly fitting: <Item, Shown>(
    items: readonly Item[],
    show: (item: Item) => Shown,
    most?: number,
  ) => readonly Shown[];
}

/** Keeps an answer within the gateway's limit, measured in JSON bytes. */
export const answerBudget = (bytes: number = MOST_BODY_BYTES): AnswerBudget => {
  let left = bytes;
  return {
    spend: (part) => {
      left -= sizeOf(part);
      return part;
    },
    fitting: (items, show, most = Infinity) => {
      const shown: ReturnType<typeof show>[] = [];
      let part = Math.min(left, most);
      for (const item of items) {
        const one = show(item);
        const size = sizeOf(one);
        if (size > part) break;
        part -= size;
        left -= size;
        shown.push(one);
      }
      return shown;
    },
  };
};

/** Includes the comma after it. */
const sizeOf = (part: unknown): number => Buffer.byteLength(JSON.stringify(part) ?? '') + 1;
