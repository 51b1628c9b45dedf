import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { Deployment } from './deployment.ts';

/** The revisions that a change may be made to; without it: whichever there is. */
export type Revisions = readonly number[] | undefined;

/** @throws ApiRefusal stale. Source: RFC 9110 §13.1.1. */
export const checkRevision = (
  { revision }: Deployment,
  revisions: Revisions,
  description = 'The deployment was changed in the meantime: read it again.',
): void => {
  if (!revisions || revisions.includes(revision)) return;
  throw new ApiRefusal('stale', description);
};
