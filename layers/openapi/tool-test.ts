import type { CredentialKind } from '../target/rules/credential.ts';
import type { EpochSeconds } from '../platform/rules/time.ts';

/** A call by a deployment's owner to try a tool. */
export interface ToolTrial {
  /** The deployment, as far as a call needs it; its credential by version only. */
  readonly deployment: {
    readonly id: string;
    readonly slug: string;
    readonly ownerId: string;
    /** Id of the first owner, with which the credentials are sealed; absent if there was no other owner. */
    readonly sealedFor?: string;
    readonly version: number;
    readonly name?: string;
    readonly network?: string;
    readonly requestHeaders?: Readonly<Record<string, string>>;
    /** Additional trusted certificates, in PEM. */
    readonly certificateAuthorities?: readonly string[];
    /** Token budget of answers that the owner set, for the tool or all; null: unlimited. */
    readonly answerTokenBudget?: number | null;
    /** JSON pointers with `*` for the members of answers that are shown; absent: all. */
    readonly answerFields?: readonly string[];
    /** Response headers that models are shown; absent: those that callers need. */
    readonly answerHeaders?: readonly string[];
    /** Absent: strict. */
    readonly argumentChecks?: 'lenient' | 'strict';
    readonly credential?: { readonly version: string; readonly setAt: EpochSeconds };
    /** Credentials by name, in place of `credential` where there are several or more has to be known. */
    readonly credentials?: Readonly<Record<string, TrialCredential>>;
  };
  readonly tool: string;
  /** Whether the tool is one of the three of search mode. */
  readonly isSearch?: true;
  readonly arguments: unknown;
  readonly sender: {
    readonly ip: string;
    readonly userAgent?: string | undefined;
    readonly requestId: string;
  };
}

export interface TrialCredential {
  readonly type: CredentialKind;
  readonly origins: readonly string[];
  readonly schemes?: readonly string[];
  /** Location, if it is not the `Authorization` header. */
  readonly in?: 'header' | 'query' | 'cookie';
  readonly name?: string;
  /** For an AWS role: whether each caller has keys of its own. */
  readonly nameUser?: boolean;
  /** For a session in search mode: the operation that logs in, which models are not shown. */
  readonly login?: string;
  readonly version: string;
  readonly setAt: EpochSeconds;
}

/** Result of the trial, without secrets. */
export interface ToolTrialResult {
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string; readonly data?: unknown };
  readonly request?: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly bodyBytes: number;
  };
  /** The API's response, with cookies and secrets masked; absent if there was none. */
  readonly answer?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    /** Size of what a client gets, in UTF-8, and its estimated tokens. */
    readonly bytes: number;
    readonly tokens: number;
  };
  readonly answerFields?: {
    /** Pointers that match nothing in the answer. */
    readonly missing: readonly string[];
    readonly chosen: { readonly bytes: number; readonly tokens: number };
    /** The complete answer, of which `text` has up to 40,000 characters. */
    readonly whole: { readonly bytes: number; readonly tokens: number; readonly text: string };
  };
  readonly durationMs: number;
}
