import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Api } from './api.ts';
import type { Bundles } from './bundle.ts';
import { Data } from './data.ts';
import { Functions } from './functions.ts';
import { Keys } from './keys.ts';
import { CoreLayer } from './layer.ts';
import { Schedules } from './schedules.ts';
import type { Stage } from './stage.ts';

export interface ServiceStackProps extends StackProps {
  readonly stage: Stage;
  readonly bundles: Bundles;
}

/** The whole service in one account. Composes the constructs; holds no resource itself. */
export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, { stage, bundles, ...props }: ServiceStackProps) {
    super(scope, id, props);
    const retain = stage.retainData;
    const logRetention = stage.logRetentionDays;

    const keys = new Keys(this, 'Keys', { retain });
    const data = new Data(this, 'Data', { encryptionKey: keys.data, retain });
    const layer = new CoreLayer(this, 'Core', { folder: bundles.layer });
    const api = new Api(this, 'Api', { stage, logRetention });
    const { aliases } = new Functions(this, 'Functions', {
      data,
      keys,
      layer: layer.version,
      bundles: bundles.functions,
      baseUrl: api.baseUrl,
      limits: stage.limits,
      mail: stage.mail,
      credentialStore: stage.credentialStore,
      allowedRedirectUris: stage.allowedRedirectUris,
      rootAuthorizationServer: stage.rootAuthorizationServer,
      logRetention,
    });
    api.route(aliases);
    new Schedules(this, 'Schedules', { aliases });

    new CfnOutput(this, 'BaseUrl', { value: api.baseUrl, description: 'Base URL of the service' });
    new CfnOutput(this, 'PublishFunction', {
      value: aliases.management.functionArn,
      description: 'Invoke this function to publish a description',
    });
  }
}
