import type { PlatformSettings, PortsOf } from '../../platform/ports.ts';
import * as z from 'zod';
import { etag, ifMatch } from '../../api/request.ts';
import { revisionTag } from '../../deployments/rules/revision.ts';
import { type ApiRoute, ownerRoute } from '../../api/route.ts';
import { apiReply } from '../../platform/http/reply.ts';
import { routerAddresses } from '../../platform/rules/addresses.ts';
import {
  Difference as ToolDifference,
  differenceBody,
  Exposures,
  Warning,
} from '../../servers/routes/deployment-body.ts';
import { FetchedAddresses } from '../../servers/routes/sent-deployment.ts';
import { checkNetwork } from '../../servers/rules/networks.ts';
import { ownedDeployment } from '../../deployments/steps/owned-deployment.ts';
import type { Difference } from '../rules/members.ts';
import { applyDeclaration } from '../steps/apply-declaration.ts';
import { presentForm } from '../steps/declared-form.ts';
import { planDeclaration } from '../steps/plan-declaration.ts';
import { releaseFromManager } from '../steps/release-deployment.ts';
import { appliedBody, plannedBody } from './declaration-body.ts';

const action = z.enum(['add', 'change', 'same']);
const Differences = z
  .array(
    z.object({
      member: z.string(),
      before: z.unknown().optional(),
      after: z.unknown().optional(),
    }),
  )
  .meta({ description: 'What differs, by member; texts by their digests, secrets not at all.' });

const Plan = z.object({
  action,
  differences: Differences,
  needs: z.array(z.string()).meta({
    description:
      'What has to be sent with it: `openapi`, `resources.NAME`, `prompts.NAME` for texts of which only the digest came, `credentials.NAME` for secrets.',
  }),
  managed_by: z.string().optional().meta({ description: 'What manages it now.' }),
  tools: ToolDifference.optional().meta({ description: 'Absent where they stay.' }),
  tool_count: z.int().optional(),
  warnings: z.array(Warning),
  exposures: Exposures,
  fetched: FetchedAddresses,
});

const Applied = z.object({
  action,
  differences: Differences,
  version: z.int(),
  tool_count: z.int(),
  mcp_url: z.string(),
  tools: ToolDifference,
  warnings: z.array(Warning),
});

const Present = z.object({
  declaration: z.looseObject({}).meta({
    description:
      'What would be declared of it as it is: texts by their digests, credentials with `keep`.',
  }),
  managed_by: z.string().optional(),
});

const PATH = '/deployments/{slug}/declaration';
const TAG = { ETag: 'The revision, for If-Match.' };

