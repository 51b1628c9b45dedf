import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { networkFunction } from '../../lambdas/manifest.ts';
import { type CommonFunctionProps, publishedFunction } from '../functions/published-function.ts';
import type { Logs } from '../monitoring/logs.ts';
import type { StageNetwork } from '../stage/networks.ts';
import type { Stage } from '../stage/stage.ts';
import { settingsOf, textsOf } from '../stage/variables.ts';
import { interfaceGrants, vpcConfigOf } from './interfaces.ts';

export interface NetworkFunctionsProps extends CommonFunctionProps {
  readonly stage: Stage;
  readonly bundle: string;
  readonly metricsNamespace: string | undefined;
  readonly logs: Logs;
}

export interface NetworkFunction {
  /** Name of its log group, and in alarms: `network-orders`. */
  readonly name: string;
  readonly network: StageNetwork;
  readonly alias: Alias;
  readonly logGroup: LogGroup;
}

/**
 * Roles of these functions may only write logs: Lambda's EC2 rights are denied to own code. Source: docs/networks.md,
 * "Permissions and interfaces".
 */
export class NetworkFunctions extends Construct {
  readonly all: readonly NetworkFunction[];

  constructor(scope: Construct, id: string, props: NetworkFunctionsProps) {
    super(scope, id);
    this.all = props.stage.networks.map((network) => this.functionIn(network, props));
  }

  private functionIn(network: StageNetwork, props: NetworkFunctionsProps): NetworkFunction {
    const name = `network-${network.name}`;
    const scope = new Construct(this, network.name);
    // The log group is deleted with the network, so that another one may take its name: no line says what was called.
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
        ...settingsOf('network', textsOf(props.stage), true),
        NETWORK: JSON.stringify(requestsOf(network)),
      },
      role,
      logGroup,
      reservedConcurrency: network.executions,
      grants: interfaceGrants(Stack.of(this), network),
      vpcConfig: {
        ...vpcConfigOf(network),
        // Dual stack is always set: Lambda keeps a value that a template stops naming.
        ipv6AllowedForDualStack: network.ranges.some((range) => range.includes(':')),
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
