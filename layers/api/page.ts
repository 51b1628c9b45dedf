import * as z from 'zod';
import { answerBudget } from './answer.ts';
import { parsedJson } from '../platform/rules/json/parsed-json.ts';

const MAX_PAGE = 100;
const DEFAULT_PAGE = 50;

/** Position in a list, in the form of its store. */
export type Position = string;

const Cursor = z.tuple([z.string(), z.string().min(1)]);

/**
 * Query parameters of a list. A cursor holds only the position within the caller's own list; path and session choose
 * the list, so that a forged cursor reaches no other.
 * @param list - name of the list: cursors of others are refused
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
      // Positions are at most as long as a sort key: 1,024 bytes.
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

/** Without `next_cursor` it is the last page. */
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
 * A page of a list that is short enough to be loaded at once. It ends early at the size limit of answers.
 * @param show - converts an item to its form in the answer, whose size counts
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
