/** The result of `completion/complete`. Source: MCP 2025-03-26, "Completion". */
export interface Completion {
  readonly completion: {
    readonly values: readonly string[];
    /** How many there are, shown or not. */
    readonly total: number;
    readonly hasMore: boolean;
  };
}

/** Source: MCP 2025-03-26, "Completion": at most so many in one answer. */
const MOST_SHOWN = 100;

/**
 * The values that somebody may mean who has typed so much: those that begin with it, then those that hold
 * it elsewhere, whatever the case, otherwise in the order in which their owner gave them.
 */
export const completion = (values: readonly string[], typed: string): Completion => {
  const sought = typed.toLowerCase();
  const found = values.map((value) => ({ value, at: value.toLowerCase().indexOf(sought) }));
  const all = [...found.filter(({ at }) => at === 0), ...found.filter(({ at }) => at > 0)];
  return {
    completion: {
      values: all.slice(0, MOST_SHOWN).map(({ value }) => value),
      total: all.length,
      hasMore: all.length > MOST_SHOWN,
    },
  };
};
