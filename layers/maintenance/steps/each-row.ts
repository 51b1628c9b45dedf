import type { MaintenancePorts } from '../ports.ts';
import type { StoredRow } from '../rules/inventory.ts';

/** Rows processed in parallel: each needs several reads in sequence, which take the time. */
const AT_ONCE = 16;
const PAGE = 1000;

/**
 * Processes the rows of deployments and owners, some in parallel, until the end or until `isFull`.
 * @param from - cursor of the row after which to start; undefined: from the first
 * @returns undefined at the end; else the cursor to continue with
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

/** Ignores `isFull` the first time: without any progress, a continuation would repeat forever. */
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
