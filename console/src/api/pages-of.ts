import { call } from './call.ts';
import type { ItemOf, ListOperation, PathOf, QueryOf } from './operation.ts';

const LARGEST_PAGE = 100;

/**
 * All pages of a list, one after the other: what has come so far is given on with each.
 *
 * @param most - entries after which it stops
 * @throws Problem
 */
export const readAll = async <Id extends ListOperation>(
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
      id: ListOperation,
      wants: object,
    ) => Promise<{ body: { items: readonly ItemOf<Id>[]; next_cursor?: string } }>;
    const { body } = await read(id, { path: wants.path, query });
    items.push(...body.items);
    come([...items]);
    cursor = body.next_cursor;
  } while (cursor !== undefined && items.length < most);
  return items;
};
