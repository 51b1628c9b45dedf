import { isoTime } from '../../platform/rules/time.ts';
import { namedCredentials } from '../../credentials/rules/deployment-credential.ts';
import { accessWarnings } from '../../deployments/rules/access/allow-list.ts';
import type { CredentialRefusals } from '../../activity/rules/credential-refusals.ts';
import { type Deployment, SHOWN_STATUSES } from '../../deployments/rules/deployment.ts';
import { ACCESS_MODES } from '../../deployments/rules/access/access-policy.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { MCP_AUTH_METHODS } from '../../deployments/rules/auth-methods.ts';
import {
  PUBLICATION_SETTINGS,
  SERVING_SETTINGS,
  settingsOf,
  settingValues,
} from '../../deployments/rules/settings.ts';
import {
  OperationChoice,
  PublicationSettings,
  ToolOverride,
} from '../../deployments/rules/publication.ts';
import { JwtIssuer } from '../../tokens/rules/jwt.ts';
import { networkWarnings } from '../rules/networks.ts';
import type { Refreshed } from '../../deployments/rules/versions.ts';
import type { LimitsSettings } from '../../limits/ports.ts';
import type { PlatformSettings } from '../../platform/ports.ts';
import type { TargetSettings } from '../../target/ports.ts';
import { routerAddresses } from '../../platform/rules/addresses.ts';
import {
  type BodyOf,
  shownMembers,
  shownOf,
  snakeMembers,
  toWire,
} from '../../platform/rules/shape.ts';
import type { ToolsDiff } from '../rules/differences/tools-diff.ts';
import * as z from 'zod';
import { answerBudget } from '../../api/answer.ts';

export const Warning = z.object({
  where: z.string().meta({ description: 'A JSON pointer into the description; empty: all of it.' }),
  what: z.string(),
  hint: z.string(),
});

/** Source: docs/decisions/accounts.md, "Opening to everybody". */
export const Exposures = z
  .array(Warning.extend({ where: z.string().meta({ description: 'The setting that opens it.' }) }))
  .meta({
    description:
      'What people whom you cannot know could do then and cannot now: for a person to confirm first. Empty: nothing.',
  });

const Strings = z.array(z.string());

const ShownOverride = z.object({
  ...shownMembers(ToolOverride.shape),
  arguments: z.record(z.string(), z.looseObject({})).optional(),
});

const servingSettings = snakeMembers(settingValues(SERVING_SETTINGS));
const publicationSettings = snakeMembers(settingValues(PUBLICATION_SETTINGS));

export const CredentialRefused = z
  .object({
    since: z.iso.datetime(),
    calls: z.int(),
    status: z.int().meta({ description: 'HTTP status of the last one.' }),
  })
  .meta({
    description:
      'That the API refuses the credential: what it answered last to calls that carried it was 401 or 403. ' +
      'Absent where it took the last one, or nothing was called within a week.',
  });

export const credentialRefusedBody = (
  refusals: CredentialRefusals | undefined,
): z.input<typeof CredentialRefused> | undefined =>
  refusals && {
    since: isoTime(refusals.since),
    calls: refusals.calls,
    status: refusals.status,
  };

