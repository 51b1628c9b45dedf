/** How much of a tool is told. */
export interface Detail {
  /** Characters of descriptions: the tool's, an argument's, anything further inside. */
  readonly tool: number;
  readonly argument: number;
  readonly nested: number;
  readonly examples: boolean;
  /** How deep schemas are told where any step on the way may be left out, and where none may. */
  readonly optional: number;
  readonly required: number;
  /** The longest `enum`; a longer one is described in words. */
  readonly values: number;
}

const FULL: Detail = {
  tool: 1024,
  argument: 400,
  nested: 300,
  examples: true,
  optional: 24,
  required: 24,
  values: 400,
};
const BRIEF: Detail = { ...FULL, tool: 300, argument: 100, nested: 0, examples: false };

/**
 * From everything to the least. Descriptions go first, then examples, then what is deep inside and lists
 * of values, first where it is optional. The last one is taken even where it is too large.
 *
 * Source: docs/tools.md, "Budgets".
 */
const DETAIL_LEVELS: readonly Detail[] = [
  FULL,
  { ...FULL, tool: 600, argument: 200, nested: 120 },
  { ...BRIEF, optional: 5, required: 16, values: 100 },
  { ...BRIEF, optional: 3, required: 12, values: 60 },
  { ...BRIEF, optional: 1, required: 4, values: 20, tool: 200, argument: 80 },
  { ...BRIEF, optional: 0, required: 3, values: 20, tool: 200, argument: 80 },
  { ...BRIEF, optional: -1, required: 1, values: 12, tool: 160, argument: 0 },
];
export const LAST_LEVEL = DETAIL_LEVELS.length - 1;

/** @param level - 0 is in full, `LAST_LEVEL` the least */
export const detailAt = (level: number): Detail => {
  const detail = DETAIL_LEVELS[level];
  if (!detail) throw new Error(`there is no level ${level} of detail`);
  return detail;
};
