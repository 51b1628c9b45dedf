import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CredentialStore } from '../../layers/credentials/rules/credential-stores.ts';
import type { LogLevel } from '../../layers/platform/rules/log-level.ts';
import type { FunctionName } from '../../lambdas/manifest.ts';
import type { VaultLock } from '../data/vault-lock.ts';
import type { Edge } from '../edge/setting.ts';
import type { Egress } from './egress.ts';
import type { StageNetwork } from './networks.ts';
import { faultsIn, sentencesOf, StageFile } from './file.ts';
import { placeFaults, type Shell } from './place.ts';
import { whatToWrite } from './words.ts';
import { parsedJson } from '../../layers/platform/rules/json/parsed-json.ts';

const FOLDER = new URL('../../config/', import.meta.url);

/** The few values in which stages differ: `config/<stage>.json`. */
export interface Stage {
  readonly name: string;
  /** Where this was read from, for sentences about it. */
  readonly file: string;
  /** What it is deployed into; whatever the CLI of the CDK finds where it is not said. */
  readonly account?: string | undefined;
  readonly region?: string | undefined;
  /** Of every resource, beside those that name the application and the stage. */
  readonly tags: Readonly<Record<string, string>>;
  /** Name of the policy that bounds what roles of the stage may do. Source: docs/continuous-deployment.md. */
  readonly permissionsBoundary?: string | undefined;
  /** Keep tables, buckets and keys when the stack is deleted, and refuse to delete them by accident. */
  readonly retainData: boolean;
  /** Back up tables and files daily. Source: docs/restore.md. */
  readonly backup: boolean;
  /** ARN of a vault that gets a copy of each backup. Source: docs/restore.md, "Copies elsewhere". */
  readonly backupCopyTo?: string | undefined;
  /** What the vault of backups holds everybody to. Source: docs/restore.md, "A locked vault". */
  readonly backupVaultLock?: VaultLock | undefined;
  /** Overrides of limits by name. */
  readonly limits: Readonly<Record<string, number>>;
  /** The verified SES identity (an address or a domain) and the address of it that mails come from. */
  readonly mail: { readonly from: string; readonly identity: string };
  /** Envelopes in a table, or Secrets Manager. Source: docs/decisions/credentials.md, "Credentials". */
  readonly credentialStore: CredentialStore;
  /** Where credentials were before. Source: docs/aws.md, "Another store of credentials". */
  readonly formerCredentialStore?: CredentialStore | undefined;
  /** Without one, the base URL is that of the HTTP API itself. */
  readonly domain?:
    | {
        readonly name: string;
        readonly certificateArn: string;
      }
    | undefined;
  /** CloudFront with a web ACL before the API. Source: docs/edge.md. */
  readonly edge?: Edge | undefined;
  /**
   * Exact private-use redirect URIs that clients may register beside the rules.
   * Source: docs/decisions/oauth.md, "Redirect URIs".
   */
  readonly allowedRedirectUris: readonly string[];
  /**
   * Serve the authorization server's document at the origin's root, too.
   * Source: docs/decisions/oauth.md, "Metadata routes".
   */
  readonly rootAuthorizationServer: boolean;
  /** Versions of MCP that are served. Source: docs/decisions/mcp.md, "Protocol versions". */
  readonly protocolVersions: readonly string[];
  /** Whether deployments have a card. Source: docs/decisions/mcp.md, "Registries and cards". */
  readonly serverCards: boolean;
  /** Whose assertions buy access tokens, as the file says it. Source: docs/access.md, "Enterprise-managed authorization". */
  readonly identityProviders: readonly unknown[];
  /**
   * Whose client metadata documents are taken; absent: everybody's. Source: docs/decisions/oauth.md,
   * "Client metadata documents".
   */
  readonly clientDocumentHosts?: object | undefined;
  /** Hosts of models beside the vendors, as the file says it. Source: docs/evaluation.md, "A model of your company". */
  readonly modelHosts: readonly unknown[];
  /** Roles that owners may have calls signed as: ARNs, and paths that end in `/*`. Source: docs/decisions/credentials.md, "Roles of AWS". */
  readonly assumableRoles: readonly string[];
  /** Numbers of the keys that sign JWTs. Source: docs/decisions/oauth.md, "Signing keys". */
  readonly signingKeys: readonly number[];
  /** Who may make an account without an operator: everybody, nobody, or addresses of some domains. */
  readonly signUp: 'open' | 'closed' | { readonly domains: readonly string[] };
  /** Of accounts that people make themselves; operators change it for one. */
  readonly newAccountPlan: 'free' | 'pro';
  /** ARN of the topic of SNS for alarms that wake somebody. */
  readonly alarmTopic?: string | undefined;
  /** And for those that can wait; they go to the other where there is none. */
  readonly noticeTopic?: string | undefined;
  /**
   * Have the API map `X-Mcp-Challenge` back to `WWW-Authenticate`.
   * Source: docs/decisions/oauth.md, "Challenges".
   */
  readonly challengeMapping: boolean;
  /** Of each route, before any function runs; pages have less. Source: docs/aws.md, "Throttles". */
  readonly requestsPerSecond: number;
  readonly burst: number;
  /** How a new version takes over. Source: docs/releases.md. */
  readonly releases: 'all_at_once' | 'canary';
  /** The oldest release that may still serve on this stage's data; the one before this one if omitted. */
  readonly deployedRelease?: string | undefined;
  /**
   * How many executions of a function may run at once, and are kept free for it.
   * Source: docs/aws.md, "Reserved concurrency".
   */
  readonly reservedConcurrency: Readonly<Partial<Record<FunctionName, number | undefined>>>;
  /**
   * How many instances of a function are kept started.
   * Source: docs/costs.md, "Provisioned concurrency".
   */
  readonly provisionedConcurrency: Readonly<Partial<Record<FunctionName, number | undefined>>>;
  /** How many executions the account may run at once, those of other stages and services included. */
  readonly accountConcurrency: number;
  /** Private networks that deployments may call their APIs in. Source: docs/networks.md. */
  readonly networks: readonly StageNetwork[];
  /** Subnets by which calls of others leave, of the team's own. Source: docs/egress.md. */
  readonly egress?: Egress | undefined;
  readonly logRetentionDays: number;
  /**
   * Have log lines make metrics, beside those that AWS makes of its own.
   * Source: docs/operations.md, "Metrics".
   */
  readonly metrics: boolean;
  /** The least level of lines of requests. Source: docs/operations.md, "The level of the log". */
  readonly logLevel: LogLevel;
  /** Have X-Ray trace invocations. Source: docs/operations.md, "Traces". */
  readonly traces: 'off' | 'xray';
  /** A tool that a function calls every five minutes. Source: docs/operations.md, "The canary". */
  readonly canary?:
    | {
        /** Of a deployment of mode `none`. */
        readonly slug: string;
        readonly tool: string;
        readonly arguments: Readonly<Record<string, unknown>>;
      }
    | undefined;
}

