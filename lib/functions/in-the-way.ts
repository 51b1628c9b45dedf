import { type FunctionName, functions } from '../../lambdas/manifest.ts';

/** Functions that a request waits for: a fault of one of these is a fault of the service. */
export const inTheWay = (Object.keys(functions) as FunctionName[]).filter(
  (name) => functions[name].routes.length > 0 || name === 'credentials' || name === 'connections',
);
