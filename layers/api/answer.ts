import { MOST_BODY_BYTES } from '../platform/http/reply.ts';

/** Epoch seconds as times are written in answers: `2026-11-20T12:00:00Z`. */
export const isoTime = (epochSeconds: number): string =>
  new Date(epochSeconds * 1000).toISOString().replace('.000Z', 'Z');

/** The bytes that an answer may still take. */
export interface AnswerBudget {
  /** Counts a part that is there in any case. @returns it */
  readonly spend: <Part>(part: Part) => Part;
  /**
   * The first of these, as they are shown, as far as they fit.
   *
   * @param most - bytes that all of them may take
   */
  readonly fitting: <Item, Shown>(
    items: readonly Item[],
    show: (item: Item) => Shown,
    most?: number,
  ) => readonly Shown[];
}

/** An answer as long as the gateway takes one, however its bytes have to be written. */
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

/** With the comma behind it. */
const sizeOf = (part: unknown): number => Buffer.byteLength(JSON.stringify(part) ?? '') + 1;
