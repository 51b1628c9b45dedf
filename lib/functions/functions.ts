import { Stack } from 'aws-cdk-lib';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import {
  type EnvironmentName,
  type FunctionName,
  functions,
  SETTINGS,
} from '../../lambdas/manifest.ts';
import { credentialPrefix } from '../data/credentials.ts';
import { type Callees, type GrantProps, grantsOf } from '../permissions/grants.ts';
import { ALIAS, type CommonFunctionProps, publishedFunction } from './published-function.ts';
import { callsOthers, type Egress } from '../networks/egress.ts';
import type { NetworkFunction } from '../networks/functions.ts';
import type { Logs } from '../monitoring/logs.ts';
import type { Roles } from '../permissions/roles.ts';
import type { Stage } from '../stage/stage.ts';
import { pascalCase } from '../pascal-case.ts';

export interface FunctionsProps extends GrantProps, CommonFunctionProps {
  /** Folder of each function's bundle. */
  readonly bundles: Readonly<Record<FunctionName, string>>;
  readonly baseUrl: string;
  /** Of the distribution before the API; none where there is none. */
  readonly originSecrets: readonly string[];
  readonly limits: Readonly<Record<string, number>>;
  readonly allowedRedirectUris: readonly string[];
  readonly rootAuthorizationServer: boolean;
  readonly protocolVersions: readonly string[];
  readonly serverCards: boolean;
  readonly logLevel: Stage['logLevel'];
  readonly identityProviders: Stage['identityProviders'];
  readonly clientDocumentHosts: Stage['clientDocumentHosts'];
  readonly modelHosts: Stage['modelHosts'];
  readonly assumableRoles: Stage['assumableRoles'];
  readonly signUp: Stage['signUp'];
  readonly newAccountPlan: Stage['newAccountPlan'];
  readonly networks: readonly NetworkFunction[];
  readonly reservedConcurrency: Stage['reservedConcurrency'];
  readonly provisionedConcurrency: Stage['provisionedConcurrency'];
  /** Of the metrics that log lines make; undefined: they make none. */
  readonly metricsNamespace: string | undefined;
  readonly roles: Roles;
  readonly logs: Logs;
  /** The way out of those that call others; undefined: Lambda's own. */
  readonly egress: Egress | undefined;
}

/** One function per set of permissions, each published as a version behind an alias. */
export class Functions extends Construct {
  /** What routes and invocations target: code and layer frozen together, never `$LATEST`. */
  readonly aliases: Readonly<Record<FunctionName, Alias>>;

  constructor(scope: Construct, id: string, props: FunctionsProps) {
    super(scope, id);
    const broker = this.alias('credentials', props, {});
    const connections = this.alias('connections', props, {});
    const networks = props.networks.map(({ alias }) => alias);
    const router = this.alias('router', props, { broker, connections, networks });
    const mails = this.alias('mails', props, {});
    const callees = { broker, router, mails };
    const management = this.alias('management', props, callees);
    this.aliases = {
      credentials: broker,
      connections,
      router,
      mails,
      oauth: this.alias('oauth', props, callees),
      management,
      maintenance: this.alias('maintenance', props, { mails, management }),
      activity: this.alias('activity', props, {}),
      console: this.alias('console', props, {}),
    };
  }

