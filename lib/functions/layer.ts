import { RemovalPolicy } from 'aws-cdk-lib';
import { Architecture, Code, LayerVersion, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';

export interface FunctionsLayerProps {
  readonly folder: string;
  readonly retain: boolean;
}

export class FunctionsLayer extends Construct {
  readonly version: LayerVersion;

  constructor(scope: Construct, id: string, { folder, retain }: FunctionsLayerProps) {
    super(scope, id);
    this.version = new LayerVersion(this, 'Version', {
      description: 'Code of the functions of Hosted MCP',
      code: Code.fromAsset(folder),
      compatibleRuntimes: [Runtime.NODEJS_24_X],
      compatibleArchitectures: [Architecture.ARM_64],
      ...(retain && { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE }),
    });
  }
}
