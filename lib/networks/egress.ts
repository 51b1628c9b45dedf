import { Stack } from 'aws-cdk-lib';
import { ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { FunctionName } from '../../lambdas/manifest.ts';
import type { Roles } from '../permissions/roles.ts';
import type { Egress as EgressSetting } from '../stage/egress.ts';
import { interfaceGrants, vpcConfigOf } from './interfaces.ts';

/** Functions that send requests to hosts named by others: target APIs, token endpoints, descriptions, key sets. */
export const callsOthers: readonly FunctionName[] = [
  'router',
  'oauth',
  'identity',
  'management',
  'connections',
];

interface EgressProps {
  readonly egress: EgressSetting;
  readonly roles: Roles;
}

/** Interface permissions are one managed policy, since inline policies have no room left. Source: docs/egress.md. */
export class Egress extends Construct {
  readonly policy: ManagedPolicy;
  /** Undefined once the setting's `enabled` is false. */
  readonly vpcConfig: CfnFunction.VpcConfigProperty | undefined;

  constructor(scope: Construct, id: string, { egress, roles }: EgressProps) {
    super(scope, id);
    this.policy = new ManagedPolicy(this, 'Interfaces', {
      description: `Hosted MCP: network interfaces of functions in ${egress.vpc}`,
      roles: callsOthers.map((name) => roles.of[name]),
      statements: [...interfaceGrants(Stack.of(this), egress)],
    });
    this.vpcConfig = egress.enabled ? vpcConfigOf(egress) : undefined;
  }
}
