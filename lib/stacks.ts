import { type App, Tags } from 'aws-cdk-lib';
import type { Bundles } from './bundle/index.ts';
import { DataStack } from './data-stack.ts';
import { FirewallStack } from './edge/firewall-stack.ts';
import { ServiceStack } from './service-stack.ts';
import type { Stage } from './stage/stage.ts';

export interface Stacks {
  readonly data: DataStack;
  readonly service: ServiceStack;
  /** Of stages with `edge`, in a region of its own. */
  readonly firewall?: FirewallStack;
}

/** The stacks of a stage, tagged. */
export const composeStacks = (app: App, stage: Stage, bundles: Bundles): Stacks => {
  const data = new DataStack(app, `HostedMcp-${stage.name}-Data`, {
    stage,
    description: 'Hosted MCP: what the service keeps',
  });
  const firewallStack = `HostedMcp-${stage.name}-Edge`;
  const firewall =
    stage.edge &&
    new FirewallStack(app, firewallStack, {
      requestsPerFiveMinutes: stage.edge.requestsPerFiveMinutes,
      description: 'Hosted MCP: the web ACL before the service',
    });
  const service = new ServiceStack(app, `HostedMcp-${stage.name}-Service`, {
    stage,
    bundles,
    stored: data,
    firewallStack,
    description: 'Hosted MCP: OpenAPI descriptions as remote MCP servers',
  });
  if (firewall) service.addStackDependency(firewall);
  Tags.of(app).add('Application', 'hosted-mcp');
  Tags.of(app).add('Stage', stage.name);
  return { data, service, ...(firewall && { firewall }) };
};
