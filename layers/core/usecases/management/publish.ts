import type { AccessPolicy, Deployment, McpAuthMethod } from '../../domain/deployment.ts';
import {
  checkSlug,
  slugFromTitle,
  slugWithEnding,
  sourceHash,
} from '../../domain/deployments/index.ts';
import type { JwtIssuer } from '../../domain/jwt-issuer.ts';
import type { Plan } from '../../domain/plan.ts';
import { ApiRefusal, type Finding } from '../../domain/refusal.ts';
import type { Ports } from '../../ports.ts';
import {
  compileDescription,
  type CompileDescriptionPorts,
  type CompiledDescription,
  type DescriptionSource,
} from './compile-description.ts';

export type PublishPorts = CompileDescriptionPorts &
  Pick<Ports, 'clock' | 'mint' | 'deploymentEditor' | 'versions'>;

export interface Publication extends DescriptionSource {
  readonly ownerId: string;
  /** Made from the description's title when omitted. */
  readonly slug?: string | undefined;
  readonly name?: string | undefined;
  readonly authMethod: McpAuthMethod;
  /** These four stay as they are when omitted; at first: `free`, the owner alone, no issuer, any origin. */
  readonly ownerPlan?: Plan | undefined;
  readonly access?: AccessPolicy | undefined;
  readonly jwtIssuer?: JwtIssuer | undefined;
  readonly allowedOrigins?: readonly string[] | undefined;
}

export interface Published {
  readonly deployment: Deployment;
  readonly created: boolean;
  /** False if exactly this was served already. */
  readonly changed: boolean;
  readonly warnings: readonly Finding[];
}

const ATTEMPTS = 8;
const OWNER_ONLY: AccessPolicy = { mode: 'owner' };

/**
 * Publishes a description under a slug: the first time a new deployment, later a new version of it,
 * swapped in whole. Content is stored before the deployment points to it, so a crash in between
 * leaves the old version served and the next try succeeds.
 *
 * @throws ApiRefusal if the description or the slug cannot be used; nothing is changed then
 */
export const publish = async (ports: PublishPorts, wanted: Publication): Promise<Published> => {
  if (wanted.slug !== undefined) checkSlug(wanted.slug);
  const compiled = await compileDescription(ports, wanted);

  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const published = await publishOnce(ports, wanted, compiled);
    if (published) return published;
  }
  throw new ApiRefusal('conflict', 'Somebody else keeps changing this deployment; try again.');
};

/** @returns undefined if another publication came first and this one should look again */
const publishOnce = async (
  ports: PublishPorts,
  wanted: Publication,
  compiled: CompiledDescription,
): Promise<Published | undefined> => {
  const { deploymentEditor } = ports;
  const { slug, existing } = await place(ports, wanted, compiled);
  const warnings = compiled.warnings;
  const next = nextState(ports, wanted, compiled, slug, existing);

  if (existing && sameState(existing, next)) {
    return { deployment: existing, created: false, changed: false, warnings };
  }

  const version = await storeContent(ports, next, compiled);
  const deployment = { ...next, version };
  const written = existing
    ? await deploymentEditor.replace(deployment)
    : await deploymentEditor.create(deployment);
  if (!written) return undefined;
  return { deployment, created: existing === undefined, changed: true, warnings };
};

/** Where this publication goes: the owner's own deployment, or a slug that is free. */
const place = async (
  { deploymentEditor, mint }: PublishPorts,
  wanted: Publication,
  compiled: CompiledDescription,
): Promise<{ slug: string; existing: Deployment | undefined }> => {
  const slug = wanted.slug ?? slugFromTitle(compiled.title);
  const existing = await deploymentEditor.read(slug);
  if (existing === undefined || existing.ownerId === wanted.ownerId) return { slug, existing };
  if (wanted.slug === undefined) {
    return { slug: slugWithEnding(slug, mint.id().slice(0, 8)), existing: undefined };
  }
  throw new ApiRefusal('slug_taken', `The slug "${slug}" is taken.`, [
    { where: '/slug', what: 'taken', mend: 'Choose another slug.' },
  ]);
};

const nextState = (
  { clock, mint }: PublishPorts,
  wanted: Publication,
  compiled: CompiledDescription,
  slug: string,
  existing: Deployment | undefined,
): Deployment => {
  const now = clock.now();
  const jwtIssuer = wanted.jwtIssuer ?? existing?.jwtIssuer;
  return {
    id: existing?.id ?? mint.id(),
    slug,
    ownerId: wanted.ownerId,
    ownerPlan: wanted.ownerPlan ?? existing?.ownerPlan ?? 'free',
    name: wanted.name ?? existing?.name ?? (compiled.title || slug),
    status: existing?.status ?? 'active',
    authMethod: wanted.authMethod,
    access: wanted.access ?? existing?.access ?? OWNER_ONLY,
    ...(jwtIssuer && { jwtIssuer }),
    ...(existing?.credential && { credential: existing.credential }),
    allowedOrigins: wanted.allowedOrigins ?? existing?.allowedOrigins ?? [],
    apiBaseUrl: compiled.apiBaseUrl,
    version: (existing?.version ?? 0) + 1,
    toolCount: compiled.index.tools.length,
    sourceHash: sourceHash(compiled.text, compiled.index),
    createdAt: existing?.createdAt ?? now,
    updatedAt: now,
    revision: (existing?.revision ?? 0) + 1,
  };
};

const sameState = (existing: Deployment, next: Deployment): boolean =>
  statement(existing) === statement(next);

/** What a publication decides. A stored list or record reads back in the order it was written in. */
const statement = (deployment: Deployment): string => {
  const { sourceHash, name, authMethod, apiBaseUrl, ownerPlan, access, allowedOrigins } =
    deployment;
  const { issuer, jwksUri, audience, algorithms } = deployment.jwtIssuer ?? {};
  return JSON.stringify([
    [sourceHash, name, authMethod, apiBaseUrl, ownerPlan, allowedOrigins],
    access.mode === 'allow_list' ? [access.emails, access.domains] : access.mode,
    [issuer, jwksUri, audience, algorithms],
  ]);
};

/** Stores under the first free number: a try that crashed may have left content behind. */
const storeContent = async (
  { versions }: PublishPorts,
  deployment: Deployment,
  compiled: CompiledDescription,
): Promise<number> => {
  for (let version = deployment.version; ; version += 1) {
    const stored = await versions.put({
      deploymentId: deployment.id,
      version,
      index: compiled.index,
      description: compiled.text,
      inline: compiled.inline,
    });
    if (stored) return version;
  }
};
