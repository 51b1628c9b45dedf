import { apiReply } from '../../platform/http/reply.ts';
import {
  createDeployment,
  type CreateDeploymentPorts,
} from '../steps/deployments/create-deployment.ts';
import type { Deployment, OwnerStatus } from '../rules/deployment.ts';
import {
  describeDeployment,
  type DescribeDeploymentPorts,
  describeDeployments,
} from '../steps/deployments/describe-deployments.ts';
import { isForSlug } from '../../accounts/rules/personal-token.ts';
import { checkNetwork } from '../rules/networks.ts';
import { isChange } from '../rules/publication.ts';
import { removeDeployment } from '../steps/deployments/remove-deployment.ts';
import {
  type Revised,
  reviseDeployment,
  type ReviseDeploymentPorts,
} from '../steps/deployments/revise-deployment.ts';
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
import { etag, ifMatchNumber } from '../../api/request.ts';
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

export type DeploymentPorts = CreateDeploymentPorts &
  ReviseDeploymentPorts &
  DescribeDeploymentPorts;

const isEmpty = (members: object): boolean =>
  Object.values(members).every((value) => value === undefined);

const LIST = 'deployments';
const tag = 'deployments';
const TAGGED = { ETag: 'The revision, for If-Match.' };
const DESCRIPTION_REFUSALS = [
  'description_invalid',
  'too_many_operations',
  'conflict',
  'rate_limited',
] as const;

export const deploymentRoutes = (ports: DeploymentPorts): readonly ApiRoute[] => {
  const { settings } = ports;
  const full = (deployment: Deployment, warnings: Revised['warnings']) =>
    fullDeployment(settings, deployment, warnings);
  const revisedReply = ({ deployment, warnings, tools }: Revised) =>
    apiReply(
      200,
      { ...full(deployment, warnings), tools: differenceBody(tools) },
      etag(deployment.revision),
    );
  const owned = (user: User, slug: string) => ({ ownerId: user.id, slug });

  return [
    ownerRoute({
      method: 'POST',
      path: '/deployments',
      operationId: 'createDeployment',
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
      refusals: ['slug_taken', 'limit_reached', ...DESCRIPTION_REFUSALS],
      handle: async ({ user, body: { fields: sent, openapi }, attempt }) => {
        if (openapi === undefined) throw noDescription();
        checkNetwork(settings.networks, sent.network, user.email);
        const wanted = {
          openapi,
          slug: sent.slug,
          choices: choicesOf(sent),
          publication: publicationChangesOf(sent),
          comment: sent.comment,
        };
        const { deployment, warnings } = await createDeployment(ports, user, wanted, attempt);
        return apiReply(201, full(deployment, warnings), {
          ...etag(deployment.revision),
          location: `${settings.baseUrl}/mcp-management/deployments/${deployment.slug}`,
        });
      },
    }),

    ownerRoute({
      method: 'GET',
      path: '/deployments',
      operationId: 'listDeployments',
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
      tag,
      summary: 'One deployment.',
      answers: { 200: { description: 'It.', schema: FullDeployment, headers: TAGGED } },
      refusals: ['not_found'],
      handle: async ({ user, parameters: { slug } }) => {
        const found = await describeDeployment(ports, owned(user, slug));
        const { deployment, warnings, refusals, refreshed } = found;
        const body = {
          ...fullDeployment(settings, deployment, warnings, refusals),
          ...refreshedBody(refreshed),
        };
        return apiReply(200, body, etag(deployment.revision));
      },
    }),

    ownerRoute({
      method: 'PATCH',
      path: '/deployments/{slug}',
      operationId: 'changeDeployment',
      // Pausing is for whoever has to, at once.
      whileManaged: ({ fields: sent, openapi }) =>
        openapi === undefined && isEmpty({ ...sent, status: undefined }),
      tag,
      summary: 'Changes what is given. What concerns its tools makes a new version of them.',
      conditional: true,
      body: descriptionBody<Fields & { status?: OwnerStatus | undefined }>(
        settings,
        Patch,
        QueryFields,
      ),
      query: QueryFields,
      compiles: ({ fields: sent, openapi }) =>
        openapi !== undefined || isChange(publicationChangesOf(sent)),
      answers: {
        200: { description: 'As it is now.', schema: RevisedDeployment, headers: TAGGED },
      },
      refusals: ['not_found', 'stale', 'limit_reached', ...DESCRIPTION_REFUSALS],
      handle: async ({ event, user, parameters: { slug }, body: { fields: sent, openapi } }) => {
        checkSlugStays(slug, sent.slug);
        checkNetwork(settings.networks, sent.network, user.email);
        const target = { ...owned(user, slug), revisions: ifMatchNumber(event) };
        return revisedReply(
          await reviseDeployment(ports, target, {
            openapi,
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
      refusals: ['not_found', 'stale', ...DESCRIPTION_REFUSALS],
      handle: async ({
        event,
        user,
        parameters: { slug },
        body: {
          openapi,
          fields: { comment },
        },
      }) => {
        if (openapi === undefined) throw noDescription();
        const target = { ...owned(user, slug), revisions: ifMatchNumber(event) };
        return revisedReply(await reviseDeployment(ports, target, { openapi, comment }));
      },
    }),

    ownerRoute({
      method: 'DELETE',
      path: '/deployments/{slug}',
      operationId: 'removeDeployment',
      forTokens: 'declare',
      isUnrecorded: true,
      tag,
      summary:
        'Removes it with all it holds: versions, credential, resources, prompts, grants, tokens.',
      conditional: true,
      answers: { 204: { description: 'It is gone.' } },
      refusals: ['not_found', 'stale', 'conflict'],
      handle: async ({ event, user, parameters: { slug } }) => {
        await removeDeployment(ports, { ...owned(user, slug), revisions: ifMatchNumber(event) });
        return apiReply(204);
      },
    }),
  ];
};
