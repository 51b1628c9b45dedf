import { Annotations, CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Api } from './api.ts';
import type { Bundles } from './bundle.ts';
import { Data } from './data.ts';
import { Functions } from './functions.ts';
import { Keys } from './keys.ts';
import { CoreLayer } from './layer.ts';
import { configurationSet, Mails, unsentMailsQueue } from './mails.ts';
import { Schedules } from './schedules.ts';
import type { Stage } from './stage.ts';
import { Subscriptions, unstoredCallsQueue } from './subscriptions.ts';

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

    const keys = new Keys(this, 'Keys', { retain, signingKeys: stage.signingKeys });
    const data = new Data(this, 'Data', { encryptionKey: keys.data, retain });
    const layer = new CoreLayer(this, 'Core', { folder: bundles.layer });
    const api = new Api(this, 'Api', { stage, logRetention });
    const unstoredCalls = unstoredCallsQueue(this);
    const unsentMails = unsentMailsQueue(this, keys.data);
    const mailConfigurationSet = configurationSet(this);
    const { aliases, logGroups } = new Functions(this, 'Functions', {
      data,
      keys,
      layer: layer.version,
      bundles: bundles.functions,
      baseUrl: api.baseUrl,
      limits: stage.limits,
      mail: stage.mail,
      credentialStore: stage.credentialStore,
      unstoredCalls,
      unsentMails,
      mailConfigurationSet,
      allowedRedirectUris: stage.allowedRedirectUris,
      rootAuthorizationServer: stage.rootAuthorizationServer,
      signUp: stage.signUp,
      logRetention,
    });
    api.route(aliases);
    new Schedules(this, 'Schedules', { aliases });
    new Mails(this, 'Mails', {
      alias: aliases.mails,
      unsentMails,
      configurationSet: mailConfigurationSet,
      alarmTopic: stage.alarmTopic,
    });
    new Subscriptions(this, 'Subscriptions', { aliases, logGroups, unstoredCalls });

    new CfnOutput(this, 'BaseUrl', { value: api.baseUrl, description: 'Base URL of the service' });
    if (api.domainTarget !== undefined) {
      new CfnOutput(this, 'DomainTarget', {
        value: api.domainTarget,
        description: 'Where the DNS record of the domain points (CNAME or alias)',
      });
      Annotations.of(this).addInfoV2(
        'hosted-mcp:base-url',
        `Tokens are for ${api.baseUrl}. Where this stage has served from another address, every token and every client's configuration of before ends with this deployment.`,
      );
    }
    new CfnOutput(this, 'PublishFunction', {
      value: aliases.management.functionArn,
      description: 'Invoke this function to publish a description',
    });
    new CfnOutput(this, 'MaintenanceFunction', {
      value: aliases.maintenance.functionArn,
      description: 'Invoke this function to sweep, and to see and lift blocks',
    });
    new CfnOutput(this, 'AccountsFunction', {
      value: aliases.oauth.functionArn,
      description: 'Invoke this function to make the first account (provision-account)',
    });
  }
}
