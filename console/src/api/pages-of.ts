import { type AnswerOf, call, type OperationId, type PathOf, type QueryOf } from './call.ts';

/** Operations that answer a page of a list. */
export type ListId = {
  [Id in OperationId]: AnswerOf<Id> extends { readonly items: readonly unknown[] } ? Id : never;
}[OperationId];

export type ItemOf<Id extends ListId> =
  AnswerOf<Id> extends {
    readonly items: readonly (infer Item)[];
  }
    ? Item
    : never;

const LARGEST_PAGE = 100;

/**
 * All pages of a list, one after the other: what has come so far is given on with each.
 *
 * @param most - entries after which it stops
 * @throws Problem
 */
export const readAll = async <Id extends ListId>(
  id: Id,
  wants: {
    readonly path?: PathOf<Id>;
    readonly query?: Partial<QueryOf<Id>>;
  },
  {
    most = Number.POSITIVE_INFINITY,
    come = () => undefined,
  }: { readonly most?: number; readonly come?: (items: readonly ItemOf<Id>[]) => void } = {},
): Promise<readonly ItemOf<Id>[]> => {
  const items: ItemOf<Id>[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: LARGEST_PAGE, ...wants.query, cursor };
    const read = call as (
      id: ListId,
      wants: object,
    ) => Promise<{ body: { items: readonly ItemOf<Id>[]; next_cursor?: string } }>;
    const { body } = await read(id, { path: wants.path, query });
    items.push(...body.items);
    come([...items]);
    cursor = body.next_cursor;
  } while (cursor !== undefined && items.length < most);
  return items;
};