  private alias(name: FunctionName, props: FunctionsProps, callees: Callees): Alias {
    return publishedFunction(new Construct(this, pascalCase(name)), {
      ...props,
      ...functions[name],
      name,
      bundle: props.bundles[name],
      ...this.variables(name, props, callees),
      role: props.roles.of[name],
      logGroup: props.logs.of[name],
      grants: grantsOf(name, props, callees),
      reservedConcurrency: props.reservedConcurrency[name],
      provisionedConcurrency: props.provisionedConcurrency[name],
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
    { broker, connections, router, mails, management }: Callees,
  ): Readonly<Record<'environment' | 'settings', Readonly<Record<string, string>>>> {
    const { data, keys, baseUrl, limits, credentialStore, formerCredentialStore } = props;
    const values: Record<EnvironmentName, string> = {
      BASE_URL: baseUrl,
      ORIGIN_SECRETS: props.originSecrets.join(','),
      LIMITS: JSON.stringify(limits),
      DEPLOYMENTS_TABLE: data.tables.deployments.tableName,
      DEPLOYMENT_CONTENT_TABLE: data.tables['deployment-content'].tableName,
      USERS_TABLE: data.tables.users.tableName,
      OAUTH_TABLE: data.tables.oauth.tableName,
      LIMITS_TABLE: data.tables.limits.tableName,
      SECURITY_EVENTS_TABLE: data.tables['security-events'].tableName,
      CALLS_TABLE: data.tables.calls.tableName,
      RECORDED_CALLS_TABLE: data.tables['recorded-calls'].tableName,
      DESCRIPTIONS_BUCKET: data.buckets.descriptions.bucketName,
      ANSWERS_BUCKET: data.buckets.answers.bucketName,
      SIGNING_KEY_IDS: keys.signing.map(({ keyArn }) => keyArn).join(','),
      MINTING_KEY_IDS: keys.minting.map(({ keyArn }) => keyArn).join(','),
      MAIL_FROM: props.mail.from,
      MAIL_CONFIGURATION_SET: props.mailConfigurationSet.configurationSetName,
      SIGN_UP: typeof props.signUp === 'string' ? props.signUp : JSON.stringify(props.signUp),
      NEW_ACCOUNT_PLAN: props.newAccountPlan,
      ALLOWED_REDIRECT_URIS: JSON.stringify(props.allowedRedirectUris),
      ROOT_AUTHORIZATION_SERVER: String(props.rootAuthorizationServer),
      PROTOCOL_VERSIONS: props.protocolVersions.join(','),
      SERVER_CARDS: String(props.serverCards),
      LOG_LEVEL: props.logLevel,
      IDENTITY_PROVIDERS: JSON.stringify(props.identityProviders),
      CLIENT_DOCUMENT_HOSTS: props.clientDocumentHosts
        ? JSON.stringify(props.clientDocumentHosts)
        : '',
      MODEL_HOSTS: jsonUnlessEmpty(props.modelHosts),
      ASSUMABLE_ROLES: JSON.stringify(props.assumableRoles),
      CONNECTIONS_ROLE: props.roles.of.connections.roleArn,
      NETWORKS: jsonUnlessEmpty(
        props.networks.map(({ network: { name: own, hosts, http, emails, domains } }) => ({
          name: own,
          hosts,
          http,
          emails,
          domains,
        })),
      ),
      NETWORK_FUNCTIONS: jsonUnlessEmpty(
        props.networks.map(
          ({ network, alias }) => [network.name, `${alias.lambda.functionName}:${ALIAS}`] as const,
        ),
        Object.fromEntries,
      ),
      CREDENTIAL_STORE: credentialStore,
      CREDENTIAL_STORE_FORMER: formerCredentialStore ?? '',
      CREDENTIAL_PREFIX: credentialPrefix(Stack.of(data)),
      CREDENTIALS_TABLE: data.tables.credentials.tableName,
      CREDENTIALS_KEY_ID: keys.credentials.keyArn,
      CONNECTIONS_TABLE: data.tables.connections.tableName,
      CREDENTIALS_FUNCTION: broker?.functionArn ?? '',
      CONNECTIONS_FUNCTION: connections?.functionArn ?? '',
      ROUTER_FUNCTION: router?.functionArn ?? '',
      MAILS_FUNCTION: mails?.functionArn ?? '',
      MANAGEMENT_FUNCTION: management?.functionArn ?? '',
      UNSENT_MAILS_QUEUE: props.unsentMails.queueUrl,
      UNSTORED_CALLS_QUEUE: props.unstoredCalls.queueUrl,
      UNSTORABLE_CALLS_QUEUE: props.unstorableCalls.queueUrl,
      UNDELIVERED_COMMANDS_QUEUE: props.undeliveredCommands.queueUrl,
    };
    const own = functions[name].environment;
    const valuesOf = (names: readonly EnvironmentName[]) =>
      Object.fromEntries(names.map((key) => [key, values[key]]));
    return {
      environment: {
        ...valuesOf(own.filter((key) => !isSetting(key))),
        ...(props.metricsNamespace !== undefined && { METRICS_NAMESPACE: props.metricsNamespace }),
      },
      settings: valuesOf(own.filter(isSetting)),
    };
  }
}

const isSetting = (name: EnvironmentName): boolean => SETTINGS.some((setting) => setting === name);

/** Empty where there are none. */
const jsonUnlessEmpty = <One>(
  all: readonly One[],
  form: (all: readonly One[]) => unknown = (same) => same,
): string => (all.length === 0 ? '' : JSON.stringify(form(all)));
