import type { DeploymentCredential } from '../../credentials/rules/deployment-credential.ts';
import type { ApiTexts } from '../../openapi/api-texts.ts';
import type { AccessPolicy } from './access/access-policy.ts';
import type { McpAuthMethod } from './auth-methods.ts';
import type { JwtIssuer } from '../../tokens/rules/jwt/jwt-issuer.ts';
import type { Plan } from '../../limits/rules/plan.ts';
import type { PublicationSettings } from './publication.ts';
import type { ServingSettings } from './settings.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';

/** One MCP server. Everything that may change is in this one item, so that a change is one write. */
export interface Deployment extends ServingSettings {
  /** Internal, never reused; what content is stored under. */
  readonly id: string;
  readonly slug: string;
  readonly ownerId: string;
  /**
   * What tokens that no user of the service stands behind are counted against.
   * Source: docs/decisions/limits.md, "Quotas".
   */
  readonly ownerPlan: Plan;
  /** Whom the owner's usage is kept for; absent: the owner's id, where no account stood behind it. */
  readonly ownerUsage?: string;
  /** What people see: the title of the MCP server. */
  readonly name: string;
  /** What models are told of the server as a whole; absent: what `apiTexts` says. */
  readonly instructions?: string;
  /** What people are told of it; absent: what `apiTexts` says. */
  readonly description?: string;
  /** Where people read about it. */
  readonly websiteUrl?: string;
  /** `removing`: it is gone for everybody, and what it held is being removed. */
  readonly status: 'active' | 'paused' | 'stopped' | 'removing';
  readonly authMethod: McpAuthMethod;
  readonly access: AccessPolicy;
  /**
   * Whose tokens mode `jwt` accepts besides those that the service mints.
   * Source: docs/decisions/oauth.md, "Tokens of mode jwt".
   */
  readonly jwtIssuer?: JwtIssuer;
  /** What is known of the credential for the target API; absent: none is sent. */
  readonly credential?: DeploymentCredential;
  /** Origins that browser clients may come from; empty: any well-formed one. */
  readonly allowedOrigins: readonly string[];
  /** Where calls go, for people to read; the exact server stands with each operation. */
  readonly apiBaseUrl: string;
  /** Absent where the served description says nothing, or was published before it was asked. */
  readonly apiTexts?: ApiTexts;
  /** The version of the description that is served, counted from 1. */
  readonly version: number;
  /** The versions that can be returned to, the served one among them, the latest last. */
  readonly history: readonly number[];
  /** How the next version is made. */
  readonly publication: PublicationSettings;
  readonly toolCount: number;
  /** How many prompts and templates have values for completion; absent: none ever had. */
  readonly completions?: number;
  /** SHA-256 (hex) of what the version was made from, so that publishing the same again changes nothing. */
  readonly sourceHash: string;
  readonly createdAt: EpochSeconds;
  readonly updatedAt: EpochSeconds;
  /** Counts every change of this item, for optimistic concurrency. */
  readonly revision: number;
}

/** Source: MCP 2025-03-26, "Annotations". */
export const AUDIENCES = ['user', 'assistant'] as const;
export type Audience = (typeof AUDIENCES)[number];

/** A readable document of a deployment. Source: docs/protocol.md, "Resources". */
export interface Resource {
  readonly name: string;
  /** With RFC 6570 variables it is a template. */
  readonly uri: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Whom it is for; absent: nothing is said. */
  readonly audience?: readonly Audience[];
  /** How much it matters to whoever reads it: 1 is required, 0 is optional. */
  readonly priority?: number;
  /** Of a template: what its variables can be completed with. */
  readonly variables?: readonly TemplateVariable[];
  /** Absent where it was stored before this was asked. */
  readonly updatedAt?: EpochSeconds;
  /** Text, or base64 where `encoding` says so. */
  readonly content: string;
  readonly encoding: 'text' | 'base64';
}

export interface TemplateVariable {
  readonly name: string;
  readonly values: readonly string[];
}

/** Source: docs/protocol.md, "Prompts". */
export interface Prompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments: readonly PromptArgument[];
  readonly template: string;
}

export interface PromptArgument {
  readonly name: string;
  readonly title?: string;
  /** To complete it with. */
  readonly values?: readonly string[];
  readonly required: boolean;
  readonly description?: string;
}
