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
  /** Folder of the bundle, which is the same for all of them. */
  readonly bundle: string;
  readonly metricsNamespace: string | undefined;
  readonly logs: Logs;
}

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
    this.all = props.stage.networks.map((network) => this.functionIn(network, props));
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
        ...settingsOf('network', textsOf(props.stage), true),
        NETWORK: JSON.stringify(requestsOf(network)),
      },
      role,
      logGroup,
      reservedConcurrency: network.executions,
      grants: interfaceGrants(Stack.of(this), network),
      vpcConfig: {
        ...vpcConfigOf(network),
        // Said in any case: Lambda keeps what a template does not say any more.
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
