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

/** What owners switch between, what else they are shown, and what nobody is shown. */
export const OWNER_STATUSES = ['active', 'paused'] as const;
export type OwnerStatus = (typeof OWNER_STATUSES)[number];
export const SHOWN_STATUSES = [...OWNER_STATUSES, 'stopped'] as const;
const STATUSES = [...SHOWN_STATUSES, 'removing'] as const;

export const ApiTextsSchema = exactly<ApiTexts>()(
  z.object({ instructions: z.string(), description: optional(z.string()) }),
);

/** One MCP server. Everything that may change is in this one item, so that a change is one write. */
export const Deployment = z.object({
  /** Internal, never reused; what content is stored under. */
  id: z.string(),
  slug: z.string(),
  ownerId: z.string(),
  /** Whose id its credentials are sealed with: the first owner's; absent where it has had no other. */
  sealedFor: optional(z.string()),
  /** Whose it was before and until when, until all that follows from the transfer is done; absent: it is. */
  transfer: optional(z.object({ from: z.string(), at: count })),
  /**
   * What tokens that no user of the service stands behind are counted against.
   * Source: docs/decisions/limits.md, "Quotas".
   */
  ownerPlan: z.enum(PLANS),
  /** Whose usage counts for the owner; absent: the owner's id, where no account stood behind it. */
  ownerUsage: optional(z.string()),
  /** What people see: the title of the MCP server. */
  name: line(200, z.trim()),
  /** Absent: what `apiTexts` says. */
  instructions: optional(
    described(
      lines(2000, z.trim()),
      'What clients tell models of the server as a whole; null: title and description of the API, as plain text.',
    ),
  ),
  /** Absent: what `apiTexts` says. */
  description: optional(
    described(
      line(500, z.trim()),
      'What clients tell people of the server, and `server.json` and server cards tell everybody; null: to clients ' +
        'what the description of the API says, to others how many tools there are.',
    ),
  ),
  websiteUrl: optional(described(Address(), 'Where people read about it; null: nowhere.')),
  /** The private network that calls are made in; absent: they go over the public internet. */
  network: optional(
    described(
      z.string().check(z.regex(NETWORK_NAME)),
      'The private network in which the API is called, one of those of `GET /networks`; null: none, calls go over the public internet.',
    ),
  ),
  /** `removing`: it is gone for everybody, and what it held is being removed. */
  status: z.enum(STATUSES),
  authMethod: z.enum(MCP_AUTH_METHODS),
  access: AccessPolicy,
  /**
   * Whose tokens mode `jwt` accepts besides those that the service mints.
   * Source: docs/decisions/oauth.md, "Tokens of mode jwt".
   */
  jwtIssuer: optional(JwtIssuer),
  /** What is known of the credential for the target API; absent: none is sent. */
  credential: optional(DeploymentCredential),
  /** Others that calls carry besides it, by their names; absent: there are none. */
  credentials: optional(z.record(z.string().check(z.regex(CREDENTIAL_NAME)), DeploymentCredential)),
  /**
   * Names that the store may have something under, so that whatever breaks off leaves nothing that is never removed;
   * `main` goes without saying.
   */
  credentialNames: optional(z.array(z.string())),
  /** Origins that browser clients may come from; empty: any well-formed one. Source: docs/protocol.md, "Browser clients". */
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
  /** That calls are recorded with their content; absent: they are not. Over where it has ended. */
  recording: optional(Recording),
  ...storedSettings(SERVING_SETTINGS),
  /** Where calls go, for people to read; the exact server stands with each operation. */
  apiBaseUrl: z.string(),
  /** Absent where the served description says nothing, or was published before this was looked for. */
  apiTexts: optional(ApiTextsSchema),
  /** The version of the description that is served, counted from 1. */
  version: z.int().check(z.minimum(1)),
  /** The versions that can be returned to, the served one among them, the latest last. */
  history: z.array(count),
  /** How the next version is made. */
  publication: PublicationSettings,
  toolCount: count,
  /** How many prompts and templates have values for completion; absent: none ever had. */
  completions: optional(count),
  /** SHA-256 (hex) of what the version was made from, so that publishing the same again changes nothing. */
  sourceHash: z.string(),
  /** Who changes it, where that is no person but a file that declares it; absent: whoever owns it. */
  managedBy: optional(Manager),
  createdAt: count,
  updatedAt: count,
  /** Counts every change of this item, for optimistic concurrency. */
  revision: count,
});
export type Deployment = ValueOf<typeof Deployment>;
