import { accessWarnings } from '../rules/access/allow-list.ts';
import type { CredentialRefusals } from '../../activity/rules/credential-refusals.ts';
import type { Deployment } from '../rules/deployment.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { MCP_AUTH_METHODS } from '../rules/auth-methods.ts';
import { PUBLICATION_SETTINGS, SERVING_SETTINGS, settingsOf } from '../rules/settings.ts';
import type { PublicationSettings } from '../rules/publication.ts';
import type { Refreshed, Settings } from '../../ports.ts';
import { refreshWarnings } from '../rules/refresh-warnings.ts';
import { routerAddresses } from '../../platform/rules/addresses.ts';
import type { ToolsDiff } from '../rules/differences/tools-diff.ts';
import * as z from 'zod';
import { isoTime } from '../../api/iso-time.ts';
import { answerRoom } from '../../api/room.ts';
import { settingsBody, shownSettings } from './setting-fields.ts';

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

const Hints = z.object({
  read_only_hint: z.boolean().optional(),
  destructive_hint: z.boolean().optional(),
  idempotent_hint: z.boolean().optional(),
  open_world_hint: z.boolean().optional(),
});

const ShownOverride = z.object({
  hidden: z.boolean().optional(),
  name: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  annotations: Hints.optional(),
  keywords: z.array(z.string()).optional(),
  structured_output: z.optional(PUBLICATION_SETTINGS.structuredOutput.value),
  answer_token_budget: z.optional(SERVING_SETTINGS.answerTokenBudget.value),
  answer_fields: z.array(z.string()).optional(),
  argument_checks: z.optional(SERVING_SETTINGS.argumentChecks.value),
  arguments: z.record(z.string(), z.looseObject({})).optional(),
});

const { tool_mode: ToolMode } = shownSettings(PUBLICATION_SETTINGS);

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

export const credentialRefusedBody = ({
  since,
  calls,
  status,
}: CredentialRefusals): z.input<typeof CredentialRefused> => ({
  since: isoTime(since),
  calls,
  status,
});

