import { apiReply } from '@hosted-mcp/core/http';
import {
  createDeployment,
  type CreateDeploymentPorts,
  type Deployment,
  describeDeployment,
  inToolMode,
  listDeployments,
  type PublicationSettings,
  removeDeployment,
  reviseDeployment,
  type ReviseDeploymentPorts,
  type Revised,
  type User,
} from '@hosted-mcp/core/management';
import { ApiRefusal } from '@hosted-mcp/core/refusal';
import * as z from 'zod';
import {
  ListedDeployment,
  listedDeployment,
  RevisedDeployment,
  WholeDeployment,
  wholeDeployment,
} from './deployment-body.ts';
import { Access, fields, Overrides, source } from './deployment-fields.ts';
import { descriptionBody, jsonText } from './description-body.ts';
import { etag, ifMatchNumber } from './frame/etag.ts';
import { pageBody, pageOf, pageQuery } from './frame/page.ts';
import { type ApiRoute, ownerRoute } from './frame/route.ts';

export type DeploymentPorts = CreateDeploymentPorts & ReviseDeploymentPorts;

type Fields = Partial<z.output<typeof Fields>>;
const Fields = z.strictObject(fields);

/** The same as a query says it, beside a description that is the body. */
const queryFields = {
  slug: fields.slug,
  name: fields.name,
  mcp_auth_method: fields.mcp_auth_method,
  api_base_url: fields.api_base_url.unwrap().unwrap().optional(),
  server_variables: jsonText(fields.server_variables.unwrap().unwrap()),
  operations: jsonText(fields.operations.unwrap().unwrap()),
  overrides: jsonText(Overrides),
  tool_mode: fields.tool_mode,
  tool_token_budget: jsonText(fields.tool_token_budget.unwrap()),
  access: jsonText(Access),
  allowed_origins: jsonText(fields.allowed_origins.unwrap()),
};
const QueryFields = z.strictObject(queryFields);

const NewDeployment = z
  .strictObject({ ...source, ...fields })
  .refine((sent) => (sent.openapi === undefined) !== (sent.openapi_url === undefined), {
    error: 'Give either openapi or openapi_url.',
    path: ['openapi'],
  });

const Patch = z
  .strictObject({ ...source, ...fields, status: z.enum(['active', 'paused']).optional() })
  .refine((sent) => sent.openapi === undefined || sent.openapi_url === undefined, {
    error: 'Give either openapi or openapi_url.',
    path: ['openapi'],
  });

const NewDescription = z
  .strictObject(source)
  .refine((sent) => (sent.openapi === undefined) !== (sent.openapi_url === undefined), {
    error: 'Give either openapi or openapi_url.',
    path: ['openapi'],
  });

const LIST = 'deployments';
const tag = 'deployments';
const TAGGED = { ETag: 'The revision, for If-Match.' };
const DESCRIPTION_REFUSALS = ['description_invalid', 'too_many_operations', 'conflict'] as const;

