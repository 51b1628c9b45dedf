import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FunctionName } from '../../lambdas/manifest.ts';
import type { Edge } from '../edge/setting.ts';
import { sentencesOf, StageFile } from './file.ts';

const FOLDER = new URL('../../config/', import.meta.url);

/** The few values in which stages differ: `config/<stage>.json`. */
export interface Stage {
  readonly name: string;
  /** Keep tables, bucket and key when the stack is deleted, and refuse to delete them by accident. */
  readonly retainData: boolean;
  /** Back up tables and bucket daily. Source: docs/restore.md. */
  readonly backup: boolean;
  /** Overrides of limits by name. */
  readonly limits: Readonly<Record<string, number>>;
  /** The verified SES identity (an address or a domain) and the address of it that mails come from. */
  readonly mail: { readonly from: string; readonly identity: string };
  /** Secrets Manager, or envelopes in a table where there are more deployments than secrets are worth paying for. */
  readonly credentialStore: 'secrets-manager' | 'envelope';
  /** Without one, the base URL is that of the HTTP API itself. */
  readonly domain?:
    | {
        readonly name: string;
        readonly certificateArn: string;
        /** Certificates of an HTTP API's domain are of the API's own region, those of CloudFront of one region. */
        readonly certificateRegion: string;
      }
    | undefined;
  /** CloudFront with a web ACL before the API. Source: docs/edge.md. */
  readonly edge?: Edge | undefined;
  /**
   * Exact private-use redirect URIs that clients may register beside the rules.
   * Source: docs/decisions.md, "Redirect URIs".
   */
  readonly allowedRedirectUris: readonly string[];
  /**
   * Serve the authorization server's document at the origin's root, too.
   * Source: docs/decisions.md, "Metadata routes".
   */
  readonly rootAuthorizationServer: boolean;
  /** Versions of MCP that are served. Source: docs/decisions.md, "Protocol versions". */
  readonly protocolVersions: readonly string[];
  /** Whether deployments have a card. Source: docs/decisions.md, "Registries and cards". */
  readonly serverCards: boolean;
  /** Whose assertions buy access tokens, as the file says it. Source: docs/access.md, "Enterprise-managed authorization". */
  readonly identityProviders: readonly unknown[];
  /** Whose client metadata documents are taken; absent: everybody's. Source: docs/decisions.md, "Client metadata documents". */
  readonly clientDocumentHosts?: object | undefined;
  /** Numbers of the keys that sign JWTs. Source: docs/decisions.md, "Signing keys". */
  readonly signingKeys: readonly number[];
  /** Who may make an account without an operator: everybody, nobody, or addresses of some domains. */
  readonly signUp: 'open' | 'closed' | { readonly domains: readonly string[] };
  /** ARN of the topic of SNS that hears of alarms. */
  readonly alarmTopic?: string | undefined;
  /**
   * Have the API map `X-Mcp-Challenge` back to `WWW-Authenticate`.
   * Source: docs/decisions.md, "Challenges".
   */
  readonly challengeMapping: boolean;
  /** Of the whole API, before any function runs. */
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
  readonly logRetentionDays: number;
  /**
   * Have log lines make metrics, beside those that AWS makes of its own.
   * Source: docs/operations.md, "Metrics".
   */
  readonly metrics: boolean;
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

/**
 * Whether the certificate of the stage's domain can serve in a region.
 *
 * @param region - undefined where nobody knows it yet
 * @throws Error that names the key. Source: Amazon API Gateway, "Set up a custom domain name for HTTP APIs".
 */
export const checkCertificateRegion = (
  { name, domain, edge }: Stage,
  region: string | undefined,
): void => {
  // What CloudFront takes is known without the region, and is told with the file.
  if (!domain || edge || region === undefined || domain.certificateRegion === region) return;
  throw new Error(
    `config/${name}.json: \`domain.certificate_arn\`: the certificate is in ${domain.certificateRegion}, and the service in ${region}; request one there`,
  );
};

/** @throws Error that names the file and what is wrong with it, or the stages there are */
export const readStage = (name: string): Stage => {
  const path = fileURLToPath(new URL(`${name}.json`, FOLDER));
  if (!/^[a-z][a-z0-9-]{0,19}$/.test(name) || !existsSync(path)) {
    throw new Error(`there is no stage "${name}"; config/ has ${stageNames().join(', ')}`);
  }
  return stageOf(name, readFileSync(path, 'utf8'));
};

const stageNames = (): string[] => readdirSync(FOLDER).map((file) => file.replace(/\.json$/, ''));

/**
 * A stage as its file says it.
 *
 * @param text - of `config/<name>.json`
 * @throws Error with a sentence for each fault, which names the key and what helps
 */
export const stageOf = (name: string, text: string): Stage => {
  const faults = (sentences: readonly string[]): Error =>
    new Error(sentences.map((sentence) => `config/${name}.json: ${sentence}`).join('\n'));
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch (error) {
    throw faults([`no JSON (${(error as Error).message})`]);
  }
  const read = StageFile.safeParse(sent);
  if (!read.success) throw faults(read.error.issues.flatMap(sentencesOf));
  return { name, ...read.data };
};
