import { canonicalEmail } from '../../accounts/rules/email.ts';
import { fingerprint } from '../../platform/rules/fingerprint.ts';
import type { MaintenancePorts } from '../ports.ts';
import type { PlatformPorts } from '../../platform/ports.ts';

type PersonsPorts = Pick<MaintenancePorts, 'persons' | 'timeLeft'>;

export interface PersonQuery {
  readonly email: string;
  /** Ids of accounts that they have or had, from `findPerson`. */
  readonly ids: readonly string[];
  readonly after?: string | undefined;
}

/** How a command's record names a person: by a fingerprint, since it outlives the erasure. */
export const personTrace = ({ email }: { readonly email: string }): string =>
  fingerprint(canonicalEmail(email));

/** Keeps the answer below Lambda's size limit. */
const ENOUGH_BYTES = 1_000_000;
const LEAST_MS = 60_000;

export interface FoundPerson {
  /** Account ids that the tables connect with the address, whether or not the accounts exist. */
  readonly ids: readonly string[];
  /** Given ids that the tables connect with another address. */
  readonly otherIds: readonly string[];
  readonly next?: string;
}

/** @param query - `ids` of accounts supposed to belong to the address */
export const findPerson = async (
  ports: PersonsPorts,
  { email, ids: said, after }: PersonQuery,
): Promise<FoundPerson> => {
  const ids = new Set<string>();
  const otherIds = new Set<string>();
  const person = { email: canonicalEmail(email), ids: said };
  const next = await throughAll(ports, after, async (place) => {
    const page = await ports.persons.named(person, place);
    for (const record of page.items) {
      for (const id of record.ids ?? []) ids.add(id);
      for (const id of record.otherIds ?? []) otherIds.add(id);
    }
    return { next: page.next, isFull: false };
  });
  return { ids: [...ids], otherIds: [...otherIds], ...(next !== undefined && { next }) };
};

/** All items about a person, without secrets. Source: docs/privacy.md, "For an operator". */
export const exportRecords = async (
  ports: PersonsPorts,
  { email, ids, after }: PersonQuery,
): Promise<{ readonly items: readonly object[]; readonly next?: string }> => {
  const items: object[] = [];
  let bytes = 0;
  const next = await throughAll(ports, after, async (place) => {
    const page = await ports.persons.page({ email: canonicalEmail(email), ids }, place);
    for (const { place: where, content } of page.items) {
      items.push({ place: where, ...content });
      bytes += JSON.stringify(content).length;
    }
    return { next: page.next, isFull: bytes >= ENOUGH_BYTES };
  });
  return { items, ...(next !== undefined && { next }) };
};

export interface Erased {
  readonly erased: Readonly<Record<string, number>>;
  readonly left: readonly object[];
  readonly next?: string;
}

/**
 * Erases the items about a person. An interrupted call can continue from its `next` or start again.
 * @returns `left`: items that other owners have written, and those of an existing account
 * Source: docs/privacy.md, "For an operator".
 */
export const eraseRecords = async (
  ports: PersonsPorts,
  { email, ids, after }: PersonQuery,
): Promise<Erased> => {
  const erased: Record<string, number> = {};
  const left: object[] = [];
  const next = await throughAll(ports, after, async (position) => {
    const page = await ports.persons.erase({ email: canonicalEmail(email), ids }, position);
    for (const { place, content, stays } of page.items) {
      if (stays === undefined) erased[place] = (erased[place] ?? 0) + 1;
      else if (stays !== 'trace') left.push({ place, ...content });
    }
    return { next: page.next, isFull: JSON.stringify(left).length >= ENOUGH_BYTES };
  });
  return { erased, left, ...(next !== undefined && { next }) };
};

/** Reads page after page while time is left. @returns cursor to continue with; undefined at the end */
const throughAll = async (
  { timeLeft }: Pick<PlatformPorts, 'timeLeft'>,
  from: string | undefined,
  look: (
    after: string | undefined,
  ) => Promise<{ readonly next: string | undefined; readonly isFull: boolean }>,
): Promise<string | undefined> => {
  let after = from;
  for (;;) {
    const { next, isFull } = await look(after);
    if (next === undefined || isFull || timeLeft.ms() < LEAST_MS) return next;
    after = next;
  }
};
