import { isDeepStrictEqual } from 'node:util';
import type { Deployment } from './deployment.ts';

/** Whether a change changes anything: all but what counts changes is alike. */
export const isSameDeployment = (one: Deployment, other: Deployment): boolean =>
  isDeepStrictEqual(statement(one), statement(other));

/** What merely counts changes says nothing. */
const statement = (deployment: Deployment) => ({
  ...deployment,
  version: 0,
  history: [],
  updatedAt: 0,
  revision: 0,
});
