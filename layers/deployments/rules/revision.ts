import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { Deployment } from './deployment.ts';

/** Entity tag. Includes the id: a removed deployment's slug can be reused, and its revisions start anew. */
export const revisionTag = ({ id, revision }: Pick<Deployment, 'id' | 'revision'>): string =>
  `${revision}-${id.slice(0, ID_CHARACTERS)}`;

const ID_CHARACTERS = 8;

/** Entity tags of `If-Match`; undefined: the change applies to any revision. */
export type Revisions = readonly string[] | undefined;

/** @throws ApiRefusal stale. Source: RFC 9110 §13.1.1. */
export const checkRevision = (
  deployment: Deployment,
  revisions: Revisions,
  description = 'The deployment was changed in the meantime: read it again.',
): void => {
  if (!revisions || revisions.includes(revisionTag(deployment))) return;
  throw new ApiRefusal('stale', description);
};
