import * as z from 'zod/mini';
import { DeploymentCredential } from '../../credentials/rules/deployment-credential.ts';
import { CREDENTIAL_NAME } from '../../credentials/rules/credential-name.ts';
import { PLANS } from '../../limits/rules/plan.ts';
import type { ApiTexts } from '../../openapi/api-texts.ts';
import { isOrigin } from '../../platform/rules/origin.ts';
import { described, exactly, line, lines, type ValueOf } from '../../platform/rules/shape.ts';
import { Recording } from './recording.ts';
import { NETWORK_NAME } from '../../target/rules/network-name.ts';
import { JwtIssuer } from '../../tokens/rules/jwt.ts';
import { AccessPolicy } from './access/access-policy.ts';
import { MCP_AUTH_METHODS } from './auth-methods.ts';
import { Manager } from './manager.ts';
import { Address, PublicationSettings } from './publication.ts';
import { SERVING_SETTINGS, storedSettings } from './settings.ts';

const optional = z.exactOptional;
const count = z.int().check(z.minimum(0));

export const OWNER_STATUSES = ['active', 'paused'] as const;
export type OwnerStatus = (typeof OWNER_STATUSES)[number];
export const SHOWN_STATUSES = [...OWNER_STATUSES, 'stopped'] as const;
const STATUSES = [...SHOWN_STATUSES, 'removing'] as const;

export const ApiTextsSchema = exactly<ApiTexts>()(
  z.object({ instructions: z.string(), description: optional(z.string()) }),
);

/** One MCP server. All that can change is in this one item, so that each change is one write. */
export const Deployment = z.object({
  /** Ids are never reused: contents are stored under them. */
  id: z.string(),
  slug: z.string(),
  ownerId: z.string(),
  /** Owner whose id its credentials are sealed with; absent: the current owner. */
  sealedFor: optional(z.string()),
  /** Former owner, and when the transfer took place; absent once all its consequences are done. */
  transfer: optional(z.object({ from: z.string(), at: count })),
  /** Plan that calls without a user of the service are counted against. Source: docs/decisions/limits.md, "Quotas". */
  ownerPlan: z.enum(PLANS),
  /** Account whose usage such calls count for; absent: the owner's id. */
  ownerUsage: optional(z.string()),
  name: line(200, z.trim()),
  /** Absent: that in `apiTexts`. */
  instructions: optional(
    described(
      lines(2000, z.trim()),
      'What clients tell models of the server as a whole; null: title and description of the API, as plain text.',
    ),
  ),
  /** Absent: that in `apiTexts`. */
  description: optional(
    described(
      line(500, z.trim()),
      'What clients tell people of the server, and `server.json` and server cards tell everybody; null: to clients ' +
        'what the description of the API says, to others how many tools there are.',
    ),
  ),
  websiteUrl: optional(described(Address(), 'Where people read about it; null: nowhere.')),
  /** Absent: calls go over the public internet. */
  network: optional(
    described(
      z.string().check(z.regex(NETWORK_NAME)),
      'The private network in which the API is called, one of those of `GET /networks`; null: none, calls go over the public internet.',
    ),
  ),
  /** `removing`: nobody sees it any more, and its contents are being removed. */
  status: z.enum(STATUSES),
  authMethod: z.enum(MCP_AUTH_METHODS),
  access: AccessPolicy,
  /** External issuer that mode `jwt` trusts too. Source: docs/decisions/oauth.md, "Tokens of mode jwt". */
  jwtIssuer: optional(JwtIssuer),
  credential: optional(DeploymentCredential),
  credentials: optional(z.record(z.string().check(z.regex(CREDENTIAL_NAME)), DeploymentCredential)),
  /** All names under which a store may hold a credential, also after an interrupted change. Without `main`. */
  credentialNames: optional(z.array(z.string())),
  /** Origins that browser clients may have; empty: any valid one. Source: docs/protocol.md, "Browser clients". */
  allowedOrigins: z
    .array(
      z
        .string()
        .check(
          z.maxLength(300),
          z.refine(isOrigin, 'Give scheme and host, as in https://app.example.com.'),
        ),
    )
    .check(z.maxLength(100)),
  /** Recording of calls with their content; absent, or ended: none. */
  recording: optional(Recording),
  ...storedSettings(SERVING_SETTINGS),
  /** Base address for display: each operation has a server URL of its own. */
  apiBaseUrl: z.string(),
  /** Absent if the description has none, or was published before they were stored. */
  apiTexts: optional(ApiTextsSchema),
  /** Served version, counted from 1. */
  version: z.int().check(z.minimum(1)),
  /** Versions that can be restored, including the served one, oldest first. */
  history: z.array(count),
  publication: PublicationSettings,
  toolCount: count,
  /** Number of prompts and resource templates with values for completion; absent: none ever had any. */
  completions: optional(count),
  /** SHA-256 (hex) of the served version's inputs: publishing them again changes nothing. */
  sourceHash: z.string(),
  /** Declaration that manages it; absent: people do. */
  managedBy: optional(Manager),
  createdAt: count,
  updatedAt: count,
  /** Incremented with every change, for optimistic concurrency. */
  revision: count,
});
export type Deployment = ValueOf<typeof Deployment>;
