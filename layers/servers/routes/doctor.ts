import { apiReply } from '../../platform/http/reply.ts';
import { authorizationServer, routerAddresses } from '../../platform/rules/addresses.ts';
import type { Deployment } from '../rules/deployment.ts';
import {
  examineDeployment,
  type ExamineDeploymentPorts,
} from '../steps/descriptions/examine-deployment.ts';
import type { Settings } from '../../ports.ts';
import * as z from 'zod';
import { type ApiRoute, ownerRoute } from '../../api/route.ts';

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
  ports: ExamineDeploymentPorts & { readonly settings: Settings },
): readonly ApiRoute[] => [
  ownerRoute({
    method: 'GET',
    path: '/deployments/{slug}/doctor',
    operationId: 'examineDeployment',
    tag: 'deployments',
    summary: 'What keeps clients from connecting, as far as the service itself can see.',
    answers: { 200: { description: 'What was found.', schema: Examination } },
    refusals: ['not_found'],
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

/** The way of a client, as far as a page of any origin may go it. */
const attempts = ({ baseUrl }: Settings, { slug, authMethod }: Deployment) => {
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
