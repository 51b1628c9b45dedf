import { type FunctionName, functions } from '../../lambdas/manifest.ts';
import { buckets, tables } from '../../lambdas/storage-manifest.ts';
import { type EmbeddedAws, type InvokeHandler, startEmbeddedAws } from '../aws/index.ts';
import type { Plan } from '../../layers/limits/rules/plan.ts';
import type { StartArguments } from '../functions/index.ts';
import {
  type CredentialStores,
  credentialStoresOf,
  refuseStrandedCredentials,
} from './credential-stores.ts';
import type { Network } from '../../layers/target/rules/network.ts';
import { functionOfNetwork, networkVariables } from './networks.ts';
import { startFault } from './data-folder.ts';
import { ASSUMABLE_ROLES, localPolicies, storesInUse } from './policies.ts';
import { roleArn } from '../aws/iam/evaluate.ts';
import type { ModelHost } from '../../layers/openapi/model-apis/protocols.ts';
import type { OperatorSettings } from './operator-settings.ts';

const NAME_PREFIX = 'hosted-mcp-';
const SIGNING_KEYS = [`alias/${NAME_PREFIX}signing`, `alias/${NAME_PREFIX}signing-2`];
const MINTING_KEYS = [`alias/${NAME_PREFIX}minting`, `alias/${NAME_PREFIX}minting-2`];
const CREDENTIALS_KEY = `alias/${NAME_PREFIX}credentials`;
const MAIL_FROM = 'hosted-mcp@localhost';
const CREDENTIAL_PREFIX = `${NAME_PREFIX}credentials`;
/** Of work that failed; calls of `unstored-calls` are stored again by a subscription here. */
const QUEUES = ['unsent-mails', 'unstored-calls', 'unstorable-calls', 'undelivered-commands'];
const MAIL_CONFIGURATION_SET = `${NAME_PREFIX}mails`;

/** The embedded AWS with all that the stack would make. @throws StartRefused if the data folder cannot be used */
export const openAws = async (
  {
    dataFolder,
    eventRetryMs,
    operator,
    networks,
  }: {
    readonly dataFolder: string;
    readonly eventRetryMs?: readonly number[];
    readonly operator?: Partial<OperatorSettings>;
    readonly networks?: readonly Network[];
  },
  onInvoke: InvokeHandler,
  exists: (functionName: string) => boolean,
): Promise<EmbeddedAws> => {
  const stores = credentialStoresOf(operator);
  const throwStartFault = (error: unknown): never => {
    throw startFault(dataFolder, error);
  };
  const retries = eventRetryMs && { eventRetryMs };
  const aws = await startEmbeddedAws({ dataFolder, ...retries }).catch(throwStartFault);
  try {
    aws.onInvoke(onInvoke, exists);
    await aws.createTables(tables, NAME_PREFIX);
    await aws.createBuckets(buckets, NAME_PREFIX);
    for (const alias of [...SIGNING_KEYS, ...MINTING_KEYS]) await aws.createSigningKey(alias);
    await aws.createEncryptionKey(CREDENTIALS_KEY);
    await refuseStrandedCredentials(aws, stores, `${NAME_PREFIX}credentials`);
    aws.enforce(policiesOn(aws, stores, networks));
    for (const [name, { events, mailFeedback }] of Object.entries(functions)) {
      if (events) aws.configureEvents(name, events);
      if (mailFeedback) aws.createConfigurationSet(MAIL_CONFIGURATION_SET, name);
    }
    for (const name of QUEUES) aws.createQueue(name);
    await aws.resumeEvents();
    return aws;
  } catch (error) {
    await aws.close();
    return throwStartFault(error);
  }
};

/** An operator may invoke every function, and tests, as `test`, look at what no function may see. */
const ADMINISTRATORS = ['operator', 'test'];

/** What functions may do in a stage with these stores. */
export const policiesOn = (
  aws: EmbeddedAws,
  { store, former }: CredentialStores,
  networks: readonly Network[] = [],
) =>
  localPolicies(
    storesInUse(store, former),
    {
      region: aws.region,
      prefix: NAME_PREFIX,
      credentialPrefix: CREDENTIAL_PREFIX,
      signingKeys: SIGNING_KEYS.map(aws.keyArn),
      mintingKeys: MINTING_KEYS.map(aws.keyArn),
      credentialsKey: aws.keyArn(CREDENTIALS_KEY),
      mailFrom: MAIL_FROM,
      mailConfigurationSet: MAIL_CONFIGURATION_SET,
      networkFunctions: networks.map(functionOfNetwork),
    },
    ADMINISTRATORS,
  );

