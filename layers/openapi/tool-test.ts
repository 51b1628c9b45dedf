import type { CredentialKind } from '../target/rules/credential.ts';
import type { EpochSeconds } from '../platform/rules/time.ts';

/** A call that a deployment's owner makes to try a tool. */
export interface ToolTrial {
  /** Of the deployment, as far as a call needs it; the credential by its version alone. */
  readonly deployment: {
    readonly id: string;
    readonly slug: string;
    readonly ownerId: string;
    /** Whose id its credentials are sealed with, where it had another owner. */
    readonly sealedFor?: string;
    readonly version: number;
    /** Its name; only where a tool of search mode is tried. */
    readonly name?: string;
    /** The private network that it is in. */
    readonly network?: string;
    /** What its owner has each call carry. */
    readonly requestHeaders?: Readonly<Record<string, string>>;
    /** Certificates that its owner trusts, in PEM. */
    readonly certificateAuthorities?: readonly string[];
    /** What its owner said of answers, of the tool or of all; null: any number of tokens. */
    readonly answerTokenBudget?: number | null;
    /** JSON pointers with `*`: the members of its answers that models are shown; absent: all. */
    readonly answerFields?: readonly string[];
    /** Names of the headers of its answers that models are told; absent: those that callers need. */
    readonly answerHeaders?: readonly string[];
    /** Absent: strict. */
    readonly argumentChecks?: 'lenient' | 'strict';
    readonly credential?: { readonly version: string; readonly setAt: EpochSeconds };
    /** By their names, in place of it where it is not the only one, or more has to be known of it. */
    readonly credentials?: Readonly<Record<string, TrialCredential>>;
  };
  readonly tool: string;
  /** The tool is one that clients are shown in search mode. */
  readonly isSearch?: true;
  readonly arguments: unknown;
  readonly sender: {
    readonly ip: string;
    readonly userAgent?: string | undefined;
    readonly requestId: string;
  };
}

/** What has to be known of a credential so that a call can carry it. */
export interface TrialCredential {
  readonly type: CredentialKind;
  readonly origins: readonly string[];
  readonly schemes?: readonly string[];
  /** Where it stands in a request, if that is not `Authorization`. */
  readonly in?: 'header' | 'query' | 'cookie';
  readonly name?: string;
  /** Of a role of AWS: whether each caller has keys of its own. */
  readonly nameUser?: boolean;
  /** Of a session, where a tool of search mode is tried: the operation that begins it, which models are not shown. */
  readonly login?: string;
  readonly version: string;
  readonly setAt: EpochSeconds;
}

/** How it went: all of it to be shown, with no secret in it. */
export interface ToolTrialResult {
  /** As `tools/call` gives it; absent if there was no answer. */
  readonly result?: unknown;
  /** As JSON-RPC would tell it. */
  readonly error?: { readonly code: string; readonly message: string; readonly data?: unknown };
  /** Absent if none was made. */
  readonly request?: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly bodyBytes: number;
  };
  /** What the API answered with: absent if nothing came. Cookies and whatever is called a secret are masked. */
  readonly answer?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    /** What a client gets of it, in UTF-8, and what that takes of a model's context, roughly. */
    readonly bytes: number;
    readonly tokens: number;
  };
  /** Where only some members of the answer are shown. */
  readonly answerFields?: {
    /** Pointers for which this answer has nothing. */
    readonly missing: readonly string[];
    readonly chosen: { readonly bytes: number; readonly tokens: number };
    /** Its text up to 40,000 characters. */
    readonly whole: { readonly bytes: number; readonly tokens: number; readonly text: string };
  };
  readonly durationMs: number;
}
