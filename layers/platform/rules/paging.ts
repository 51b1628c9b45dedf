export interface PageQuery {
  readonly limit: number;
  /** `next` of the previous page. */
  readonly after?: string | undefined;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Cursor in the store's own form; absent on the last page. */
  readonly next?: string;
}

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