export const ListedDeployment = z.object({
  slug: z.string(),
  name: z.string(),
  status: z.enum(SHOWN_STATUSES),
  mcp_auth_method: z.enum(MCP_AUTH_METHODS),
  mcp_url: z.string(),
  discovery_url: z.string(),
  docs_url: z.string(),
  api_base_url: z.string(),
  network: z
    .string()
    .optional()
    .meta({ description: 'The private network that its API is called in.' }),
  tool_count: z.int().meta({ description: 'Operations, in either mode of tools.' }),
  ...servingSettings,
  ...publicationSettings,
  version: z.int(),
  access: z.object({
    mode: z.enum(ACCESS_MODES),
    emails: Strings.optional(),
    domains: Strings.optional(),
  }),
  allowed_origins: Strings,
  has_credential: z.boolean(),
  managed_by: z.string().optional().meta({
    description:
      'The declaration that it is changed by, and by nothing else; absent: whoever owns it.',
  }),
  credential_refused: CredentialRefused.optional(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

export const FullDeployment = ListedDeployment.extend({
  instructions: z.string().optional(),
  description: z.string().optional(),
  website_url: z.string().optional(),
  openapi_url: z.string().optional(),
  server_variables: z.record(z.string(), z.string()).optional(),
  operations: z.optional(shownOf(OperationChoice)),
  overrides: z.record(z.string(), ShownOverride).optional(),
  overlays: Strings.optional(),
  jwt_issuer: z.optional(shownOf(JwtIssuer)),
  refreshed: z
    .object({
      at: z.iso.datetime(),
      outcome: z.enum(['unchanged', 'published', 'held_back', 'failed']).meta({
        description:
          'Held back: it breaks calls or opens something, and waits for you to publish it.',
      }),
      why: z.string().optional(),
      failing_since: z.iso.datetime().optional(),
    })
    .optional()
    .meta({
      description: 'What came of fetching the description again, where that is switched on.',
    }),
  warnings: z.array(Warning),
});

const Renamed = z.object({ before: z.string(), after: z.string() });

export const Difference = z.object({
  added: Strings,
  removed: Strings,
  renamed: z.array(Renamed).optional().meta({
    description:
      'Tools of other names than before, of the same method and path; they are neither removed nor added. Absent: none.',
  }),
  changed: z
    .array(z.object({ name: z.string(), breaking: z.boolean(), changes: Strings }))
    .meta({ description: 'What breaks callers comes first; changes in words.' }),
  changed_left_out: z.int().optional().meta({
    description: 'How many tools differ as well, of a difference that would be too long.',
  }),
  breaking: z.boolean().meta({ description: 'Whether a call that worked before may fail now.' }),
  moved: z.array(Renamed).optional().meta({
    description:
      'Addresses of the API that all calls went to, and where these calls go now; no tool is told as changed for it. Absent: none.',
  }),
  mode: z
    .object({ before: publicationSettings.tool_mode, after: publicationSettings.tool_mode })
    .optional()
    .meta({ description: 'Set if clients are shown another kind of tools.' }),
});

export const RevisedDeployment = FullDeployment.extend({ tools: Difference });

/** Deployments that are being removed are never shown: `paused` only completes the type. */
export const shownStatus = ({ status }: Deployment) => (status === 'removing' ? 'paused' : status);

export const listedDeployment = (
  { baseUrl, limits }: PlatformSettings & LimitsSettings & TargetSettings,
  deployment: Deployment,
  refusals?: CredentialRefusals,
): BodyOf<typeof ListedDeployment> => {
  const { base, docs, messages } = routerAddresses(baseUrl, deployment.slug);
  return {
    slug: deployment.slug,
    name: deployment.name,
    status: shownStatus(deployment),
    mcp_auth_method: deployment.authMethod,
    mcp_url: messages,
    discovery_url: `${base}/.well-known/mcp-server`,
    docs_url: docs,
    api_base_url: deployment.apiBaseUrl,
    network: deployment.network,
    tool_count: deployment.toolCount,
    ...snakeMembers(settingsOf(SERVING_SETTINGS, deployment, limits)),
    ...snakeMembers(settingsOf(PUBLICATION_SETTINGS, deployment.publication, limits)),
    version: deployment.version,
    access: deployment.access,
    allowed_origins: deployment.allowedOrigins,
    has_credential: namedCredentials(deployment).length > 0,
    managed_by: deployment.managedBy?.by,
    credential_refused: credentialRefusedBody(refusals),
    created_at: isoTime(deployment.createdAt),
    updated_at: isoTime(deployment.updatedAt),
  };
};

export const fullDeployment = (
  settings: PlatformSettings & LimitsSettings & TargetSettings,
  deployment: Deployment,
  warnings: readonly Finding[],
  refusals?: CredentialRefusals,
): BodyOf<typeof FullDeployment> => {
  const { sourceUrl, serverVariables, operations, overlays, overrides } = deployment.publication;
  return {
    ...listedDeployment(settings, deployment, refusals),
    instructions: deployment.instructions,
    description: deployment.description,
    website_url: deployment.websiteUrl,
    openapi_url: sourceUrl,
    server_variables: serverVariables,
    operations,
    overlays,
    jwt_issuer: deployment.jwtIssuer && toWire(JwtIssuer, deployment.jwtIssuer),
    overrides: overrides && toWire(PublicationSettings.shape.overrides, overrides),
    warnings: [
      ...warnings,
      ...accessWarnings(deployment.access),
      ...refreshWarnings(deployment),
      ...networkWarnings(settings.networks, deployment),
    ],
  };
};

const refreshWarnings = ({
  refresh,
  publication: { sourceUrl },
}: Pick<Deployment, 'publication' | 'refresh'>): readonly Finding[] =>
  refresh === 'off' || sourceUrl !== undefined
    ? []
    : [
        {
          where: '/refresh',
          what: 'the description was sent, so that there is no address to fetch it from again',
          hint: 'Publish it by its address (`openapi_url`), or switch this off.',
        },
      ];

/** @param refreshed - undefined if refreshing is off, or there was no refresh yet */
export const refreshedBody = (refreshed: Refreshed | undefined) =>
  refreshed && {
    refreshed: {
      at: isoTime(refreshed.at),
      outcome: refreshed.outcome,
      why: refreshed.why,
      failing_since:
        refreshed.failingSince === undefined ? undefined : isoTime(refreshed.failingSince),
    },
  };

/** Bytes of the answer for changed tools; names of added and removed ones come on top. */
const MOST_CHANGES = 1_000_000;

/** Breaking changes first, so that the limit cuts harmless ones. */
export const differenceBody = ({
  changed,
  renamed,
  moved,
  ...rest
}: ToolsDiff): BodyOf<typeof Difference> => {
  const isBreaking = Object.groupBy(changed, ({ breaking }) => (breaking ? 'first' : 'then'));
  const all = [...(isBreaking.first ?? []), ...(isBreaking.then ?? [])];
  const shown = answerBudget(MOST_CHANGES).fitting(all, (one) => one);
  const left = changed.length - shown.length;
  return {
    ...rest,
    ...(renamed && { renamed: [...renamed] }),
    ...(moved && { moved: [...moved] }),
    changed: shown,
    ...(left > 0 && { changed_left_out: left }),
  };
};
