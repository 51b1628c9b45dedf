import { createKey, indexActions, type Item, type LevelWrite, type Store } from './dynalite.ts';

/** Writes new items and their entries in indexes in one batch of thousands, unchecked, as an import of AWS does. */
export const loadItems = async (
  store: Store,
  table: Item,
  items: readonly Item[],
): Promise<void> => {
  const name = String(table['TableName']);
  const indexes = table['GlobalSecondaryIndexes'] as readonly Item[];
  const writes = items.flatMap((item): LevelWrite[] => [
    { type: 'put', key: `item-${name}~${createKey(item, table)}`, value: item },
    ...indexActions(indexes, null, item, table).puts.map((entry): LevelWrite => ({
      type: 'put',
      key: `index-global~${name}~${entry.index}~${entry.key}`,
      value: entry.item,
    })),
  ]);
  await store.db.batch(writes);
};
