import type { MaintenancePorts } from '../ports.ts';
import type { StoredRow } from '../rules/inventory.ts';

/** How many rows are looked at at once: of each, things are read one after the other, which takes the time. */
const AT_ONCE = 16;
const PAGE = 1000;

/**
 * Looks at the rows of deployments and owners, some at once, until all were seen or the work is full.
 *
 * @param from - the row behind which to begin, or the first one
 * @returns undefined at the end; else where to go on
 */
export const eachRow = async (
  { storedRows }: Pick<MaintenancePorts, 'storedRows'>,
  from: string | undefined,
  isFull: () => boolean,
  look: (rows: readonly StoredRow[]) => Promise<void>,
): Promise<{ readonly after: string | undefined } | undefined> => {
  let after = from;
  do {
    const page = await storedRows.page({ limit: PAGE, after });
    for (const rows of atOnce(page.items)) {
      if (isFull()) return { after };
      await look(rows);
      after = rows.at(-1)?.after;
    }
    after = page.next;
  } while (after !== undefined);
  return undefined;
};

/** Something is done in any case: whoever goes on from the cursor would never get any further. */
export const afterTheFirst = (isFull: () => boolean): (() => boolean) => {
  let isFirst = true;
  return () => {
    const looks = isFirst;
    isFirst = false;
    return !looks && isFull();
  };
};

export const atOnce = <Item>(items: readonly Item[]): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / AT_ONCE) }, (_, at) =>
    items.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
  );