/** Where a stage is read from, and what the CLI of the CDK has found of the shell that it runs in. */
export interface Source extends Shell {
  /** Of the stage; `dev` if it is not said. */
  readonly name: string | undefined;
  /** Of its file; otherwise that of this name in `config/`. */
  readonly path?: string | undefined;
}

/** @throws Error that names the file and what is wrong with it, or the stages there are */
export const readStage = ({ path, name, ...shell }: Source): Stage => {
  if (path !== undefined && name === undefined) {
    throw new Error(`${path}: write \`--context stage=NAME\` too: the stacks are named by it`);
  }
  const stage = path === undefined ? fromRepository(name ?? 'dev') : fromOutside(name ?? '', path);
  return inPlace(stage, shell);
};

/** The same stage. @throws Error that names what does not fit where it is deployed */
export const inPlace = (stage: Stage, shell: Shell): Stage => {
  const faults = placeFaults(stage, shell);
  if (faults.length > 0) throw faultsOf(stage.file, faults);
  return stage;
};

const NAME = /^[a-z][a-z0-9-]{0,19}$/;

const fromRepository = (name: string): Stage => {
  const path = fileURLToPath(new URL(`${name}.json`, FOLDER));
  if (NAME.test(name) && existsSync(path)) return stageOf(name, readFileSync(path, 'utf8'));
  const names = readdirSync(FOLDER).map((file) => file.replace(/\.json$/, ''));
  throw new Error(`there is no stage "${name}"; config/ has ${names.join(', ')}`);
};

const fromOutside = (name: string, path: string): Stage => {
  checkName(name);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`${path}: it cannot be read (${(error as Error).message})`, { cause: error });
  }
  return stageOf(name, text, path);
};

const checkName = (name: string): void => {
  if (NAME.test(name)) return;
  throw new Error(
    `"${name}" is no name of a stage: write up to 20 lower-case letters, digits and hyphens`,
  );
};

/**
 * A stage as its file says it.
 *
 * @param text - of the file
 * @throws Error with a sentence for each fault, which names the key and what helps
 */
export const stageOf = (name: string, text: string, file = `config/${name}.json`): Stage => {
  checkName(name);
  let sent: unknown;
  try {
    sent = parsedJson(text);
  } catch (error) {
    throw faultsOf(file, [(error as Error).message]);
  }
  const read = StageFile.safeParse(sent, { error: whatToWrite });
  if (!read.success) throw faultsOf(file, faultsIn(read.error.issues).flatMap(sentencesOf));
  return { name, file, ...read.data };
};

const faultsOf = (file: string, sentences: readonly string[]): Error =>
  new Error(sentences.map((sentence) => `${file}: ${sentence}`).join('\n'));
