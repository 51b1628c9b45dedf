import { RemovalPolicy } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

/**
 * The distribution sends the first secret, functions accept each; a new number makes a new one. Source: docs/edge.md.
 */
export class OriginSecrets extends Construct {
  /** Secrets are dynamic references, which CloudFormation resolves when it deploys. */
  readonly values: readonly string[];

  /** @param numbers - of the secrets; the first is sent */
  constructor(scope: Construct, id: string, numbers: readonly number[]) {
    super(scope, id);
    this.values = numbers.map((number) =>
      new Secret(this, `Secret${number}`, {
        description: `Hosted MCP: what CloudFront shows the functions (${number})`,
        generateSecretString: { passwordLength: 64, excludePunctuation: true },
        removalPolicy: RemovalPolicy.DESTROY,
      }).secretValue.unsafeUnwrap(),
    );
  }
}
