import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { type FunctionName, functions } from '../../lambdas/manifest.ts';
import { pascalCase } from '../pascal-case.ts';

/** Roles are in the stack of the keys, whose policies name them. Source: docs/aws.md, "Stacks". */
export class Roles extends Construct {
  readonly of: Readonly<Record<FunctionName, Role>>;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const names = Object.keys(functions) as FunctionName[];
    this.of = Object.fromEntries(
      names.map((name) => [
        name,
        new Role(this, pascalCase(name), {
          description: `Hosted MCP: ${functions[name].description}`,
          assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
        }),
      ]),
    ) as Record<FunctionName, Role>;
  }
}
