import { ArnFormat, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { networkFunction } from '../../lambdas/manifest.ts';
import { type CommonFunctionProps, publishedFunction } from '../functions/published-function.ts';
import type { Logs } from '../monitoring/logs.ts';
import { allow } from '../permissions/statements.ts';
import type { StageNetwork } from '../stage/networks.ts';
import type { Stage } from '../stage/stage.ts';

export interface NetworkFunctionsProps
  extends CommonFunctionProps, Pick<Stage, 'limits' | 'networks'> {
  /** Folder of the bundle, which is the same for all of them. */
  readonly bundle: string;
  readonly metricsNamespace: string | undefined;
  readonly logs: Logs;
}

/** A function that makes the requests of one private network. */
export interface NetworkFunction {
  /** Of its log group, and of what it is called in alarms: `network-orders`. */
  readonly name: string;
  readonly network: StageNetwork;
  readonly alias: Alias;
  readonly logGroup: LogGroup;
}

/**
 * A function in each private network of the stage. Its role may write its log and nothing else; what Lambda needs to
 * make its network interfaces is denied to its own code.
 *
 * Source: docs/networks.md, "What AWS is told".
 */
export class NetworkFunctions extends Construct {
  readonly all: readonly NetworkFunction[];

  constructor(scope: Construct, id: string, props: NetworkFunctionsProps) {
    super(scope, id);
    this.all = props.networks.map((network) => this.functionIn(network, props));
  }

  private functionIn(network: StageNetwork, props: NetworkFunctionsProps): NetworkFunction {
    const name = `network-${network.name}`;
    const scope = new Construct(this, network.name);
    // No line of it says what was called: it goes with the network, and its name is free for another one.
    const logGroup = props.logs.ofFunction(name, RemovalPolicy.DESTROY);
    const role = new Role(scope, 'Role', {
      description: `Hosted MCP: ${networkFunction.description} (${network.name})`,
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    const alias = publishedFunction(scope, {
      ...props,
      name,
      description: `${networkFunction.description}: ${network.name} in ${network.vpc}`,
      memoryMb: networkFunction.memoryMb,
      timeoutSeconds: networkFunction.timeoutSeconds,
      environment: {
        ...(props.metricsNamespace !== undefined && { METRICS_NAMESPACE: props.metricsNamespace }),
      },
      settings: {
        LIMITS: JSON.stringify(props.limits),
        NETWORK: JSON.stringify(requestsOf(network)),
      },
      role,
      logGroup,
      reservedConcurrency: network.executions,
      grants: interfaceGrants(Stack.of(this), network),
      vpcConfig: {
        subnetIds: [...network.subnets],
        securityGroupIds: [...network.securityGroups],
        ...(network.ranges.some((range) => range.includes(':')) && {
          ipv6AllowedForDualStack: true,
        }),
      },
    });
    return { name, network, alias, logGroup };
  }
}

const requestsOf = ({ name, hosts, ranges, http, certificateAuthorities }: StageNetwork) => ({
  name,
  hosts,
  ranges,
  http,
  certificateAuthorities,
});

/**
 * What Lambda takes the role for when it makes, looks for and removes the network interfaces. Requests of the
 * function's own code say which function makes them: those are denied.
 *
 * Source: AWS Lambda, "Giving Lambda functions access to resources in an Amazon VPC"; Service Authorization Reference,
 * "Amazon EC2".
 */
const interfaceGrants = (stack: Stack, network: StageNetwork): readonly PolicyStatement[] => {
  const arn = (resource: string, resourceName: string) =>
    stack.formatArn({
      service: 'ec2',
      resource,
      resourceName,
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    });
  const interfaces = arn('network-interface', '*');
  const make = 'ec2:CreateNetworkInterface';
  const addresses = ['ec2:AssignPrivateIpAddresses', 'ec2:UnassignPrivateIpAddresses'];
  const look = ['ec2:DescribeNetworkInterfaces', 'ec2:DescribeSubnets'];
  const remove = 'ec2:DeleteNetworkInterface';
  return [
    allow(
      'MakeInterfaces',
      [
        interfaces,
        ...network.subnets.map((one) => arn('subnet', one)),
        ...network.securityGroups.map((one) => arn('security-group', one)),
      ],
      [make],
    ),
    allow('GiveInterfacesAddresses', [interfaces], addresses),
    // EC2 knows no resources for what only looks.
    allow('LookForInterfaces', ['*'], look),
    // Lambda checks that every resource of the account is allowed.
    allow('RemoveInterfaces', [arn('*', '*')], [remove]),
    new PolicyStatement({
      sid: 'NotByOwnCode',
      effect: Effect.DENY,
      actions: [make, ...addresses, ...look, remove],
      resources: ['*'],
      conditions: { Null: { 'lambda:SourceFunctionArn': 'false' } },
    }),
  ];
};
