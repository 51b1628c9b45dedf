import * as z from 'zod';
import { answerBudget } from './answer.ts';
import { parsedJson } from '../platform/rules/json/parsed-json.ts';

const MAX_PAGE = 100;
const DEFAULT_PAGE = 50;

/** Where a list goes on, in the words of the store that gave it. */
export type Position = string;

const Cursor = z.tuple([z.string(), z.string().min(1)]);

/**
 * The query of a list. A cursor holds no more than where in the caller's own list the next page begins:
 * a list is chosen by path and session, so that no made-up cursor leads into another one.
 *
 * @param list - the list's name: a cursor of another list is refused
 */
export const pageQuery = (list: string) =>
  z.strictObject({
    limit: z.coerce
      .number('Choose a whole number from 1 to 100.')
      .int('Choose a whole number from 1 to 100.')
      .min(1, 'Choose a whole number from 1 to 100.')
      .max(MAX_PAGE, 'Choose a whole number from 1 to 100.')
      .default(DEFAULT_PAGE)
      .meta({ description: `How many entries a page holds, ${DEFAULT_PAGE} if omitted.` }),
    cursor: z
      .string()
      // Of the places that one may name, none is longer than a sort key may be: 1,024 bytes.
      .max(1300)
      .transform((sent, context): Position => {
        const position = positionIn(list, sent);
        if (position !== undefined) return position;
        context.issues.push({ code: 'custom', message: NO_CURSOR, input: sent });
        return z.NEVER;
      })
      .optional()
      .meta({ description: 'The `next_cursor` of the page before.' }),
  });

const NO_CURSOR = 'Send the next_cursor of a page of this very list, or none.';

/** One page on the wire; without `next_cursor` it is the last. */
export const pageBody = (
  list: string,
  items: readonly unknown[],
  next: Position | undefined,
): object => ({ items, ...(next !== undefined && { next_cursor: cursorOf(list, next) }) });

export const pageOf = (item: z.ZodType) =>
  z.object({ items: z.array(item), next_cursor: z.string().optional() });

const cursorOf = (list: string, position: Position): string =>
  Buffer.from(JSON.stringify([list, position])).toString('base64url');

const positionIn = (list: string, cursor: string): Position | undefined => {
  try {
    const parsed: unknown = parsedJson(Buffer.from(cursor, 'base64url').toString());
    const { success, data } = Cursor.safeParse(parsed);
    return success && data[0] === list ? data[1] : undefined;
  } catch {
    return undefined;
  }
};

/**
 * A page of a list that is short enough to be read at once. It ends early where more cannot be sent.
 *
 * @param show - makes what stands in the answer, which alone must fit into one
 */
export const pageWithin = <Item, Shown>(
  all: readonly Item[],
  { limit, cursor = '0' }: { readonly limit: number; readonly cursor?: Position | undefined },
  show: (item: Item) => Shown,
): { readonly items: readonly Shown[]; readonly next: Position | undefined } => {
  const start = /^\d{1,9}$/.test(cursor) ? Number(cursor) : 0;
  const items = answerBudget().fitting(all.slice(start, start + limit), show);
  const end = start + items.length;
  return { items, next: end < all.length ? String(end) : undefined };
};