/** A deployment as lists show it. */
export const ListedDeployment = z.object({
  slug: z.string(),
  name: z.string(),
  status: z.enum(['active', 'paused', 'stopped']),
  mcp_auth_method: z.enum(MCP_AUTH_METHODS),
  mcp_url: z.string(),
  discovery_url: z.string(),
  docs_url: z.string(),
  api_base_url: z.string(),
  tool_count: z.int().meta({ description: 'Operations, in either mode of tools.' }),
  ...shownSettings(SERVING_SETTINGS),
  ...shownSettings(PUBLICATION_SETTINGS),
  version: z.int(),
  access: z.object({
    mode: z.enum(['owner', 'allow_list', 'any_user']),
    emails: Strings.optional(),
    domains: Strings.optional(),
  }),
  allowed_origins: Strings,
  has_credential: z.boolean(),
  credential_refused: CredentialRefused.optional(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** Whole, with what was chosen for the making of its tools, and what was noticed then. */
export const WholeDeployment = ListedDeployment.extend({
  instructions: z.string().optional(),
  description: z.string().optional(),
  website_url: z.string().optional(),
  openapi_url: z.string().optional(),
  server_variables: z.record(z.string(), z.string()).optional(),
  operations: z.object({ include: Strings, exclude: Strings }).optional(),
  overrides: z.record(z.string(), ShownOverride).optional(),
  overlays: Strings.optional(),
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

export const Difference = z.object({
  added: Strings,
  removed: Strings,
  changed: z.array(z.object({ name: z.string(), breaking: z.boolean(), changes: Strings })),
  changed_left_out: z.int().optional().meta({
    description: 'How many tools differ as well, of a difference that would be too long.',
  }),
  breaking: z.boolean().meta({ description: 'Whether a call that worked before may fail now.' }),
  mode: z
    .object({ before: ToolMode, after: ToolMode })
    .optional()
    .meta({ description: 'Set if clients are shown another kind of tools.' }),
});

export const RevisedDeployment = WholeDeployment.extend({ tools: Difference });

export const listedDeployment = (
  { baseUrl, limits }: Settings,
  deployment: Deployment,
  refusals?: CredentialRefusals,
): z.input<typeof ListedDeployment> => {
  const { base, docs, messages } = routerAddresses(baseUrl, deployment.slug);
  return {
    slug: deployment.slug,
    name: deployment.name,
    // One that is being removed is shown to nobody.
    status: deployment.status === 'removing' ? 'paused' : deployment.status,
    mcp_auth_method: deployment.authMethod,
    mcp_url: messages,
    discovery_url: `${base}/.well-known/mcp-server`,
    docs_url: docs,
    api_base_url: deployment.apiBaseUrl,
    tool_count: deployment.toolCount,
    ...settingsBody(settingsOf(SERVING_SETTINGS, deployment, limits)),
    ...settingsBody(settingsOf(PUBLICATION_SETTINGS, deployment.publication, limits)),
    version: deployment.version,
    access:
      deployment.access.mode === 'allow_list'
        ? {
            mode: 'allow_list',
            emails: [...deployment.access.emails],
            domains: [...deployment.access.domains],
          }
        : { mode: deployment.access.mode },
    allowed_origins: [...deployment.allowedOrigins],
    has_credential: deployment.credential !== undefined,
    ...(refusals && { credential_refused: credentialRefusedBody(refusals) }),
    created_at: isoTime(deployment.createdAt),
    updated_at: isoTime(deployment.updatedAt),
  };
};

export const wholeDeployment = (
  settings: Settings,
  deployment: Deployment,
  warnings: readonly Finding[],
  refusals?: CredentialRefusals,
) => ({
  ...listedDeployment(settings, deployment, refusals),
  ...(deployment.instructions !== undefined && { instructions: deployment.instructions }),
  ...(deployment.description !== undefined && { description: deployment.description }),
  ...(deployment.websiteUrl !== undefined && { website_url: deployment.websiteUrl }),
  ...publicationBody(deployment.publication),
  warnings: [...warnings, ...accessWarnings(deployment.access), ...refreshWarnings(deployment)],
});

/** @param refreshed - undefined where nothing was fetched again */
export const refreshedBody = (refreshed: Refreshed | undefined) =>
  refreshed && {
    refreshed: {
      at: isoTime(refreshed.at),
      outcome: refreshed.outcome,
      ...(refreshed.why !== undefined && { why: refreshed.why }),
      ...(refreshed.failingSince !== undefined && {
        failing_since: isoTime(refreshed.failingSince),
      }),
    },
  };

/** Bytes that differences may take of an answer, beside names of tools, of which there are thousands at most. */
const MOST_CHANGES = 1_000_000;

/** What breaks clients comes first, so that nothing else is shown in its place. */
export const differenceBody = ({ changed, ...rest }: ToolsDiff): z.input<typeof Difference> => {
  const isBreaking = Object.groupBy(changed, ({ breaking }) => (breaking ? 'first' : 'then'));
  const all = [...(isBreaking.first ?? []), ...(isBreaking.then ?? [])];
  const shown = answerRoom(MOST_CHANGES).fitting(all, (one) => one);
  const left = changed.length - shown.length;
  return {
    ...rest,
    added: [...rest.added],
    removed: [...rest.removed],
    changed: shown.map((one) => ({ ...one, changes: [...one.changes] })),
    ...(left > 0 && { changed_left_out: left }),
  };
};

const publicationBody = (settings: PublicationSettings) => ({
  ...(settings.sourceUrl !== undefined && { openapi_url: settings.sourceUrl }),
  ...(settings.serverVariables && { server_variables: settings.serverVariables }),
  ...(settings.operations && { operations: settings.operations }),
  ...(settings.overlays && { overlays: [...settings.overlays] }),
  ...(settings.overrides && {
    overrides: Object.fromEntries(
      Object.entries(settings.overrides).map(
        ([
          key,
          {
            annotations,
            structuredOutput,
            answerTokenBudget,
            answerFields,
            argumentChecks,
            ...rest
          },
        ]) => [
          key,
          {
            ...rest,
            ...(answerFields && { answer_fields: [...answerFields] }),
            ...(annotations && { annotations: hintsBody(annotations) }),
            ...(structuredOutput && { structured_output: structuredOutput }),
            ...(answerTokenBudget !== undefined && { answer_token_budget: answerTokenBudget }),
            ...(argumentChecks !== undefined && { argument_checks: argumentChecks }),
          },
        ],
      ),
    ),
  }),
});

const hintsBody = (annotations: object) =>
  Object.fromEntries(
    Object.entries(annotations).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
