/** Names that lead in circles, in one walk. Source: Tarjan, "Depth-first search and linear graph algorithms". */
export const circular = (next: ReadonlyMap<string, ReadonlySet<unknown>>): readonly string[] => {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: { readonly name: string; readonly further: Iterator<unknown> }[] = [];
  const open: string[] = [];
  const inCircle = new Set<string>();
  const enter = (name: string): void => {
    order.set(name, order.size);
    lowest.set(name, order.size - 1);
    open.push(name);
    path.push({ name, further: (next.get(name) ?? new Set()).values() });
  };
  const leave = (name: string): void => {
    path.pop();
    const low = lowest.get(name) ?? 0;
    const above = path.at(-1)?.name;
    if (above !== undefined) lowest.set(above, Math.min(lowest.get(above) ?? low, low));
    if (low !== order.get(name)) return;
    const group = open.splice(open.lastIndexOf(name));
    const isCircle = group.length > 1 || next.get(name)?.has(name) === true;
    for (const one of group) {
      lowest.set(one, Infinity);
      if (isCircle) inCircle.add(one);
    }
  };

  for (const start of next.keys()) {
    if (order.has(start)) continue;
    enter(start);
    for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
      const { done, value } = at.further.next();
      const to = String(value);
      if (done) leave(at.name);
      else if (!next.has(to)) continue;
      else if (!order.has(to)) enter(to);
      else lowest.set(at.name, Math.min(lowest.get(at.name) ?? 0, lowest.get(to) ?? 0));
    }
  }
  return [...next.keys()].filter((name) => inCircle.has(name));
};
