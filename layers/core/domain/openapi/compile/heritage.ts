import type { Json } from '../document.ts';
import type { Heir } from './heirs.ts';
import type { LinkedSchema } from './linked-schema.ts';
import { listed } from './texts.ts';

/** What a schema may be, for others are built on it. */
export interface Heritage {
  readonly anyOf: readonly LinkedSchema[];
  readonly notes: readonly string[];
}

export const NO_HEIRS: Heritage = { anyOf: [], notes: [] };

/** With more heirs they are only told to exist. */
const MOST_HEIRS = 20;

const NO_KIND: LinkedSchema = { description: 'None of these.', keywords: { type: 'object' } };

export const heritage = (
  heirs: readonly Heir[],
  linked: (schema: Json) => LinkedSchema,
): Heritage => {
  if (heirs.length === 0) return NO_HEIRS;
  if (heirs.length > MOST_HEIRS) {
    const names = heirs.map(({ name }) => name);
    const note = `May have the fields of one of its kinds: ${listed(names, MOST_HEIRS)}.`;
    return { anyOf: [], notes: [note] };
  }
  const kinds = heirs.map(({ name, schema }) => ({ description: name, ...linked(schema) }));
  // Unless the description names the values of all kinds, the schema itself may be one.
  const isComplete = heirs.every(({ isNamed }) => isNamed);
  return { anyOf: [...kinds, ...(isComplete ? [] : [NO_KIND])], notes: [] };
};
