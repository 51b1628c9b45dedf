import { Annotations, CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Api } from './api.ts';
import type { Bundles } from './bundle.ts';
import type { DataStack } from './data-stack.ts';
import { Functions } from './functions.ts';
import { CoreLayer } from './layer.ts';
import { Mails, unsentMailsQueue } from './mails.ts';
import { Schedules } from './schedules.ts';
import type { Stage } from './stage.ts';
import { Subscriptions, unstoredCallsQueue } from './subscriptions.ts';

export interface ServiceStackProps extends StackProps {
  readonly stage: Stage;
  readonly bundles: Bundles;
  /** What the service works on. */
  readonly stored: DataStack;
}

/**
 * The service: it can be deleted and made again, and what it stored is still there. Composes the
 * constructs; holds no resource itself.
 */
export class ServiceStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { stage, bundles, stored, ...props }: ServiceStackProps,
  ) {
    super(scope, id, { terminationProtection: stage.retainData, ...props });
    const { keys, data, roles, logs } = stored;

    const layer = new CoreLayer(this, 'Core', { folder: bundles.layer });
    const api = new Api(this, 'Api', { stage, accessLogs: logs.access });
    const unstoredCalls = unstoredCallsQueue(this);
    const unsentMails = unsentMailsQueue(this, keys.data);
    const { aliases } = new Functions(this, 'Functions', {
      data,
      keys,
      roles,
      logs,
      layer: layer.version,
      bundles: bundles.functions,
      baseUrl: api.baseUrl,
      limits: stage.limits,
      mail: stage.mail,
      credentialStore: stage.credentialStore,
      unstoredCalls,
      unsentMails,
      allowedRedirectUris: stage.allowedRedirectUris,
      rootAuthorizationServer: stage.rootAuthorizationServer,
      signUp: stage.signUp,
    });
    api.route(aliases);
    new Schedules(this, 'Schedules', { aliases });
    new Mails(this, 'Mails', { alias: aliases.mails, unsentMails, alarmTopic: stage.alarmTopic });
    new Subscriptions(this, 'Subscriptions', { aliases, logs, unstoredCalls });

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
      description: 'Takes commands of operators on deployments (hosted-mcp admin)',
    });
    new CfnOutput(this, 'MaintenanceFunction', {
      value: aliases.maintenance.functionArn,
      description: 'Invoke this function to sweep, and to see and lift blocks',
    });
    new CfnOutput(this, 'AccountsFunction', {
      value: aliases.oauth.functionArn,
      description: 'Takes commands of operators on accounts and keys (hosted-mcp admin account)',
    });
  }
}