/** Source: docs/declarations.md, "Over HTTP". */
export const declarationRoutes = (
  ports: PortsOf<typeof applyDeclaration | typeof planDeclaration> & {
    readonly settings: PlatformSettings;
  },
): readonly ApiRoute[] => {
  const { settings } = ports;
  return [
    ownerRoute({
      method: 'GET',
      path: PATH,
      operationId: 'getDeclaration',
      effects: [],
      tag: 'declaration',
      summary: 'What would be declared of a deployment as it is now.',
      answers: { 200: { description: 'All of it.', schema: Present, headers: TAG } },
      handle: async ({ user, parameters: { slug } }) => {
        const deployment = await ownedDeployment(ports, { ownerId: user.id, slug });
        const { openapi, credentials, resources, prompts, ...members } = await presentForm(
          ports,
          deployment,
        );
        const kept = Object.entries(credentials).map(([name, one]) => [
          name,
          { ...one, keep: true },
        ]);
        const declaration = {
          ...members,
          ...('url' in openapi ? { openapi_url: openapi.url } : { openapi_sha256: openapi.sha256 }),
          ...(kept.length > 0 && { credentials: Object.fromEntries(kept) }),
          ...listed('resources', resources),
          ...listed('prompts', prompts),
        };
        const body = { declaration, managed_by: deployment.managedBy?.by };
        return apiReply(200, body, etag(revisionTag(deployment)));
      },
    }),

    ownerRoute({
      method: 'POST',
      path: `${PATH}/plan`,
      operationId: 'planDeclaration',
      effects: ['fetch', 'privileged_fetch'],
      forTokens: 'read',
      isUnrecorded: true,
      whileManaged: () => true,
      tag: 'declaration',
      summary: 'What applying a declaration would do. Nothing is changed.',
      body: plannedBody(settings),
      compiles: ({ sendsDescription }) => sendsDescription,
      answers: { 200: { description: 'The plan.', schema: Plan, headers: TAG } },
      handle: async ({ user, may, parameters: { slug }, body: { declaration } }) => {
        checkNetwork(settings.networks, declaration.choices.network, user.email);
        const plan = await planDeclaration(ports, user, may, slug, declaration);
        const { before, differences, needs, tools, toolCount, warnings, exposures } = plan;
        const body = {
          action: actionOf(before !== undefined, differences),
          differences: [...differences],
          needs: [...needs],
          managed_by: before?.managedBy?.by,
          tools: tools && differenceBody(tools),
          tool_count: toolCount,
          warnings: [...warnings],
          exposures: [...exposures],
          fetched: [...plan.fetched],
        };
        return apiReply(200, body, before ? etag(revisionTag(before)) : {});
      },
    }),

    ownerRoute({
      method: 'PUT',
      path: PATH,
      operationId: 'applyDeclaration',
      effects: ['fetch', 'privileged_fetch', 'managed_removal', 'removal'],
      forTokens: 'declare',
      // The step itself checks who manages the deployment.
      whileManaged: () => true,
      conditional: true,
      tag: 'declaration',
      summary:
        'Makes a deployment what a declaration says, all of it: what it does not say is as for a new one. From then on it is changed so and not otherwise.',
      body: appliedBody(settings),
      compiles: () => true,
      answers: { 200: { description: 'What was done.', schema: Applied, headers: TAG } },
      handle: async ({ event, user, may, parameters: { slug }, body, attempt }) => {
        const { declaration, by, adopts, planned } = body;
        checkNetwork(settings.networks, declaration.choices.network, user.email);
        const revisions = ifMatch(event);
        const wanted = { slug, declaration, by, adopts, revisions, planned, attempt };
        const applied = await applyDeclaration(ports, user, may, wanted);
        const { deployment, differences, tools, warnings } = applied;
        const answer = {
          action: actionOf(applied.isThere, differences),
          differences: [...differences],
          version: deployment.version,
          tool_count: deployment.toolCount,
          mcp_url: routerAddresses(settings.baseUrl, slug).messages,
          tools: differenceBody(tools),
          warnings: [...warnings],
        };
        return apiReply(200, answer, etag(revisionTag(deployment)));
      },
    }),

    ownerRoute({
      method: 'DELETE',
      path: '/deployments/{slug}/manager',
      operationId: 'releaseFromDeclaration',
      effects: [],
      forTokens: 'declare',
      whileManaged: () => true,
      conditional: true,
      tag: 'declaration',
      summary:
        'Lets a deployment go from its declaration, as it is: you change it again. Also where nothing manages it.',
      answers: { 204: { description: 'Nothing manages it any more.' } },
      handle: async ({ event, user, parameters: { slug } }) => {
        const revisions = ifMatch(event);
        await releaseFromManager(ports, { ownerId: user.id, slug, revisions });
        return apiReply(204);
      },
    }),
  ];
};

const actionOf = (isThere: boolean, differences: readonly Difference[]): z.output<typeof action> =>
  isThere ? (differences.length > 0 ? 'change' : 'same') : 'add';

const listed = (name: string, contents: Readonly<Record<string, object>>) => {
  const all = Object.entries(contents).map(([its, one]) => ({ name: its, ...one }));
  return all.length > 0 ? { [name]: all } : {};
};
