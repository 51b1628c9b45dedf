import { RemovalPolicy } from 'aws-cdk-lib';
import { Architecture, Code, LayerVersion, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';

export interface CoreLayerProps {
  /** The folder that `bundle` made. */
  readonly folder: string;
  /** Keep the layers of former releases. */
  readonly retain: boolean;
}

/** The service itself, shared by all functions. */
export class CoreLayer extends Construct {
  readonly version: LayerVersion;

  constructor(scope: Construct, id: string, { folder, retain }: CoreLayerProps) {
    super(scope, id);
    this.version = new LayerVersion(this, 'Version', {
      description: 'Hosted MCP core',
      code: Code.fromAsset(folder),
      compatibleRuntimes: [Runtime.NODEJS_24_X],
      compatibleArchitectures: [Architecture.ARM_64],
      ...(retain && { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE }),
    });
  }
}
