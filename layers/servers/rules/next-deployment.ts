import type { AccessPolicy } from './access/access-policy.ts';
import type { McpAuthMethod } from './auth-methods.ts';
import type { JwtIssuer } from '../../tokens/rules/jwt/jwt-issuer.ts';
import type { Plan } from '../../limits/rules/plan.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { ToolIndex } from '../../openapi/tool-index.ts';
import type { ApiTexts } from '../../openapi/api-texts.ts';
import type { Deployment } from './deployment.ts';
import type { PublicationSettings } from './publication.ts';
import { sourceHash } from './source-hash.ts';
import { initialSettings, SERVING_SETTINGS, type SettingChanges } from './settings.ts';

/** What an owner may choose of a deployment besides its description; what is absent stays as it is. */
export interface DeploymentChoices extends SettingChanges<typeof SERVING_SETTINGS> {
  readonly name?: string | undefined;
  /** Null takes it away, here and in the next two. */
  readonly instructions?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly websiteUrl?: string | null | undefined;
  readonly authMethod?: McpAuthMethod | undefined;
  readonly ownerPlan?: Plan | undefined;
  readonly ownerUsage?: string | undefined;
  readonly access?: AccessPolicy | undefined;
  readonly jwtIssuer?: JwtIssuer | undefined;
  readonly allowedOrigins?: readonly string[] | undefined;
}

const OWNER_ONLY: AccessPolicy = { mode: 'owner' };

/** Versions that can be returned to; older ones are removed. */
const MAX_HISTORY = 20;

/** Whose deployment it is, and where. */
export type NewDeployment = Pick<Deployment, 'id' | 'slug' | 'ownerId'> & {
  readonly title: string;
};

/** A deployment that there was not, before its first version. */
export const newDeployment = (
  { title, ...identity }: NewDeployment,
  choices: DeploymentChoices,
  now: EpochSeconds,
): Deployment =>
  withChoices(
    {
      ...identity,
      ownerPlan: 'free',
      name: title || identity.slug,
      status: 'active',
      authMethod: 'oauth',
      access: OWNER_ONLY,
      allowedOrigins: [],
      ...initialSettings(SERVING_SETTINGS),
      apiBaseUrl: '',
      version: 0,
      history: [],
      publication: {},
      toolCount: 0,
      sourceHash: '',
      createdAt: now,
      updatedAt: now,
      revision: 0,
    },
    choices,
  );

/** With other choices. */
export const withChoices = (deployment: Deployment, choices: DeploymentChoices): Deployment => {
  const given = Object.entries(choices).filter(([, value]) => value !== undefined);
  const chosen = { ...deployment, ...Object.fromEntries(given) };
  const { instructions, description, websiteUrl, ...others } = chosen;
  const said = Object.entries({ instructions, description, websiteUrl });
  return {
    ...others,
    ...Object.fromEntries(said.filter(([, value]) => value !== undefined && value !== null)),
  };
};

/** What a description makes of a deployment. */
export interface Compiled {
  readonly text: string;
  readonly index: ToolIndex;
  readonly apiBaseUrl: string;
  readonly publication: PublicationSettings;
  readonly apiTexts?: ApiTexts;
}

/** As it will be once this version of its description is stored; whichever number that gets. */
export const withDescription = (deployment: Deployment, compiled: Compiled): Deployment => {
  const { text, index, apiBaseUrl, publication, apiTexts } = compiled;
  const { apiTexts: _, ...others } = deployment;
  return {
    ...others,
    ...(apiTexts && { apiTexts }),
    apiBaseUrl,
    publication,
    toolCount: index.tools.length,
    sourceHash: sourceHash(text, index),
  };
};

/** Served in this version from now on. */
export const atVersion = (deployment: Deployment, version: number): Deployment => {
  const { history } = deployment;
  return {
    ...deployment,
    version,
    history: history.includes(version) ? history : [...history, version].slice(-MAX_HISTORY),
  };
};

/** The next number that no version of it has, as far as is known. */
export const nextVersion = ({ version, history }: Deployment): number =>
  Math.max(version, ...history) + 1;

/** One change further. */
export const revised = (deployment: Deployment, now: EpochSeconds): Deployment => ({
  ...deployment,
  updatedAt: now,
  revision: deployment.revision + 1,
});
