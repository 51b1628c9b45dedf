import { type FunctionName, functions } from '../../lambdas/manifest.ts';

/** Functions that those with routes invoke synchronously. */
const WAITED_FOR: ReadonlySet<FunctionName> = new Set(['credentials', 'connections', 'identity']);

/** Functions that a request waits for: a fault of one of these is a fault of the service. */
export const inTheWay = (Object.keys(functions) as FunctionName[]).filter(
  (name) => functions[name].routes.length > 0 || WAITED_FOR.has(name),
);
