import { type FunctionName, functions } from '../../lambdas/manifest.ts';
import { buckets, tables } from '../../lambdas/storage-manifest.ts';
import { type EmbeddedAws, type InvokeHandler, startEmbeddedAws } from '../aws/index.ts';
import type { StartArguments } from '../functions/index.ts';
import { unusable } from './data-folder.ts';
import { localPolicies } from './policies.ts';
import type { OperatorSettings } from './operator-settings.ts';

const NAME_PREFIX = 'hosted-mcp-';
const SIGNING_KEYS = [`alias/${NAME_PREFIX}signing`, `alias/${NAME_PREFIX}signing-2`];
const CREDENTIALS_KEY = `alias/${NAME_PREFIX}credentials`;
const MAIL_FROM = 'hosted-mcp@localhost';
const BUCKET = `${NAME_PREFIX}descriptions`;
const CREDENTIAL_STORE = 'secrets-manager';
const CREDENTIAL_PREFIX = `${NAME_PREFIX}credentials`;
const MAIL_CONFIGURATION_SET = `${NAME_PREFIX}mails`;

/** The embedded AWS with all that the stack would make. @throws StartRefused if the data folder cannot be used */
export const openAws = async (
  {
    dataFolder,
    eventRetryMs,
  }: { readonly dataFolder: string; readonly eventRetryMs?: readonly number[] },
  onInvoke: InvokeHandler,
  exists: (functionName: string) => boolean,
): Promise<EmbeddedAws> => {
  try {
    const aws = await startEmbeddedAws({ dataFolder, ...(eventRetryMs && { eventRetryMs }) });
    aws.onInvoke(onInvoke, exists);
    await aws.createTables(tables, NAME_PREFIX);
    await aws.createBucket(BUCKET, buckets.descriptions.expires);
    for (const alias of SIGNING_KEYS) await aws.createSigningKey(alias);
    await aws.createEncryptionKey(CREDENTIALS_KEY);
    aws.enforce(policiesOn(aws));
    for (const [name, { events, mailFeedback }] of Object.entries(functions)) {
      if (events) aws.configureEvents(name, events);
      if (mailFeedback) aws.createConfigurationSet(MAIL_CONFIGURATION_SET, name);
    }
    await aws.resumeEvents();
    return aws;
  } catch (error) {
    throw unusable(dataFolder, error);
  }
};

/** An operator may invoke every function, and tests, as `test`, look at what no function may see. */
const ADMINISTRATORS = ['operator', 'test'];

const policiesOn = (aws: EmbeddedAws) =>
  localPolicies(
    CREDENTIAL_STORE,
    {
      region: aws.region,
      tablePrefix: NAME_PREFIX,
      bucket: BUCKET,
      credentialPrefix: CREDENTIAL_PREFIX,
      signingKeys: SIGNING_KEYS.map(aws.keyArn),
      credentialsKey: aws.keyArn(CREDENTIALS_KEY),
      mailFrom: MAIL_FROM,
      mailConfigurationSet: MAIL_CONFIGURATION_SET,
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
  /** Between commas; all as long as nothing is said. */
  readonly protocolVersions?: string;
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
    protocolVersions = '',
    operator = {},
  }: FunctionSettings,
  aws: EmbeddedAws,
  gatewayPort: number,
): StartArguments => {
  const values: Readonly<Record<string, string>> = {
    BASE_URL: baseUrl,
    ORIGIN_SECRETS: '',
    LIMITS: limits,
    DESCRIPTIONS_BUCKET: BUCKET,
    SIGNING_KEY_IDS: SIGNING_KEYS.join(','),
    MAIL_FROM,
    MAIL_CONFIGURATION_SET,
    ALLOWED_REDIRECT_URIS: allowedRedirectUris,
    ROOT_AUTHORIZATION_SERVER: 'false',
    SIGN_UP: signUp,
    PROTOCOL_VERSIONS: protocolVersions,
    SERVER_CARDS: '',
    IDENTITY_PROVIDERS: '',
    CLIENT_DOCUMENT_HOSTS: '',
    ...operator,
    CREDENTIAL_STORE,
    CREDENTIAL_PREFIX,
    CREDENTIALS_KEY_ID: CREDENTIALS_KEY,
    CREDENTIALS_FUNCTION: 'credentials:live' satisfies `${FunctionName}:live`,
    MAILS_FUNCTION: 'mails:live' satisfies `${FunctionName}:live`,
    ROUTER_FUNCTION: 'router:live' satisfies `${FunctionName}:live`,
    ...Object.fromEntries(Object.keys(tables).map((table) => tableVariable(table))),
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
const tableVariable = (table: string) => [
  `${table.toUpperCase().replaceAll('-', '_')}_TABLE`,
  `${NAME_PREFIX}${table}`,
];
