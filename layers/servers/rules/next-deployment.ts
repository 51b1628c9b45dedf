import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ToolIndex } from '../../openapi/tool-index.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { AccessPolicy } from '../../deployments/rules/access/access-policy.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';
import {
  initialSettings,
  SERVING_SETTINGS,
  type SettingChanges,
} from '../../deployments/rules/settings.ts';

type Chosen = 'access' | 'allowedOrigins' | 'authMethod' | 'name' | 'ownerPlan' | 'ownerUsage';
const REMOVABLE = [
  ...(['description', 'instructions', 'jwtIssuer'] as const),
  ...(['managedBy', 'network', 'websiteUrl'] as const),
];
type Removable = (typeof REMOVABLE)[number];

/** Settings of a deployment that owners choose; absent ones stay. */
export type DeploymentChoices = SettingChanges<typeof SERVING_SETTINGS> & {
  readonly [Name in Chosen]?: Deployment[Name] | undefined;
} & {
  readonly [Name in Removable]?: Deployment[Name] | null | undefined;
};

const OWNER_ONLY: AccessPolicy = { mode: 'owner' };

const UNCHOSEN = {
  authMethod: 'oauth',
  access: OWNER_ONLY,
  allowedOrigins: [],
  ...initialSettings(SERVING_SETTINGS),
} as const;

/** Versions that can be restored; older ones are removed. */
const MAX_HISTORY = 20;

export type NewDeployment = Pick<Deployment, 'id' | 'slug' | 'ownerId'> & {
  readonly title: string;
};

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
      ...UNCHOSEN,
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

export const withChoices = (deployment: Deployment, choices: DeploymentChoices): Deployment => {
  const given = Object.entries(choices).filter(([, value]) => value !== undefined);
  const chosen = { ...deployment, ...Object.fromEntries(given) };
  const removed = REMOVABLE.filter((name) => (chosen[name] ?? null) === null);
  return without(chosen, removed);
};

/** Resets an owner's choices, except for the name, to their defaults. `publication` and `managedBy` stay. */
export const withoutChoices = (deployment: Deployment): Deployment => ({
  ...without(deployment, [
    ...REMOVABLE.filter((name) => name !== 'managedBy'),
    ...Object.keys(SERVING_SETTINGS),
  ]),
  ...UNCHOSEN,
});

const without = (deployment: object, names: readonly string[]): Deployment =>
  Object.fromEntries(
    Object.entries(deployment).filter(([name]) => !names.includes(name)),
  ) as Deployment;

export type Compiled = Pick<Deployment, 'apiBaseUrl' | 'apiTexts' | 'publication'> & {
  readonly text: string;
  readonly index: ToolIndex;
};

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

export const atVersion = (deployment: Deployment, version: number): Deployment => {
  const { history } = deployment;
  return {
    ...deployment,
    version,
    history: history.includes(version) ? history : [...history, version].slice(-MAX_HISTORY),
  };
};

/** Above all known numbers, so that none is reused. */
export const nextVersion = ({ version, history }: Deployment): number =>
  Math.max(version, ...history) + 1;

export const revised = (deployment: Deployment, now: EpochSeconds): Deployment => ({
  ...deployment,
  updatedAt: now,
  revision: deployment.revision + 1,
});

/** Whether a change has no effect. Ignored: version, history, updatedAt, revision. */
export const isSameDeployment = (one: Deployment, other: Deployment): boolean =>
  isDeepStrictEqual(withoutCounts(one), withoutCounts(other));

const withoutCounts = (deployment: Deployment) => ({
  ...deployment,
  version: 0,
  history: [],
  updatedAt: 0,
  revision: 0,
});

/** SHA-256 (hex) of a version's inputs: the description and its compiled tools. */
const sourceHash = (description: string, index: ToolIndex): string =>
  createHash('sha256').update(description).update('\0').update(JSON.stringify(index)).digest('hex');
