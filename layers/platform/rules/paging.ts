export interface PageQuery {
  readonly limit: number;
  /** The `next` of the page before. */
  readonly after?: string | undefined;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Where the list goes on, in the store's own words; absent at its end. */
  readonly next?: string;
}

/** All items of a list, page after page. */
export async function* every<Item>(
  page: (after: string | undefined) => Promise<Page<Item>>,
): AsyncIterable<Item> {
  let after: string | undefined;
  do {
    const { items, next } = await page(after);
    yield* items;
    after = next;
  } while (after !== undefined);
}
