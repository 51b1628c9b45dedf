import type { Permission } from '../../accounts/rules/permission.ts';
import { namedCredentials } from '../../credentials/rules/deployment-credential.ts';
import type { ContentsPorts } from '../../contents/ports.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';
import type { FetchPermission } from '../../servers/rules/fetch-terms.ts';
import type { Compared } from './plan-declaration.ts';

/** Whether the deployment existed before this declaration managed it. */
export const isAdopted = (before: Deployment | undefined, by: string): boolean =>
  before !== undefined && (before.managedBy?.by !== by || before.managedBy.isAdopted === true);

export type ApplyPermission = FetchPermission & Permission<'managed_removal' | 'removal'>;

/**
 * Checks the right to remove contents and credentials: `managed_removal` for what the declaration wrote, `removal` for
 * what people made by hand, also in a deployment that it took over. Prompts of such a one have no timestamp, so they
 * always need `removal`.
 *
 * @throws ApiRefusal token_not_allowed
 */
export const checkRemovals = async (
  { resources }: Pick<ContentsPorts, 'resources'>,
  may: ApplyPermission,
  before: Deployment | undefined,
  { by, slug }: { readonly by: string; readonly slug: string },
  compared: Compared,
): Promise<void> => {
  const gone = KINDS.flatMap((kind) => goneOf(compared, kind).map((name) => `${kind}.${name}`));
  if (!before || gone.length === 0 || may.allows('removal')) return;
  const written = isAdopted(before, by) ? await writtenSince(resources, before) : gone;
  const isManaged = before.managedBy?.by === by;
  for (const one of gone) {
    may.check(isManaged && written.includes(one) ? 'managed_removal' : 'removal', {
      doing: `remove ${one} of ${slug}, which its declaration has not made`,
      instead: 'Declare it, or have a person apply this once.',
    });
  }
};

/** Credentials and resources written since the declaration took over. */
const writtenSince = async (
  resources: ContentsPorts['resources'],
  deployment: Deployment,
): Promise<readonly string[]> => {
  const since = deployment.managedBy?.at ?? Infinity;
  const written = await writtenAt(resources, deployment);
  return written.filter(([, at]) => at >= since).map(([name]) => name);
};

/** Moment of a takeover, later than all earlier writes: what is written from then on belongs to the declaration. */
export const takenOverAt = async (
  resources: ContentsPorts['resources'],
  before: Deployment,
  now: EpochSeconds,
): Promise<EpochSeconds> =>
  Math.max(now, ...(await writtenAt(resources, before)).map(([, at]) => at + 1));

/** Last writes of credentials and resources. Prompts have no timestamp. */
const writtenAt = async (
  resources: ContentsPorts['resources'],
  deployment: Deployment,
): Promise<readonly (readonly [name: string, at: EpochSeconds])[]> => [
  ...namedCredentials(deployment).map(
    ([name, { setAt }]) => [`credentials.${name}`, setAt] as const,
  ),
  ...(await resources.list(deployment.id)).map(
    ({ name, updatedAt = 0 }) => [`resources.${name}`, updatedAt] as const,
  ),
];

export const KINDS = ['credentials', 'prompts', 'resources'] as const;

export const goneOf = (
  { before, wanted }: Compared,
  kind: (typeof KINDS)[number],
): readonly string[] =>
  Object.keys(before?.[kind] ?? {}).filter((name) => !Object.hasOwn(wanted[kind], name));
