import { shownServerName } from '../../../platform/rules/shown-name.ts';
import { isoTime } from '../../../platform/rules/time.ts';
import { apiReply } from '../../../platform/http/reply.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import { findAccount } from '../../steps/operator/accounts.ts';
import { listDeployments } from '../../../deployments/steps/owned-deployment.ts';
import {
  releaseDeployment,
  stopDeployment,
} from '../../../servers/steps/deployments/stop-deployment.ts';
import * as z from 'zod';
import { ListedDeployment, shownStatus } from '../../../servers/routes/deployment-body.ts';
import { pageBody, pageOf, pageQuery } from '../../../api/page.ts';
import { type ApiRoute, operatorRoute } from '../../../api/route.ts';
import type { PortsOf } from '../../../platform/ports.ts';

const LIST = 'operator-deployments';
const tag = 'operator';

/** Members that operators see; settings and contents concern only the owner. */
const OperatedDeployment = ListedDeployment.pick({
  slug: true,
  name: true,
  status: true,
  mcp_auth_method: true,
  tool_count: true,
  created_at: true,
  updated_at: true,
});

/** Source: docs/decisions/accounts.md, "Operators at the console". */
export const operateDeploymentRoutes = (
  ports: PortsOf<typeof stopDeployment | typeof findAccount>,
): readonly ApiRoute[] => [
  operatorRoute({
    method: 'GET',
    path: '/operator/accounts/{id}/deployments',
    operationId: 'listDeploymentsOfAnybody',
    effects: [],
    tag,
    summary: 'The deployments of an account, the newest first.',
    query: pageQuery(LIST),
    answers: { 200: { description: 'A page.', schema: pageOf(OperatedDeployment) } },
    handle: async ({ parameters, query: { limit, cursor: after } }) => {
      const { id } = await findAccount(ports, parameters.id);
      const { items, next } = await listDeployments(ports, id, { limit, after });
      return apiReply(200, pageBody(LIST, items.map(operated), next));
    },
  }),

  operatorRoute({
    method: 'POST',
    path: '/operator/deployments/{slug}/stop',
    operationId: 'stopDeployment',
    effects: [],
    tag,
    summary: 'Stops a deployment, so that its owner cannot resume it. Also one that is stopped.',
    answers: { 200: { description: 'As it is now.', schema: OperatedDeployment } },
    handle: async ({ user, parameters: { slug } }) =>
      apiReply(200, operated(await stopDeployment(ports, slug, user.id))),
  }),

  operatorRoute({
    method: 'POST',
    path: '/operator/deployments/{slug}/release',
    operationId: 'releaseDeployment',
    effects: [],
    tag,
    summary:
      'Lets a deployment go on that was stopped: it is paused, and its owner may resume it; active ' +
      'where its owner has no account.',
    answers: { 200: { description: 'As it is now.', schema: OperatedDeployment } },
    handle: async ({ user, parameters: { slug } }) =>
      apiReply(200, operated(await releaseDeployment(ports, slug, user.id))),
  }),
];

const operated = (deployment: Deployment): z.input<typeof OperatedDeployment> => ({
  slug: deployment.slug,
  name: shownServerName(deployment),
  status: shownStatus(deployment),
  mcp_auth_method: deployment.authMethod,
  tool_count: deployment.toolCount,
  created_at: isoTime(deployment.createdAt),
  updated_at: isoTime(deployment.updatedAt),
});
