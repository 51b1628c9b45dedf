import type { LimitValues } from '../limits/rules/limits.ts';
import type { SignUpPolicy } from '../accounts/rules/sign-up-policy.ts';
import type { ClientDocumentHosts } from '../oauth/rules/clients/client-document-hosts.ts';
import type { IdentityProvider } from '../oauth/rules/tokens/identity-providers.ts';
import type { Plan } from '../limits/rules/plan.ts';
import type { ProtocolVersion } from '../platform/rules/protocol-versions.ts';
import type { EpochSeconds } from '../platform/rules/time.ts';

export interface Clock {
  /** Epoch seconds, whole. */
  now(): EpochSeconds;
  /** Milliseconds on a clock that never goes back, for durations only. */
  elapsedMs(): number;
}

/** How long the invocation that asks may still take. */
export interface TimeLeft {
  /** Milliseconds, without those that the answer itself takes; 0 when nothing more may be begun. */
  ms(): number;
  /** Aborts when they are over: for every wait on a neighbour. Undefined outside of an invocation. */
  signal(): AbortSignal | undefined;
  /**
   * The last resort, for what waits for something else: gives work up just before the answer has to go out.
   *
   * @throws DeadlineExceeded
   */
  orGiveUp<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Randomness. */
export interface Random {
  /** A UUID, version 4. */
  id(): string;
  /** 32 random bytes, base64url. */
  secret(): string;
}

export interface Settings {
  /** Ends in `/v1`, no trailing slash. Source: docs/decisions/mcp.md, "Base URL". */
  readonly baseUrl: string;
  readonly limits: LimitValues;
  /**
   * Private-use redirect URIs that the operator allows, each exact; absent: none.
   * Source: docs/decisions/oauth.md, "Redirect URIs".
   */
  readonly allowedRedirectUris?: readonly string[];
  /**
   * Whether the authorization server's document is at the origin's root as well; absent: no.
   * Source: docs/decisions/oauth.md, "Metadata routes".
   */
  readonly rootAuthorizationServer?: boolean;
  /**
   * Set in the local run alone: pages beside those of loopback that may use deployments of mode `none`.
   * Source: docs/decisions/mcp.md, "Pages and local deployments".
   */
  readonly localOrigins?: readonly string[];
  /** Versions of MCP that are served; absent: all. */
  readonly protocolVersions?: readonly ProtocolVersion[];
  /** Whether deployments have a card. Source: docs/decisions/mcp.md, "Registries and cards". */
  readonly serverCards?: boolean;
  /** Whose client metadata documents are taken; absent: everybody's. */
  readonly clientDocumentHosts?: ClientDocumentHosts;
  /** Whose assertions buy access tokens; absent: nobody's. */
  readonly identityProviders?: readonly IdentityProvider[];
  /**
   * What the distribution before the gateway shows, one of them; absent: there is no distribution.
   * Source: docs/edge.md, "The origin secret".
   */
  readonly originSecrets?: readonly string[];
  /** Who may make an account without an operator; absent: nobody. */
  readonly signUp?: SignUpPolicy;
  /** Of accounts that people make themselves; absent: `free`. */
  readonly newAccountPlan?: Plan | undefined;
}
