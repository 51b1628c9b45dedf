import type { ApiPorts } from '../ports.ts';
import type { User } from '../../accounts/rules/user.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';

export interface OwnersChange {
  readonly slug: string;
  /** What it was before; read if it was not yet looked at. */
  readonly before?: Deployment | undefined;
  /** Of the management API, by its operationId. */
  readonly operation: string;
  /** Names of what was sent, never a value. */
  readonly members: readonly string[];
}

const MOST_MEMBERS = 20;

/**
 * Puts on a deployment's time line that its owner has changed something of it.
 *
 * Source: docs/decisions/management.md, "Who changed what".
 */
export const recordChange = async (
  { deploymentEditor, events }: Pick<ApiPorts, 'deploymentEditor' | 'events'>,
  { id: subject }: User,
  { slug, before, operation, members }: OwnersChange,
): Promise<void> => {
  // What was done is done: that it cannot be put on record must not make a failure of it. The log has the request.
  const deployment = before ?? (await deploymentEditor.read(slug).catch(() => undefined));
  if (deployment?.ownerId !== subject || deployment.status === 'removing') return;
  events.record({
    type: 'change',
    deploymentId: deployment.id,
    slug,
    subject,
    operation,
    ...(members.length > 0 && { members: members.slice(0, MOST_MEMBERS).join(', ') }),
  });
};