/** Source: management-api.md. */
export const deploymentRoutes = (ports: DeploymentPorts): readonly ApiRoute[] => {
  const { settings } = ports;
  const whole = (deployment: Deployment, warnings: Revised['warnings']) =>
    wholeDeployment(settings, deployment, warnings);
  const revisedReply = ({ deployment, warnings, tools }: Revised) =>
    apiReply(200, { ...whole(deployment, warnings), tools }, etag(deployment.revision));
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
      answers: {
        201: {
          description: 'The deployment. It can be called at once.',
          schema: WholeDeployment,
          headers: { ...TAGGED, Location: 'Where the deployment is managed.' },
        },
      },
      refusals: ['slug_taken', 'limit_reached', ...DESCRIPTION_REFUSALS],
      handle: async ({ user, body: { fields: sent, openapi }, attempt }) => {
        if (openapi === undefined) throw noDescription();
        const wanted = {
          openapi,
          slug: sent.slug,
          choices: choicesOf(sent),
          publication: publicationOf(sent)({}),
        };
        const { deployment, warnings } = await createDeployment(ports, user, wanted, attempt);
        return apiReply(201, whole(deployment, warnings), {
          ...etag(deployment.revision),
          location: `${settings.baseUrl}/mcp-management/deployments/${deployment.slug}`,
        });
      },
    }),

    ownerRoute({
      method: 'GET',
      path: '/deployments',
      operationId: 'listDeployments',
      tag,
      summary: 'Your deployments, the newest first.',
      query: pageQuery(LIST),
      answers: { 200: { description: 'A page of them.', schema: pageOf(ListedDeployment) } },
      handle: async ({ user, query: { limit, cursor } }) => {
        const { items, next } = await listDeployments(ports, user.id, { limit, after: cursor });
        const listed = items.map((deployment) => listedDeployment(settings, deployment));
        return apiReply(200, pageBody(LIST, listed, next));
      },
    }),

    ownerRoute({
      method: 'GET',
      path: '/deployments/{slug}',
      operationId: 'getDeployment',
      tag,
      summary: 'One deployment.',
      answers: { 200: { description: 'It.', schema: WholeDeployment, headers: TAGGED } },
      refusals: ['not_found'],
      handle: async ({ user, parameters: { slug } }) => {
        const { deployment, warnings } = await describeDeployment(ports, owned(user, slug));
        return apiReply(200, whole(deployment, warnings), etag(deployment.revision));
      },
    }),

    ownerRoute({
      method: 'PATCH',
      path: '/deployments/{slug}',
      operationId: 'changeDeployment',
      tag,
      summary: 'Changes what is given. What concerns its tools makes a new version of them.',
      conditional: true,
      body: descriptionBody<Fields & { status?: 'active' | 'paused' | undefined }>(
        settings,
        Patch,
        QueryFields,
      ),
      query: QueryFields,
      answers: {
        200: { description: 'As it is now.', schema: RevisedDeployment, headers: TAGGED },
      },
      refusals: ['not_found', 'stale', 'limit_reached', ...DESCRIPTION_REFUSALS],
      handle: async ({ event, user, parameters: { slug }, body: { fields: sent, openapi } }) => {
        checkSlugStays(slug, sent.slug);
        const target = { ...owned(user, slug), revisions: ifMatchNumber(event) };
        return revisedReply(
          await reviseDeployment(ports, target, {
            openapi,
            choices: { ...choicesOf(sent), ownerPlan: user.plan },
            status: sent.status,
            publication: concernsTools(sent) ? publicationOf(sent) : undefined,
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
      body: descriptionBody<object>(settings, NewDescription, z.strictObject({})),
      answers: {
        200: {
          description: 'As it is now, and how its tools differ from before.',
          schema: RevisedDeployment,
          headers: TAGGED,
        },
      },
      refusals: ['not_found', 'stale', ...DESCRIPTION_REFUSALS],
      handle: async ({ event, user, parameters: { slug }, body: { openapi } }) => {
        if (openapi === undefined) throw noDescription();
        const target = { ...owned(user, slug), revisions: ifMatchNumber(event) };
        return revisedReply(await reviseDeployment(ports, target, { openapi }));
      },
    }),

    ownerRoute({
      method: 'DELETE',
      path: '/deployments/{slug}',
      operationId: 'removeDeployment',
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

const choicesOf = (sent: Fields) => ({
  name: sent.name,
  authMethod: sent.mcp_auth_method,
  access: sent.access,
  allowedOrigins: sent.allowed_origins,
});

const concernsTools = (sent: Fields): boolean =>
  [
    sent.api_base_url,
    sent.server_variables,
    sent.operations,
    sent.overrides,
    sent.tool_mode,
    sent.tool_token_budget,
  ].some((field) => field !== undefined);

/** What is sent in place of what was; null takes it away. */
const publicationOf =
  (sent: Fields) =>
  (before: PublicationSettings): PublicationSettings => {
    const { apiBaseUrl, serverVariables, operations, overrides, ...rest } = before;
    const [base, variables, choice] = [
      merged(apiBaseUrl, sent.api_base_url),
      merged(serverVariables, sent.server_variables),
      merged(operations, sent.operations),
    ];
    const kept = Object.entries({ ...overrides, ...sent.overrides }).flatMap(([key, override]) =>
      override === null ? [] : [[key, override] as const],
    );
    const settings = {
      ...rest,
      ...(base !== undefined && { apiBaseUrl: base }),
      ...(variables && { serverVariables: variables }),
      ...(choice && { operations: choice }),
      ...(sent.tool_token_budget !== undefined && { toolTokenBudget: sent.tool_token_budget }),
      ...(kept.length > 0 && { overrides: checkedSize(Object.fromEntries(kept)) }),
    };
    return sent.tool_mode === undefined ? settings : inToolMode(settings, sent.tool_mode);
  };

const merged = <Value>(before: Value | undefined, sent: Value | null | undefined) =>
  sent === undefined ? before : (sent ?? undefined);

/** They stand in the deployment's one item, which every request to the router may read. */
const MAX_OVERRIDES_BYTES = 65_536;

const checkedSize = <Value>(overrides: Value): Value => {
  if (Buffer.byteLength(JSON.stringify(overrides)) <= MAX_OVERRIDES_BYTES) return overrides;
  throw new ApiRefusal('invalid_request', 'The overrides are too large.', [
    {
      where: '/overrides',
      what: `more than ${MAX_OVERRIDES_BYTES} bytes in all`,
      mend: 'Override fewer operations, or in fewer words.',
    },
  ]);
};

const checkSlugStays = (slug: string, sent: string | undefined): void => {
  if (sent === undefined || sent === slug) return;
  throw new ApiRefusal('invalid_request', 'A slug stays as it is.', [
    { where: '/slug', what: 'cannot be changed', mend: 'Make a new deployment.' },
  ]);
};

const noDescription = () =>
  new ApiRefusal('invalid_request', 'Some fields are missing or wrong.', [
    { where: '/openapi', what: 'missing', mend: 'Give either openapi or openapi_url.' },
  ]);
