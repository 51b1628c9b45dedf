import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

const FOLDER = new URL('../config/', import.meta.url);

/** As the functions read them. */
const MAY_BE_0 = new Set([
  'free_searchable_operations',
  'pro_searchable_operations',
  'kept_answer_max_bytes',
]);

const StageFile = z
  .strictObject({
    retain_data: z.boolean(),
    limits: z
      .record(z.string(), z.int().min(0))
      .refine(
        (limits) =>
          Object.entries(limits).every(([name, value]) => value > 0 || MAY_BE_0.has(name)),
        'a limit is 0 that may not be',
      )
      .default({}),
    mail: z.strictObject({ from: z.email(), identity: z.string().min(3) }),
    credential_store: z.enum(['secrets-manager', 'envelope']).default('secrets-manager'),
    domain: z.strictObject({ name: z.string(), certificate_arn: z.string() }).optional(),
    // As the function reads them.
    allowed_redirect_uris: z
      .array(
        z
          .string()
          .regex(
            /^(?!(?:about|blob|data|file|ftp|https?|javascript|mailto|vbscript|wss?):)[a-z][a-z0-9+.-]*:[\x21\x24-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+$/i,
            'is no private-use URI',
          ),
      )
      .default([]),
    root_authorization_server: z.boolean().default(false),
    challenge_mapping: z.boolean().default(false),
    requests_per_second: z.int().min(1).default(500),
    burst: z.int().min(1).default(1000),
  })
  .transform((file) => ({
    retainData: file.retain_data,
    limits: file.limits,
    mail: file.mail,
    credentialStore: file.credential_store,
    domain: file.domain && { name: file.domain.name, certificateArn: file.domain.certificate_arn },
    allowedRedirectUris: file.allowed_redirect_uris,
    rootAuthorizationServer: file.root_authorization_server,
    challengeMapping: file.challenge_mapping,
    requestsPerSecond: file.requests_per_second,
    burst: file.burst,
    logRetentionDays: retention(file.limits['log_retention_days']),
  }));

/** The few values in which stages differ: `config/<stage>.json`. */
export interface Stage {
  readonly name: string;
  /** Keep tables, bucket and key when the stack is deleted, and refuse to delete them by accident. */
  readonly retainData: boolean;
  /** Overrides of limits by name. */
  readonly limits: Readonly<Record<string, number>>;
  /** The verified SES identity (an address or a domain) and the address of it that mails come from. */
  readonly mail: { readonly from: string; readonly identity: string };
  /** Secrets Manager, or envelopes in a table where there are more deployments than secrets are worth paying for. */
  readonly credentialStore: 'secrets-manager' | 'envelope';
  /** Without one, the base URL is that of the HTTP API itself. */
  readonly domain?: { readonly name: string; readonly certificateArn: string } | undefined;
  /** Exact private-use redirect URIs that clients may register beside the rules. Source: D21. */
  readonly allowedRedirectUris: readonly string[];
  /** Serve the authorization server's document at the origin's root, too. Source: D2. */
  readonly rootAuthorizationServer: boolean;
  /** Have the API map `X-Mcp-Challenge` back to `WWW-Authenticate`. Source: D3. */
  readonly challengeMapping: boolean;
  /** Of the whole API, before any function runs. */
  readonly requestsPerSecond: number;
  readonly burst: number;
  readonly logRetentionDays: number;
}

/** CloudWatch knows only some periods: the given number of days is rounded up to the next of them. */
const retention = (days = 90): number =>
  [30, 60, 90, 120, 150, 180, 365, 400, 545, 731].find((known) => known >= days) ?? 731;

/** @throws Error that names the file and what is wrong with it, or the stages there are */
export const readStage = (name: string): Stage => {
  const path = fileURLToPath(new URL(`${name}.json`, FOLDER));
  if (!/^[a-z][a-z0-9-]{0,19}$/.test(name) || !existsSync(path)) {
    throw new Error(`there is no stage "${name}"; config/ has ${stageNames().join(', ')}`);
  }
  const read = StageFile.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (!read.success) throw new Error(`config/${name}.json: ${z.prettifyError(read.error)}`);
  return { name, ...read.data };
};

const stageNames = (): string[] => readdirSync(FOLDER).map((file) => file.replace(/\.json$/, ''));
