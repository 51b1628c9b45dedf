import type { PlatformSettings, PortsOf } from '../../platform/ports.ts';
import * as z from 'zod';
import { apiReply } from '../../platform/http/reply.ts';
import { createDeployment } from '../steps/deployments/create-deployment.ts';
import type { Deployment, OwnerStatus } from '../../deployments/rules/deployment.ts';
import {
  describeDeployment,
  describeDeployments,
} from '../steps/deployments/describe-deployments.ts';
import { isForSlug } from '../../accounts/rules/personal-token.ts';
import { asLookedAt } from '../rules/fetch-terms.ts';
import { ManagerName } from '../../deployments/rules/manager.ts';
import { checkNetwork } from '../rules/networks.ts';
import { isChange } from '../../deployments/rules/publication.ts';
import { removeDeployment } from '../steps/deployments/remove-deployment.ts';
import { type Revised, reviseDeployment } from '../steps/deployments/revise-deployment.ts';
import { usageSubject } from '../../limits/rules/windows.ts';
import type { User } from '../../accounts/rules/user.ts';
import {
  differenceBody,
  FullDeployment,
  fullDeployment,
  ListedDeployment,
  listedDeployment,
  refreshedBody,
  RevisedDeployment,
} from './deployment-body.ts';
import { descriptionBody } from './description-body.ts';
import { etag, ifMatch } from '../../api/request.ts';
import { revisionTag } from '../../deployments/rules/revision.ts';
import { pageBody, pageOf, pageQuery } from '../../api/page.ts';
import { type ApiRoute, ownerRoute } from '../../api/route.ts';
import {
  checkSlugStays,
  choicesOf,
  type Fields,
  NewDeployment,
  NewDescription,
  noDescription,
  Patch,
  publicationChangesOf,
  QueryFields,
  VersionFields,
} from './sent-deployment.ts';

/** Effects of routes whose body may give an address to fetch. */
const FETCHES = ['fetch', 'privileged_fetch'] as const;

const isEmpty = (members: object): boolean =>
  Object.values(members).every((value) => value === undefined);

const LIST = 'deployments';
const tag = 'deployments';
const TAGGED = { ETag: 'The revision, for If-Match.' };

