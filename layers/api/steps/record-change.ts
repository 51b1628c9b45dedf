import type { ApiPorts } from '../ports.ts';
import type { User } from '../../accounts/rules/user.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';

export interface OwnersChange {
  readonly slug: string;
  /** The deployment before the change, if it was read already. */
  readonly before?: Deployment | undefined;
  /** `operationId` in the management API. */
  readonly operation: string;
  /** Names of the sent members, never a value. */
  readonly members: readonly string[];
}

const MOST_MEMBERS = 20;

/** Adds an owner's change to the deployment's time line. Source: docs/decisions/management.md, "Who changed what". */
export const recordChange = async (
  { deploymentEditor, events }: Pick<ApiPorts, 'deploymentEditor' | 'events'>,
  { id: subject }: User,
  { slug, before, operation, members }: OwnersChange,
): Promise<void> => {
  // A failing read must not fail a change that was carried out; the log has the request.
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
