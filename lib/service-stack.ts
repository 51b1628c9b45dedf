import { Annotations, CfnOutput, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { type FunctionName, functions } from '../lambdas/manifest.ts';
import { Alarms } from './monitoring/alarms.ts';
import { Api } from './api.ts';
import type { Bundles } from './bundle/index.ts';
import type { DataStack } from './data-stack.ts';
import { Distribution, DISTRIBUTION_OUTPUT } from './edge/distribution.ts';
import { OriginSecrets } from './edge/origin-secrets.ts';
import { Functions } from './functions/functions.ts';
import { Canary } from './canary/index.ts';
import { FunctionsLayer } from './functions/layer.ts';
import { StageDashboard } from './monitoring/dashboard.ts';
import { MonthlyBudget } from './monitoring/budget.ts';
import { addFunctionAlarms } from './monitoring/function-alarms.ts';
import { KeyEvents } from './monitoring/key-events.ts';
import { LogMetrics } from './monitoring/log-metrics.ts';
import { Egress } from './networks/egress.ts';
import { NetworkFunctions } from './networks/functions.ts';
import { metricsNamespace } from './monitoring/namespace.ts';
import { addServiceAlarms } from './monitoring/service-alarms.ts';
import { configurationSet, Mails, unsentMailsQueue } from './triggers/mails.ts';
import { CanaryReleases } from './release/canary.ts';
import { failedWorkQueue } from './triggers/failed-work-queue.ts';
import { Schedules } from './triggers/schedules.ts';
import type { Stage } from './stage/stage.ts';
import { LinesOut } from './stream/lines-out.ts';
import { warningsOf } from './stage/warnings.ts';
import { Subscriptions, unstoredCallsQueue } from './triggers/subscriptions.ts';
import { lastingSetting } from './lasting-setting.ts';
import { pascalCase } from './pascal-case.ts';

export interface ServiceStackProps extends StackProps {
  readonly stage: Stage;
  readonly bundles: Bundles;
  readonly stored: DataStack;
  readonly firewallStack: string;
}

/** The service without its data: it can be deleted and deployed again. */
export class ServiceStack extends Stack {
  /** The base URL ends in `/v1`. */
  readonly baseUrl: string;

  constructor(
    scope: Construct,
    id: string,
    { stage, bundles, stored, firewallStack, ...props }: ServiceStackProps,
  ) {
    super(scope, id, { terminationProtection: stage.retainData, ...props });
    const { keys, data, roles, logs } = stored;

    const layer = new FunctionsLayer(this, 'Core', {
      folder: bundles.layer,
      retain: stage.retainData,
    });
    const api = new Api(this, 'Api', { stage, accessLogs: logs.access });
    const originSecrets = stage.edge
      ? new OriginSecrets(this, 'OriginSecrets', stage.edge.originSecrets).values
      : [];
    const { alarmTopicArn: topic, noticeTopicArn: noticeTopic } = stage;
    const isFew = stage.metrics === 'few';
    const alarms = new Alarms(this, 'Alarms', { topic, noticeTopic, isFew });
    if (stage.budget) new MonthlyBudget(this, 'Budget', { budget: stage.budget, alarms });
    // Calls that their table did not take for a day; only a person can help.
    const unstorableCalls = failedWorkQueue(this, 'UnstorableCalls');
    const unstoredCalls = unstoredCallsQueue(this, unstorableCalls);
    // Scheduled commands, canary events and mail feedback that EventBridge could not deliver.
    const undeliveredCommands = failedWorkQueue(this, 'UndeliveredCommands');
    const unsentMails = unsentMailsQueue(this, keys.data);
    // Minutes with calls that this version cannot read; each hour `tally` is given them again.
    const untallied = failedWorkQueue(this, 'Untallied');
    const mailConfigurationSet = configurationSet(this);
    const namespace = stage.metrics === true ? metricsNamespace(stage) : undefined;
    const { all: networks } = new NetworkFunctions(this, 'Networks', {
      stage,
      logs,
      layer: layer.version,
      bundle: bundles.network,
      traces: stage.traces,
      metricsNamespace: namespace,
      retainVersions: stage.retainData,
    });
    const egress = stage.egress && new Egress(this, 'Egress', { egress: stage.egress, roles });
    const { aliases } = new Functions(this, 'Functions', {
      egress,
      data,
      keys,
      roles,
      logs,
      layer: layer.version,
      bundles: bundles.functions,
      baseUrl: api.baseUrl,
      originSecrets,
      stage,
      unstoredCalls,
      unstorableCalls,
      unsentMails,
      undeliveredCommands,
      untallied,
      mailConfigurationSet,
      metricsNamespace: namespace,
      networks,
      traces: stage.traces,
      retainVersions: stage.retainData,
    });
    api.route(aliases);
    if (stage.releases === 'canary') {
      new CanaryReleases(this, 'Releases', { aliases, logs, networks });
    }
    new Schedules(this, 'Schedules', {
      aliases,
      alarms,
      undelivered: undeliveredCommands,
      untallied,
    });
    new Mails(this, 'Mails', {
      alias: aliases.mails,
      unsentMails,
      configurationSet: mailConfigurationSet,
      undelivered: undeliveredCommands,
      alarms,
    });
    new Subscriptions(this, 'Subscriptions', {
      aliases,
      logs,
      unstoredCalls,
      unstorableCalls,
      alarms,
    });
    if (stage.stream) {
      const props = { stream: stage.stream, files: stored.streamBucket, logs, alarms };
      new LinesOut(this, 'LinesOut', { ...props, encryptionKey: keys.data });
    }
    if (stage.metrics === true) {
      new LogMetrics(this, 'LogMetrics', { stage, logs });
      new StageDashboard(this, 'Dashboard', {
        stage,
        api: api.api,
        aliases,
        tables: data.tables,
        logs,
        queues: { unsentMails, unstoredCalls, unstorableCalls, undeliveredCommands, untallied },
      });
    }
    new KeyEvents(this, 'KeyEvents', {
      keys: [keys.data, keys.credentials, ...keys.signing, ...keys.minting],
      alarms,
      undelivered: undeliveredCommands,
    });
    addFunctionAlarms({
      alarms,
      aliases,
      networks,
      reservedConcurrency: stage.reservedConcurrency,
    });
    addServiceAlarms({ alarms, stage, api: api.api, backupVaultName: stored.backupVaultName });

    const [originSecret] = originSecrets;
    const distribution =
      stage.domain && originSecret !== undefined
        ? new Distribution(this, 'Edge', {
            domain: stage.domain,
            originHost: api.host,
            originSecret,
            firewallStack,
          })
        : undefined;
    const { canary } = stage;
    if (canary) {
      const undelivered = undeliveredCommands;
      // The log group goes with the canary, so that the next one may take its name; it has no personal data.
      const logGroup = logs.ofFunction('canary', RemovalPolicy.DESTROY);
      new Canary(this, 'Canary', { canary, baseUrl: api.baseUrl, logGroup, alarms, undelivered });
    }

    for (const { id: warning, text } of warningsOf(stage)) {
      Annotations.of(this).addWarningV2(warning, text);
    }

    this.baseUrl = api.baseUrl;
    this.output('BaseUrl', api.baseUrl, 'Base URL of the service');
    const domainTarget = distribution?.domainTarget ?? api.domainTarget;
    if (distribution) this.output(DISTRIBUTION_OUTPUT, distribution.distributionId, 'CloudFront');
    if (domainTarget !== undefined) {
      const where = 'Where the DNS record of the domain points (CNAME or alias)';
      this.output('DomainTarget', domainTarget, where);
    }
    const domain = stage.domain?.name ?? 'none';
    lastingSetting(this, 'domain', {
      value: domain,
      mayFollow: [domain],
      otherwise: `The deployed stage serves from another address: every token and the configuration of every client end with it. If that is meant, deploy with --parameters ${this.stackName}:Domain=${domain}`,
    });
    this.output(
      'PublishFunction',
      aliases.management.functionArn,
      'Takes commands of operators on deployments (hosted-mcp admin)',
    );
    this.output(
      'MaintenanceFunction',
      aliases.maintenance.functionArn,
      'Takes commands of operators to sweep, and on blocks (hosted-mcp admin)',
    );
    this.output(
      'AccountsFunction',
      aliases.oauth.functionArn,
      'Takes commands of operators on accounts and keys (hosted-mcp admin account)',
    );
    this.output(
      'IdentityFunction',
      aliases.identity.functionArn,
      'Takes secrets of identity providers (hosted-mcp admin provider-secret)',
    );
    this.output(
      'TallyFunction',
      aliases.tally.functionArn,
      'Takes commands of operators to count calls again (hosted-mcp admin recount)',
    );
    for (const name of Object.keys(aliases) as FunctionName[]) {
      const { functionName } = aliases[name].lambda;
      this.output(`${pascalCase(name)}FunctionName`, functionName, functions[name].description);
    }
    for (const { name, network, alias } of networks) {
      const what = `Makes requests in the private network ${network.name}`;
      this.output(`${pascalCase(name)}FunctionName`, alias.lambda.functionName, what);
    }
    this.output(
      'AlarmTopic',
      alarms.topics.page.topicArn,
      'Subscribe to this topic to hear of alarms',
    );
    this.output('UnsentMailsQueue', unsentMails.queueUrl, 'Mails that could not be sent');
    this.output('UnstoredCallsQueue', unstoredCalls.queueUrl, 'Calls that are stored later');
    this.output('UnstorableCallsQueue', unstorableCalls.queueUrl, 'Calls that could not be stored');
    this.output(
      'UndeliveredCommandsQueue',
      undeliveredCommands.queueUrl,
      'Commands of schedules and news of mails that never reached their function',
    );
    this.output('UntalliedQueue', untallied.queueUrl, 'Minutes with calls that cannot be counted');
  }

  private output(id: string, value: string, description: string): void {
    new CfnOutput(this, id, { value, description });
  }
}
