import type { Finding } from '../failure.ts';
import { otherPlaces } from './words.ts';

/** Violations that the service noticed, too, are dropped; those of one kind become one warning. */
export const descriptionWarnings = (
  noticed: readonly Finding[],
  violations: readonly Finding[],
): readonly Finding[] => {
  const told = violations.filter((one) => !isToldIn(noticed, one));
  const faults = told.flatMap(({ where, what }) =>
    what.split('; ').map((text) => ({ where, ...kindOf(text) })),
  );
  const kinds = [...Map.groupBy(faults, ({ kind }) => kind)].map(([kind, all]) => ({
    where: otherPlaces(all[0]?.where ?? '', new Set(all.map(({ where }) => where)).size - 1),
    what: kind + namesText(all.flatMap(({ name }) => name ?? [])),
    hint: 'It violates the OpenAPI specification; --strict refuses it.',
  }));
  return [...noticed, ...kinds];
};

/** Service and check both find references that lead nowhere, and a title or version that is no text. */
const isToldIn = (noticed: readonly Finding[], { where, what }: Finding): boolean => {
  if (where.startsWith('/info/') && noticed.some((one) => one.where === where)) return true;
  const [reference] = /"#[^"]*"/.exec(what) ?? [];
  return reference !== undefined && noticed.some((one) => one.what.includes(reference));
};

/** `must NOT have additional properties (colour)`: kind and name. */
const kindOf = (text: string): { readonly kind: string; readonly name?: string } => {
  const at = text.endsWith(')') ? text.lastIndexOf(' (') : -1;
  return at === -1 ? { kind: text } : { kind: text.slice(0, at), name: text.slice(at + 2, -1) };
};

const NAMED = 3;

const namesText = (all: readonly string[]): string => {
  const names = [...new Set(all)];
  if (names.length === 0) return '';
  const more = names.length - NAMED;
  return ` (${names.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''})`;
};
