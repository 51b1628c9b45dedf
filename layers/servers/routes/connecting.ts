import * as z from 'zod';
import { apiReply } from '../../platform/http/reply.ts';
import { clientConfigurations } from '../../mcp/rules/clients/client-configurations.ts';
import { listedNames } from '../../mcp/rules/clients/server-name.ts';
import { ownedDeployment } from '../../deployments/steps/owned-deployment.ts';
import { authorizationServer, routerAddresses } from '../../platform/rules/addresses.ts';
import type { PlatformSettings, PortsOf } from '../../platform/ports.ts';
import type { VersionPorts } from '../steps/deployments/versions.ts';
import { type ApiRoute, ownerRoute } from '../../api/route.ts';
import { REGISTRY_NAME, serverJson } from '../../mcp/rules/server-json.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';
import { examineDeployment } from '../steps/descriptions/examine-deployment.ts';

const Clients = z.object({
  items: z.array(
    z.object({
      client: z.string().meta({ description: 'Its short name, such as `claude-code`.' }),
      name: z.string(),
      where: z.string().meta({
        description: 'Where the text goes, as a sentence before it; code stands between backticks.',
      }),
      paste: z.string().meta({ description: 'The text. It holds no token.' }),
      link: z
        .string()
        .optional()
        .meta({ description: 'Opens the application, which asks whether to add the server.' }),
      obstacle: z
        .string()
        .optional()
        .meta({ description: 'Why this client cannot connect to this deployment.' }),
      notes: z.array(z.string()).meta({ description: 'Code stands between backticks.' }),
    }),
  ),
});

/** Source: docs/decisions/mcp.md, "Health and docs". */
export const clientRoutes = (
  ports: Pick<VersionPorts, 'deploymentEditor' | 'toolIndexes'> & {
    readonly settings: PlatformSettings;
  },
): readonly ApiRoute[] => [
  ownerRoute({
    method: 'GET',
    path: '/deployments/{slug}/clients',
    operationId: 'listClients',
    effects: [],
    tag: 'deployments',
    summary: 'How MCP clients are connected to it.',
    answers: { 200: { description: 'The clients, the most used ones first.', schema: Clients } },
    handle: async ({ user, parameters: { slug } }) => {
      const deployment = await ownedDeployment(ports, { ownerId: user.id, slug });
      const { authMethod, id, version } = deployment;
      const { messages: url } = routerAddresses(ports.settings.baseUrl, slug);
      const index = await ports.toolIndexes.find(id, version);
      const toolNames = listedNames(deployment, index?.tools ?? []);
      return apiReply(200, { items: clientConfigurations({ slug, url, authMethod, toolNames }) });
    },
  }),
];

const Variable = z.object({
  description: z.string(),
  isRequired: z.boolean(),
  isSecret: z.boolean(),
});

const ServerJson = z.object({
  $schema: z.string(),
  name: z.string(),
  title: z.string(),
  description: z.string(),
  version: z.string(),
  websiteUrl: z.string(),
  remotes: z.array(
    z.object({
      type: z.literal('streamable-http'),
      url: z.string(),
      headers: z
        .array(
          Variable.extend({
            name: z.string(),
            value: z.string(),
            variables: z.record(z.string(), Variable),
          }),
        )
        .optional(),
    }),
  ),
});

const Query = z.strictObject({
  name: z
    .string()
    .regex(REGISTRY_NAME, 'Give a namespace, a slash and a name, as in com.example/weather.')
    .optional()
    .meta({ description: "A name in the owner's own namespace; otherwise it is the service's." }),
});

/** Source: docs/decisions/mcp.md, "Registries and cards". */
export const serverJsonRoutes = (
  ports: Pick<VersionPorts, 'deploymentEditor'> & { readonly settings: PlatformSettings },
): readonly ApiRoute[] => [
  ownerRoute({
    method: 'GET',
    path: '/deployments/{slug}/server.json',
    operationId: 'describeForRegistries',
    effects: [],
    tag: 'deployments',
    summary: 'What registries of MCP servers list of it, to be published by its owner.',
    query: Query,
    answers: { 200: { description: 'A `server.json`, schema 2025-12-11.', schema: ServerJson } },
    handle: async ({ user, parameters: { slug }, query: { name } }) => {
      const deployment = await ownedDeployment(ports, { ownerId: user.id, slug });
      return apiReply(200, serverJson(ports.settings.baseUrl, deployment, name));
    },
  }),
];

const Examination = z.object({
  ok: z.boolean().meta({ description: 'Whether nothing has failed; there may be warnings.' }),
  items: z.array(
    z.object({
      step: z.string(),
      outcome: z.enum(['ok', 'warning', 'failed']),
      what: z.string(),
      hint: z.string().optional(),
    }),
  ),
  try: z
    .array(
      z.object({ step: z.string(), method: z.string(), url: z.string(), expected: z.string() }),
    )
    .meta({ description: 'What you can try yourself, from your own network.' }),
});

/** Source: docs/decisions/management.md, "The doctor". */
export const doctorRoutes = (
  ports: PortsOf<typeof examineDeployment> & { readonly settings: PlatformSettings },
): readonly ApiRoute[] => [
  ownerRoute({
    method: 'GET',
    path: '/deployments/{slug}/doctor',
    operationId: 'examineDeployment',
    effects: [],
    tag: 'deployments',
    summary: 'What keeps clients from connecting, as far as the service itself can see.',
    answers: { 200: { description: 'What was found.', schema: Examination } },
    handle: async ({ user, parameters: { slug } }) => {
      const { deployment, steps } = await examineDeployment(ports, user, slug);
      return apiReply(200, {
        ok: steps.every(({ outcome }) => outcome !== 'failed'),
        items: steps,
        try: attempts(ports.settings, deployment),
      });
    },
  }),
];

/** Requests of the doctor that a page in a browser can repeat. */
const attempts = ({ baseUrl }: PlatformSettings, { slug, authMethod }: Deployment) => {
  const { base, health, messages } = routerAddresses(baseUrl, slug);
  const get = (step: string, url: string, expected: string) => ({
    step,
    method: 'GET',
    url,
    expected,
  });
  return [
    get('Health', health, '200'),
    get('Discovery', `${base}/.well-known/mcp-server`, '200, and endpoints.messages'),
    ...(authMethod === 'oauth'
      ? [
          get(
            'Protected resource metadata',
            `${base}/.well-known/oauth-protected-resource`,
            '200, and authorization_servers',
          ),
          get(
            'Authorization server metadata',
            `${authorizationServer(baseUrl)}/.well-known/oauth-authorization-server`,
            '200, and authorization_endpoint',
          ),
        ]
      : []),
    {
      step: authMethod === 'none' ? 'Initialize' : 'Challenge',
      method: 'POST',
      url: messages,
      expected: authMethod === 'none' ? '200' : '401, and WWW-Authenticate',
    },
  ];
};