export interface FunctionSettings {
  /** JSON */
  readonly limits: string;
  /** JSON */
  readonly allowedRedirectUris?: string;
  /** Of pages that may use deployments of mode `none`, beside those of loopback. */
  readonly allowedOrigins?: readonly string[];
  /** `open` as long as nothing is said. */
  readonly signUp?: string;
  /** `free` as long as nothing is said. */
  readonly newAccountPlan?: Plan;
  /** Between commas; all as long as nothing is said. */
  readonly protocolVersions?: string;
  /** Private networks; none as long as nothing is said. */
  readonly networks?: readonly Network[];
  /** Hosts of models beside the vendors; none as long as nothing is said. */
  readonly modelHosts?: readonly ModelHost[];
  /** What else an operator has set, by the variable of functions. */
  readonly operator?: Partial<OperatorSettings>;
}

/** The environment and the options of a function. */
export const startArguments = (
  name: FunctionName,
  baseUrl: string,
  {
    limits,
    allowedRedirectUris = '',
    allowedOrigins = [],
    signUp = 'open',
    newAccountPlan = 'free',
    protocolVersions = '',
    networks = [],
    modelHosts = [],
    operator = {},
  }: FunctionSettings,
  aws: EmbeddedAws,
  gatewayPort: number,
): StartArguments => {
  const { store, former } = credentialStoresOf(operator);
  const values: Readonly<Record<string, string>> = {
    BASE_URL: baseUrl,
    ORIGIN_SECRETS: '',
    LIMITS: limits,
    SIGNING_KEY_IDS: SIGNING_KEYS.join(','),
    MINTING_KEY_IDS: MINTING_KEYS.join(','),
    MAIL_FROM,
    MAIL_CONFIGURATION_SET,
    ALLOWED_REDIRECT_URIS: allowedRedirectUris,
    ROOT_AUTHORIZATION_SERVER: 'false',
    SIGN_UP: signUp,
    NEW_ACCOUNT_PLAN: newAccountPlan,
    PROTOCOL_VERSIONS: protocolVersions,
    SERVER_CARDS: '',
    LOG_LEVEL: '',
    IDENTITY_PROVIDERS: '',
    CLIENT_DOCUMENT_HOSTS: '',
    MODEL_HOSTS: JSON.stringify(modelHosts),
    ASSUMABLE_ROLES: JSON.stringify([ASSUMABLE_ROLES]),
    CONNECTIONS_ROLE: roleArn('connections' satisfies FunctionName),
    ...networkVariables(networks),
    ...operator,
    CREDENTIAL_STORE: store,
    CREDENTIAL_STORE_FORMER: former ?? '',
    CREDENTIAL_PREFIX,
    CREDENTIALS_KEY_ID: CREDENTIALS_KEY,
    CREDENTIALS_FUNCTION: 'credentials:live' satisfies `${FunctionName}:live`,
    CONNECTIONS_FUNCTION: 'connections:live' satisfies `${FunctionName}:live`,
    MAILS_FUNCTION: 'mails:live' satisfies `${FunctionName}:live`,
    MANAGEMENT_FUNCTION: 'management:live' satisfies `${FunctionName}:live`,
    ROUTER_FUNCTION: 'router:live' satisfies `${FunctionName}:live`,
    ...Object.fromEntries(Object.keys(tables).map((name) => placeVariable(name, 'TABLE'))),
    ...Object.fromEntries(Object.keys(buckets).map((name) => placeVariable(name, 'BUCKET'))),
    ...Object.fromEntries(QUEUES.map((name) => [variable(name, 'QUEUE'), aws.queueUrl(name)])),
  };
  const own = functions[name].environment.map((variable) => {
    const value = values[variable];
    if (value === undefined) throw new Error(`${name} asks for ${variable}, which nothing sets`);
    return [variable, value] as const;
  });
  return {
    environment: { ...Object.fromEntries(own), ...aws.environment(name) },
    // Target APIs may be on this machine, but neither the embedded AWS nor the service itself.
    options: {
      targets: { loopback: { exceptPorts: [...aws.ports, gatewayPort] } },
      localOrigins: allowedOrigins,
    },
  };
};

/** `deployment-content` is what `DEPLOYMENT_CONTENT_TABLE` names. */
const placeVariable = (name: string, kind: 'TABLE' | 'BUCKET') => [
  variable(name, kind),
  `${NAME_PREFIX}${name}`,
];

const variable = (name: string, kind: string): string =>
  `${name.toUpperCase().replaceAll('-', '_')}_${kind}`;
