import { RemovalPolicy } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

/**
 * What the distribution shows the functions: the first of them, of which the functions take each. A secret
 * never changes; another number is another one. Source: docs/edge.md, "The origin secret".
 */
export class OriginSecrets extends Construct {
  /** Each stands in the template as a reference that CloudFormation resolves when it deploys. */
  readonly values: readonly string[];

  /** @param numbers - of the secrets, in the order in which they are shown */
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