export const deploymentRoutes = (
  ports: PortsOf<typeof createDeployment | typeof describeDeployment | typeof reviseDeployment> & {
    readonly settings: PlatformSettings;
  },
): readonly ApiRoute[] => {
  const { settings } = ports;
  const full = (deployment: Deployment, warnings: Revised['warnings']) =>
    fullDeployment(settings, deployment, warnings);
  const revisedReply = ({ deployment, warnings, tools }: Revised) =>
    apiReply(
      200,
      { ...full(deployment, warnings), tools: differenceBody(tools) },
      etag(revisionTag(deployment)),
    );
  const owned = (user: User, slug: string) => ({ ownerId: user.id, slug });

  return [
    ownerRoute({
      method: 'POST',
      path: '/deployments',
      operationId: 'createDeployment',
      effects: FETCHES,
      tag,
      summary: 'Turns a description into an MCP server.',
      idempotent: true,
      query: QueryFields,
      body: descriptionBody<Fields>(settings, NewDeployment, QueryFields),
      compiles: () => true,
      answers: {
        201: {
          description: 'The deployment. It can be called at once.',
          schema: FullDeployment,
          headers: { ...TAGGED, Location: 'Where the deployment is managed.' },
        },
      },
      handle: async ({ user, may, body, attempt }) => {
        const { fields: sent, source, fetched } = body;
        if (source === undefined) throw noDescription();
        checkNetwork(settings.networks, sent.network, user.email);
        const wanted = {
          source,
          slug: sent.slug,
          choices: choicesOf(sent),
          publication: publicationChangesOf(sent),
          comment: sent.comment,
        };
        const terms = asLookedAt(may, fetched);
        const made = await createDeployment(ports, user, terms, wanted, attempt);
        const { deployment, warnings } = made;
        return apiReply(201, full(deployment, warnings), {
          ...etag(revisionTag(deployment)),
          location: `${settings.baseUrl}/mcp-management/deployments/${deployment.slug}`,
        });
      },
    }),

    ownerRoute({
      method: 'GET',
      path: '/deployments',
      operationId: 'listDeployments',
      effects: [],
      forSomeSlugs: true,
      tag,
      summary: 'Your deployments, the newest first.',
      query: pageQuery(LIST),
      answers: { 200: { description: 'A page of them.', schema: pageOf(ListedDeployment) } },
      handle: async ({ user, slugs, query: { limit, cursor } }) => {
        const { items, next } = await describeDeployments(ports, user.id, { limit, after: cursor });
        const listed = items
          .filter(({ deployment: { slug } }) => isForSlug({ ...(slugs && { slugs }) }, slug))
          .map(({ deployment, refusals }) => listedDeployment(settings, deployment, refusals));
        return apiReply(200, pageBody(LIST, listed, next));
      },
    }),

    ownerRoute({
      method: 'GET',
      path: '/deployments/{slug}',
      operationId: 'getDeployment',
      effects: [],
      tag,
      summary: 'One deployment.',
      answers: { 200: { description: 'It.', schema: FullDeployment, headers: TAGGED } },
      handle: async ({ user, parameters: { slug } }) => {
        const found = await describeDeployment(ports, owned(user, slug));
        const { deployment, warnings, refusals, refreshed } = found;
        const body = {
          ...fullDeployment(settings, deployment, warnings, refusals),
          ...refreshedBody(refreshed),
        };
        return apiReply(200, body, etag(revisionTag(deployment)));
      },
    }),

    ownerRoute({
      method: 'PATCH',
      path: '/deployments/{slug}',
      operationId: 'changeDeployment',
      effects: FETCHES,
      // Pausing must be possible at once, without the declaration.
      whileManaged: ({ fields: sent, source }) =>
        source === undefined && isEmpty({ ...sent, status: undefined }),
      tag,
      summary: 'Changes what is given. What concerns its tools makes a new version of them.',
      conditional: true,
      body: descriptionBody<Fields & { status?: OwnerStatus | undefined }>(
        settings,
        Patch,
        QueryFields,
      ),
      query: QueryFields,
      compiles: ({ fields: sent, source }) =>
        source !== undefined || isChange(publicationChangesOf(sent)),
      answers: {
        200: { description: 'As it is now.', schema: RevisedDeployment, headers: TAGGED },
      },
      handle: async ({ event, user, may, parameters: { slug }, body }) => {
        const { fields: sent, source, fetched } = body;
        checkSlugStays(slug, sent.slug);
        checkNetwork(settings.networks, sent.network, user.email);
        const target = { ...owned(user, slug), revisions: ifMatch(event) };
        return revisedReply(
          await reviseDeployment(ports, asLookedAt(may, fetched), target, {
            source,
            choices: {
              ...choicesOf(sent),
              ownerPlan: user.plan,
              ownerUsage: usageSubject(user.email),
            },
            status: sent.status,
            publication: publicationChangesOf(sent),
            comment: sent.comment,
          }),
        );
      },
    }),

    ownerRoute({
      method: 'PUT',
      path: '/deployments/{slug}/openapi',
      operationId: 'replaceDescription',
      effects: FETCHES,
      tag,
      summary: 'A new version, swapped in whole. A bad description changes nothing.',
      conditional: true,
      body: descriptionBody<{ comment?: string | undefined }>(
        settings,
        NewDescription,
        VersionFields,
      ),
      query: VersionFields,
      compiles: () => true,
      answers: {
        200: {
          description: 'As it is now, and how its tools differ from before.',
          schema: RevisedDeployment,
          headers: TAGGED,
        },
      },
      handle: async ({
        event,
        user,
        may,
        parameters: { slug },
        body: {
          source,
          fetched,
          fields: { comment },
        },
      }) => {
        if (source === undefined) throw noDescription();
        const target = { ...owned(user, slug), revisions: ifMatch(event) };
        const terms = asLookedAt(may, fetched);
        return revisedReply(await reviseDeployment(ports, terms, target, { source, comment }));
      },
    }),

    ownerRoute({
      method: 'DELETE',
      path: '/deployments/{slug}',
      operationId: 'removeDeployment',
      forTokens: 'declare',
      effects: ['managed_removal', 'removal'],
      query: z.strictObject({
        managed_by: z.optional(ManagerName).meta({
          description:
            'The declaration that manages it, for which this removes it; another one, or none, is refused.',
        }),
      }),
      whileManaged: (_, { managed_by: by }) => by !== undefined,
      isUnrecorded: true,
      tag,
      summary:
        'Removes it with all it holds: versions, credential, resources, prompts, grants, tokens.',
      conditional: true,
      answers: { 204: { description: 'It is gone.' } },
      handle: async ({ event, user, may, parameters: { slug }, query: { managed_by: by } }) => {
        const removed = { ...owned(user, slug), revisions: ifMatch(event), by };
        await removeDeployment(ports, may, removed);
        return apiReply(204);
      },
    }),
  ];
};
