import { Stack } from 'aws-cdk-lib';
import { ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { FunctionName } from '../../lambdas/manifest.ts';
import type { Roles } from '../permissions/roles.ts';
import type { Egress as EgressSetting } from '../stage/egress.ts';
import { interfaceGrants, vpcConfigOf } from './interfaces.ts';

/** They make requests to hosts that somebody else names: target APIs, token endpoints, descriptions, key sets. */
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

/**
 * Puts the functions that make requests to hosts of others into the team's subnets. What Lambda needs for their network
 * interfaces is one managed policy of all their roles, whose policies of their own are nearly as long as AWS takes them.
 *
 * Source: docs/egress.md.
 */
export class Egress extends Construct {
  /** Functions are made after it. */
  readonly policy: ManagedPolicy;
  /** Undefined where they are not there any more. */
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
