import type { CredentialPlace, CredentialUse } from '../../credentials/rules/credential-access.ts';
import {
  type CarriedCredential,
  type ConnectedCredential,
  type ConnectedKind,
  type OpenCredential,
  type SentCredential,
  written,
} from '../../target/rules/credential.ts';
import type { Trust } from '../../target/rules/target.ts';
import { type Fingerprint, fingerprint } from '../../platform/rules/fingerprint.ts';

/** How an OAuth client sends its secret to the token endpoint: HTTP Basic or form body. Source: RFC 6749 §2.3.1. */
export type SecretPlace = 'basic' | 'post';

export interface GivenToken {
  /** Credential that calls carry, without origins: those are the connected credential's. */
  readonly sent: CarriedCredential;
  readonly lifeSeconds?: number | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** Where the client's secret was accepted, if its owner left that open. */
  readonly works?: SecretPlace;
}

/** Access token that a caller presented. It is a function, so that nothing that logs or stores the caller writes it. */
export type Bearer = () => string;

/** A token that one header can hold, and servers accept. */
export const SENDABLE_TOKEN = /^[\x21-\x7e]{1,8192}$/;

declare const checked: unique symbol;

/** Name of a caller in tokens. Only `nameCaller` makes one, after it has verified who calls. */
export type CallerName = string & { readonly [checked]: true };

export interface TokenUse extends CredentialUse {
  /** Set for credentials with `nameUser`, whose callers have tokens of their own. */
  readonly caller?: CallerName | undefined;
  /** Where the token endpoint took the client's secret the last time. */
  readonly worked?: SecretPlace | undefined;
}

export interface TokenSource<Kind extends ConnectedKind> {
  /** The caller holds the lease, and stores the token. @throws TokenUnavailable */
  ask(
    credential: ConnectedCredential<Kind>,
    use: TokenUse,
    place: CredentialPlace,
    trust: Trust,
  ): Promise<GivenToken>;
}

/** A source for each kind that the function `connections` serves. */
export type TokenSources = { readonly [Kind in ConnectedKind]: TokenSource<Kind> };

/** Whether each caller has tokens of their own, issued in their name. */
export const isPerCaller = (credential: OpenCredential): boolean =>
  'nameUser' in credential && credential.nameUser === true;

/** Tells a refused token from its successor. Made of the token as it is sent, so that every release makes the same. */
export const tokenFingerprint = (sent: SentCredential): Fingerprint => {
  const { origins: _, prefix: __, ...members } = { prefix: undefined, ...written(sent) };
  return fingerprint(JSON.stringify(Object.entries(members).toSorted()));
};
