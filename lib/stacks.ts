import { type App, Tags } from 'aws-cdk-lib';
import { ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import type { Bundles } from './bundle/index.ts';
import { DataStack } from './data-stack.ts';
import { EdgeAlarmsStack } from './edge/edge-alarms-stack.ts';
import { FirewallStack } from './edge/firewall-stack.ts';
import { ServiceStack } from './service-stack.ts';
import type { Stage } from './stage/stage.ts';

export interface Stacks {
  readonly data: DataStack;
  readonly service: ServiceStack;
  /** Of stages with `edge`, in a region of its own. */
  readonly firewall?: FirewallStack;
  readonly edgeAlarms?: EdgeAlarmsStack;
}

/** The stacks of a stage, tagged. */
export const composeStacks = (app: App, stage: Stage, bundles: Bundles): Stacks => {
  const { name, account, region, permissionsBoundary } = stage;
  const env = { ...(account && { account }), ...(region && { region }) };
  const data = new DataStack(app, `HostedMcp-${name}-Data`, {
    stage,
    env,
    description: 'Hosted MCP: what the service keeps',
  });
  // Stages of one name in two regions have each their own, both in the one region that takes it.
  const firewallStack = `HostedMcp-${name}-Edge-${region}`;
  const firewall =
    stage.edge &&
    new FirewallStack(app, firewallStack, {
      env,
      requestsPerFiveMinutes: stage.edge.requestsPerFiveMinutes,
      terminationProtection: stage.retainData,
      description: 'Hosted MCP: the web ACL before the service',
    });
  const service = new ServiceStack(app, `HostedMcp-${name}-Service`, {
    stage,
    env,
    bundles,
    stored: data,
    firewallStack,
    description: 'Hosted MCP: OpenAPI descriptions as remote MCP servers',
  });
  if (firewall) service.addStackDependency(firewall);
  const edgeAlarms =
    firewall &&
    new EdgeAlarmsStack(app, `HostedMcp-${name}-EdgeAlarms-${region}`, {
      env,
      stage,
      serviceStack: service.stackName,
      webAcl: firewall.stackName,
      description: 'Hosted MCP: the alarms on what stands before the service',
    });
  edgeAlarms?.addStackDependency(service);
  const tags = { ...stage.tags, Application: 'hosted-mcp', Stage: name };
  for (const [key, value] of Object.entries(tags)) Tags.of(app).add(key, value);
  if (permissionsBoundary !== undefined) {
    for (const stack of [data, service]) {
      const policy = ManagedPolicy.fromManagedPolicyName(stack, 'Boundary', permissionsBoundary);
      PermissionsBoundary.of(stack).apply(policy);
    }
  }
  return { data, service, ...(firewall && edgeAlarms && { firewall, edgeAlarms }) };
};
