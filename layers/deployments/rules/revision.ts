import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { Deployment } from './deployment.ts';

/**
 * Names one state of one deployment, for `ETag` and `If-Match`. Its id is a part of it: whoever removes a deployment can
 * make another one under the same slug, which counts its revisions anew.
 */
export const revisionTag = ({ id, revision }: Pick<Deployment, 'id' | 'revision'>): string =>
  `${revision}-${id.slice(0, ID_CHARACTERS)}`;

const ID_CHARACTERS = 8;

/** The tags of what a change may be made to; without it: whatever there is. */
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
