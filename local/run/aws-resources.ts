import { type FunctionName, functions } from '../../lambdas/manifest.ts';
import { buckets, QUEUES, tables } from '../../lambdas/storage-manifest.ts';
import { placesOf, settingsOf, textsOf } from '../../lib/stage/variables.ts';
import { type EmbeddedAws, type InvokeHandler, startEmbeddedAws } from '../aws/index.ts';
import type { StartArguments } from '../functions/index.ts';
import {
  type CredentialStores,
  credentialStoresOf,
  refuseStrandedCredentials,
} from './credential-stores.ts';
import type { Network } from '../../layers/target/rules/network.ts';
import { functionOfNetwork } from './networks.ts';
import { startFault } from './data-folder.ts';
import { ASSUMABLE_ROLES, localPolicies, storesInUse } from './policies.ts';
import { roleArn } from '../aws/iam/evaluate.ts';
import type { LocalSettings } from './settings.ts';

const NAME_PREFIX = 'hosted-mcp-';
const SIGNING_KEYS = [`alias/${NAME_PREFIX}signing`, `alias/${NAME_PREFIX}signing-2`];
const MINTING_KEYS = [`alias/${NAME_PREFIX}minting`, `alias/${NAME_PREFIX}minting-2`];
const CREDENTIALS_KEY = `alias/${NAME_PREFIX}credentials`;
const MAIL_FROM = 'hosted-mcp@localhost';
const CREDENTIAL_PREFIX = `${NAME_PREFIX}credentials`;
const MAIL_CONFIGURATION_SET = `${NAME_PREFIX}mails`;

/** The embedded AWS with the resources of the stack. @throws StartRefused if the data folder cannot be used */
export const openAws = async (
  {
    dataFolder,
    eventRetryMs,
    settings,
    networks,
  }: {
    readonly dataFolder: string;
    readonly eventRetryMs?: readonly number[];
    readonly settings?: LocalSettings;
    readonly networks?: readonly Network[];
  },
  onInvoke: InvokeHandler,
  exists: (functionName: string) => boolean,
): Promise<EmbeddedAws> => {
  const stores = credentialStoresOf(settings);
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

/** Callers without a policy: operators may invoke every function, and `test` looks at what no function may see. */
const ADMINISTRATORS = ['operator', 'test'];

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
  readonly settings?: LocalSettings;
  /** Origins of web pages that may use servers of mode `none`, besides those of loopback. */
  readonly allowedOrigins?: readonly string[];
  readonly networks?: readonly Network[];
  /** PEM certificates that all calls of APIs trust, besides the public ones. */
  readonly certificateAuthorities?: readonly string[];
}

export const startArguments = (
  name: FunctionName,
  baseUrl: string,
  {
    settings = {},
    allowedOrigins = [],
    networks = [],
    certificateAuthorities = [],
  }: FunctionSettings,
  aws: EmbeddedAws,
  gatewayPort: number,
): StartArguments => {
  const texts = { ...textsOf({ assumableRoles: [ASSUMABLE_ROLES], networks }), ...settings };
  const places = placesOf(name, {
    table: local,
    bucket: local,
    queue: aws.queueUrl,
    invoked: (one) => `${one}:live`,
    networks: networks.map((one) => [one.name, `${functionOfNetwork(one)}:live`]),
    others: {
      BASE_URL: baseUrl,
      ORIGIN_SECRETS: '',
      SIGNING_KEY_IDS: SIGNING_KEYS.join(','),
      MINTING_KEY_IDS: MINTING_KEYS.join(','),
      MAIL_FROM,
      MAIL_CONFIGURATION_SET,
      CONNECTIONS_ROLE: roleArn('connections' satisfies FunctionName),
      CREDENTIAL_PREFIX,
      CREDENTIALS_KEY_ID: CREDENTIALS_KEY,
    },
  });
  return {
    environment: {
      ...places,
      ...settingsOf(name, texts, false),
      ...settingsOf(name, texts, true),
      ...aws.environment(name),
    },
    // Target APIs may be on this machine, but neither the embedded AWS nor the service itself.
    options: {
      targets: { loopback: { exceptPorts: [...aws.ports, gatewayPort], certificateAuthorities } },
      localOrigins: allowedOrigins,
    },
  };
};

const local = (name: string): string => `${NAME_PREFIX}${name}`;
