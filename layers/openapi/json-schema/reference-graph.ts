export type ReferencesOf = (ref: string) => Iterable<string>;

/**
 * Detects references that lead back to themselves, each visited once. Without recursion: chains can be long.
 * Source: R. Tarjan, "Depth-first search and linear graph algorithms", 1972.
 */
export const cycleFinder = (referencesOf: ReferencesOf): ((ref: string) => boolean) => {
  const cyclic = new Set<string>();
  const visits = new Map<string, Visit>();
  const stack: Visit[] = [];

  const enter = (ref: string): Visit => {
    const order = visits.size;
    const visit = { ref, order, lowest: order, isOpen: true, next: [...referencesOf(ref)] };
    visits.set(ref, visit);
    stack.push(visit);
    return visit;
  };

  const leave = (visit: Visit): void => {
    if (visit.lowest < visit.order) return;
    const group = stack.splice(stack.lastIndexOf(visit));
    for (const member of group) {
      member.isOpen = false;
      if (group.length > 1) cyclic.add(member.ref);
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
      if (ref === visit.ref) cyclic.add(ref);
      const met = visits.get(ref);
      if (!met) path.push(enter(ref));
      else if (met.isOpen) visit.lowest = Math.min(visit.lowest, met.order);
    }
  };

  return (ref) => {
    if (!visits.has(ref)) walk(ref);
    return cyclic.has(ref);
  };
};

interface Visit {
  readonly ref: string;
  readonly order: number;
  /** Earliest visit on the stack known to be reachable (Tarjan's low-link). */
  lowest: number;
  isOpen: boolean;
  readonly next: string[];
}

export const pathFinder = (referencesOf: ReferencesOf): ((from: string, to: string) => boolean) => {
  const known = new Map<string, readonly string[]>();
  const next = (ref: string): readonly string[] => {
    const refs = known.get(ref) ?? [...referencesOf(ref)];
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
