/** Numbers that look random and are the same for every seed. */
export interface Random {
  /** A whole number from 0 to below this. */
  below(limit: number): number;
  /** Whether something happens that does so in one of so many cases. */
  oneIn(cases: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
}

/** Source: mulberry32, by Tommy Ettinger; public domain. */
export const randomOf = (seed: number): Random => {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    oneIn: (cases) => below(cases) === 0,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
  };
};
