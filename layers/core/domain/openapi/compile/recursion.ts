import { type LinkedSchema, partsOf } from './linked-schema.ts';
import type { Schemas } from './schemas.ts';

/**
 * Whether a component contains itself, directly or through others. Each component is looked at once,
 * without recursion of our own: chains of references can be long.
 *
 * Source: R. Tarjan, "Depth-first search and linear graph algorithms", 1972.
 */
export const recursionOf = (schemas: Pick<Schemas, 'component'>): ((ref: string) => boolean) => {
  const recursive = new Set<string>();
  const visits = new Map<string, Visit>();
  const stack: Visit[] = [];

  const enter = (ref: string): Visit => {
    const order = visits.size;
    const next = [...usesIn([schemas.component(ref)]).keys()];
    const visit = { ref, order, lowest: order, open: true, next };
    visits.set(ref, visit);
    stack.push(visit);
    return visit;
  };

  const leave = (visit: Visit): void => {
    if (visit.lowest < visit.order) return;
    const group = stack.splice(stack.lastIndexOf(visit));
    for (const member of group) {
      member.open = false;
      if (group.length > 1) recursive.add(member.ref);
    }
  };

  const walk = (start: string): void => {
    const path = [enter(start)];
    for (let visit = path.at(-1); visit; visit = path.at(-1)) {
      const ref = visit.next.pop();
      if (ref === undefined) {
        path.pop();
        leave(visit);
        const above = path.at(-1);
        if (above) above.lowest = Math.min(above.lowest, visit.lowest);
        continue;
      }
      if (ref === visit.ref) recursive.add(ref);
      const met = visits.get(ref);
      if (!met) path.push(enter(ref));
      else if (met.open) visit.lowest = Math.min(visit.lowest, met.order);
    }
  };

  return (ref) => {
    if (!visits.has(ref)) walk(ref);
    return recursive.has(ref);
  };
};

interface Visit {
  readonly ref: string;
  readonly order: number;
  /** The earliest visit on the stack that is known to be reachable. */
  lowest: number;
  open: boolean;
  readonly next: string[];
}

/**
 * Counts how often each component is used, all components counted that some schemas need. Each component
 * is looked through once, however many ask.
 */
export const usesFinder = (
  schemas: Pick<Schemas, 'component'>,
): ((roots: readonly LinkedSchema[]) => ReadonlyMap<string, number>) => {
  const known = new Map<string, ReadonlyMap<string, number>>();
  const usesInComponent = (ref: string): ReadonlyMap<string, number> => {
    const found = known.get(ref) ?? usesIn([schemas.component(ref)]);
    known.set(ref, found);
    return found;
  };
  return (roots) => {
    const uses = new Map<string, number>();
    const open = [usesIn(roots)];
    for (let next = open.pop(); next; next = open.pop()) {
      for (const [ref, count] of next) {
        const before = uses.get(ref);
        if (before === undefined) open.push(usesInComponent(ref));
        uses.set(ref, (before ?? 0) + count);
      }
    }
    return uses;
  };
};

/** How often these schemas refer to each component, directly. */
const usesIn = (schemas: readonly LinkedSchema[]): ReadonlyMap<string, number> => {
  const uses = new Map<string, number>();
  const seen = new Set<LinkedSchema>();
  const open = [...schemas];
  for (let part = open.pop(); part; part = open.pop()) {
    if (part.ref !== undefined) uses.set(part.ref, (uses.get(part.ref) ?? 0) + 1);
    const inside = seen.has(part) ? [] : partsOf(part);
    seen.add(part);
    for (const one of inside) open.push(one);
  }
  return uses;
};

/**
 * Whether a component leads to another, or back to itself, without a property in between that may be
 * left out: whoever writes the one has to write the other.
 */
export const inevitability = (
  schemas: Pick<Schemas, 'component'>,
): ((from: string, to: string) => boolean) => {
  const known = new Map<string, ReadonlySet<string>>();
  const next = (ref: string): ReadonlySet<string> => {
    const refs = known.get(ref) ?? inevitableIn(schemas.component(ref));
    known.set(ref, refs);
    return refs;
  };
  return (from, to) => {
    const seen = new Set<string>();
    const open = [from];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const ref of next(at)) {
        if (ref === to) return true;
        if (!seen.has(ref)) open.push(ref);
        seen.add(ref);
      }
    }
    return false;
  };
};

const inevitableIn = (schema: LinkedSchema): ReadonlySet<string> => {
  const refs = new Set<string>();
  const seen = new Set<LinkedSchema>();
  const open = [schema];
  for (let part = open.pop(); part; part = open.pop()) {
    if (part.ref !== undefined) refs.add(part.ref);
    if (seen.has(part)) continue;
    seen.add(part);
    const { properties = [], keywords, ...others } = part;
    const names = new Set(Array.isArray(keywords['required']) ? keywords['required'] : []);
    const needed = properties.filter(({ name }) => names.has(name));
    for (const one of partsOf({ ...others, keywords, properties: needed })) open.push(one);
  }
  return refs;
};
