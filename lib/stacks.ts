import { type Stack, Tags } from 'aws-cdk-lib';
import { ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Bundles } from './bundle/index.ts';
import { DataStack } from './data-stack.ts';
import { EdgeAlarmsStack } from './edge/edge-alarms-stack.ts';
import { FirewallStack } from './edge/firewall-stack.ts';
import { ServiceStack } from './service-stack.ts';
import type { Stage } from './stage/stage.ts';

export interface Stacks {
  readonly data: DataStack;
  readonly service: ServiceStack;
  /** Stack in us-east-1, for stages with `edge`. */
  readonly firewall?: FirewallStack;
  readonly edgeAlarms?: EdgeAlarmsStack;
}

/** @param scope - the app, or a construct in somebody else's app: stack names are the same */
export const composeStacks = (scope: Construct, stage: Stage, bundles: Bundles): Stacks => {
  const { name, account, region, permissionsBoundary } = stage;
  const env = { ...(account && { account }), ...(region && { region }) };
  const named = (stackName: string) => ({ stackName, env });
  const dataStack = `HostedMcp-${name}-Data`;
  const data = new DataStack(scope, dataStack, {
    ...named(dataStack),
    stage,
    description: 'Hosted MCP: what the service keeps',
  });
  // The region makes the name unique: stages of one name in two regions both have such a stack in us-east-1.
  const firewallStack = `HostedMcp-${name}-Edge-${region}`;
  const firewall =
    stage.edge &&
    new FirewallStack(scope, firewallStack, {
      ...named(firewallStack),
      edge: stage.edge,
      logRetention: stage.logRetentionDays,
      removalPolicy: data.removalPolicy,
      terminationProtection: stage.retainData,
      description: 'Hosted MCP: the web ACL before the service',
    });
  const serviceStack = `HostedMcp-${name}-Service`;
  const service = new ServiceStack(scope, serviceStack, {
    ...named(serviceStack),
    stage,
    bundles,
    stored: data,
    firewallStack,
    description: 'Hosted MCP: OpenAPI descriptions as remote MCP servers',
  });
  if (firewall) service.addStackDependency(firewall);
  const edgeAlarmsStack = `HostedMcp-${name}-EdgeAlarms-${region}`;
  const edgeAlarms =
    firewall &&
    new EdgeAlarmsStack(scope, edgeAlarmsStack, {
      ...named(edgeAlarmsStack),
      stage,
      serviceStack: service.stackName,
      webAcl: firewall.stackName,
      terminationProtection: stage.retainData,
      description: 'Hosted MCP: the alarms on what stands before the service',
    });
  edgeAlarms?.addStackDependency(service);
  const stacks = { data, service, ...(firewall && edgeAlarms && { firewall, edgeAlarms }) };
  const tags = { ...stage.tags, Application: 'hosted-mcp', Stage: name };
  for (const stack of Object.values<Stack>(stacks)) {
    // Tags apply to the stacks only: other things in the scope are somebody else's.
    for (const [key, value] of Object.entries(tags)) Tags.of(stack).add(key, value);
  }
  if (permissionsBoundary !== undefined) {
    for (const stack of [data, service]) {
      const policy = ManagedPolicy.fromManagedPolicyName(stack, 'Boundary', permissionsBoundary);
      PermissionsBoundary.of(stack).apply(policy);
    }
  }
  return stacks;
};
