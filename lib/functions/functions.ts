import { Stack } from 'aws-cdk-lib';
import { Policy } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { type FunctionName, functions } from '../../lambdas/manifest.ts';
import { credentialPrefix } from '../data/credentials.ts';
import { type Callees, type GrantProps, grantsOf, grantsToItself } from '../permissions/grants.ts';
import { ALIAS, type CommonFunctionProps, publishedFunction } from './published-function.ts';
import { callsOthers, type Egress } from '../networks/egress.ts';
import type { NetworkFunction } from '../networks/functions.ts';
import type { Logs } from '../monitoring/logs.ts';
import type { Roles } from '../permissions/roles.ts';
import type { Stage } from '../stage/stage.ts';
import { placesOf, settingsOf, textsOf } from '../stage/variables.ts';
import { pascalCase } from '../pascal-case.ts';

export interface FunctionsProps extends GrantProps, CommonFunctionProps {
  readonly bundles: Readonly<Record<FunctionName, string>>;
  readonly baseUrl: string;
  /** Secrets of the distribution before the API; empty without one. */
  readonly originSecrets: readonly string[];
  readonly stage: Stage;
  readonly networks: readonly NetworkFunction[];
  /** Namespace of metrics from log lines; undefined without such metrics. */
  readonly metricsNamespace: string | undefined;
  readonly roles: Roles;
  readonly logs: Logs;
  /** Team's VPC for functions that call others; undefined: Lambda's own network. */
  readonly egress: Egress | undefined;
}

export class Functions extends Construct {
  /** Targets of routes and invocations: code and layer frozen together, never `$LATEST`. */
  readonly aliases: Readonly<Record<FunctionName, Alias>>;

  constructor(scope: Construct, id: string, props: FunctionsProps) {
    super(scope, id);
    const credentials = this.alias('credentials', props);
    const connections = this.alias('connections', props);
    const networks = props.networks.map(({ alias }) => alias);
    const router = this.alias('router', props, { credentials, connections, networks });
    const mails = this.alias('mails', props);
    const identity = this.alias('identity', props);
    const management = this.alias('management', props, { router, mails, identity });
    const tally = this.alias('tally', props);
    this.aliases = {
      credentials,
      connections,
      router,
      mails,
      oauth: this.alias('oauth', props, { mails, identity }),
      identity,
      management,
      maintenance: this.alias('maintenance', props, { mails, management }),
      activity: this.alias('activity', props),
      tally,
      console: this.alias('console', props),
    };
    new Policy(this, 'TallyItself', {
      roles: [props.roles.of.tally],
      statements: [...grantsToItself('tally', tally)],
    });
  }

  private alias(name: FunctionName, props: FunctionsProps, callees: Callees = {}): Alias {
    return publishedFunction(new Construct(this, pascalCase(name)), {
      ...props,
      ...functions[name],
      name,
      bundle: props.bundles[name],
      ...this.variables(name, props, callees),
      role: props.roles.of[name],
      logGroup: props.logs.of[name],
      grants: grantsOf(name, props, callees),
      reservedConcurrency: props.stage.reservedConcurrency[name],
      provisionedConcurrency: props.stage.provisionedConcurrency[name],
      ...(callsOthers.includes(name) &&
        props.egress && {
          vpcConfig: props.egress.vpcConfig,
          policies: [props.egress.policy],
        }),
    });
  }

  private variables(
    name: FunctionName,
    props: FunctionsProps,
    callees: Callees,
  ): Readonly<Record<'environment' | 'settings', Readonly<Record<string, string>>>> {
    const { data, keys, stage } = props;
    const texts = textsOf(stage);
    const queues = {
      'unsent-mails': props.unsentMails,
      'unstored-calls': props.unstoredCalls,
      'unstorable-calls': props.unstorableCalls,
      'undelivered-commands': props.undeliveredCommands,
      untallied: props.untallied,
    };
    const places = placesOf(name, {
      table: (one) => data.tables[one].tableName,
      bucket: (one) => data.buckets[one].bucketName,
      queue: (one) => queues[one].queueUrl,
      invoked: (one) => callees[one]?.functionArn ?? '',
      networks: props.networks.map(({ network, alias }) => [
        network.name,
        `${alias.lambda.functionName}:${ALIAS}`,
      ]),
      others: {
        BASE_URL: props.baseUrl,
        ORIGIN_SECRETS: props.originSecrets.join(','),
        SIGNING_KEY_IDS: keys.signing.map(({ keyArn }) => keyArn).join(','),
        MINTING_KEY_IDS: keys.minting.map(({ keyArn }) => keyArn).join(','),
        MAIL_FROM: stage.mail.from,
        MAIL_CONFIGURATION_SET: props.mailConfigurationSet.configurationSetName,
        CONNECTIONS_ROLE: props.roles.of.connections.roleArn,
        CREDENTIAL_PREFIX: credentialPrefix(Stack.of(data)),
        CREDENTIALS_KEY_ID: keys.credentials.keyArn,
      },
    });
    return {
      environment: {
        ...places,
        ...settingsOf(name, texts, false),
        ...(props.metricsNamespace !== undefined && { METRICS_NAMESPACE: props.metricsNamespace }),
      },
      settings: settingsOf(name, texts, true),
    };
  }
}
