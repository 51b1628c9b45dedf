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

/** Where an OAuth client shows its secret to the token endpoint. */
export type SecretPlace = 'basic' | 'post';

/** What somebody gave for a credential. */
export interface GivenToken {
  /** What calls carry. Its origins are those of the credential. */
  readonly sent: CarriedCredential;
  /** Its life, as its giver says; absent where that says nothing. */
  readonly lifeSeconds?: number | undefined;
  /** What it allows, as its giver says; absent where that says nothing. */
  readonly scopes?: readonly string[] | undefined;
  /** Where the secret was taken, of a client whose owner has not said where. */
  readonly works?: SecretPlace;
}

/** An access token that a caller has shown: a function, so that nothing which writes down who calls writes it. */
export type Bearer = () => string;

declare const checked: unique symbol;

/** What a caller is called where tokens name one: `nameCaller` alone makes it, which has looked whether it is true. */
export type CallerName = string & { readonly [checked]: true };

export interface TokenUse extends CredentialUse {
  /** Set for a credential of which each caller has tokens of its own. */
  readonly caller?: CallerName | undefined;
  /** Where the secret was taken the last time. */
  readonly worked?: SecretPlace | undefined;
}

/** Who gives tokens for credentials of one kind. */
export interface TokenSource<Kind extends ConnectedKind> {
  /**
   * Asks for one: whoever calls this holds the lease, and keeps what is given.
   *
   * @param trust - of the deployment that it is for
   * @throws TokenUnavailable
   */
  ask(
    credential: ConnectedCredential<Kind>,
    use: TokenUse,
    place: CredentialPlace,
    trust: Trust,
  ): Promise<GivenToken>;
}

/** One for each kind that `connections` answers for: the compiler names what is missing. */
export type TokenSources = { readonly [Kind in ConnectedKind]: TokenSource<Kind> };

/** Whether each caller of a credential has tokens of its own, which name whoever calls. */
export const isPerCaller = (credential: OpenCredential): boolean =>
  'nameUser' in credential && credential.nameUser === true;

/** Tells a token that was refused from the one that took its place: by what is sent, as every version takes it. */
export const tokenFingerprint = (sent: SentCredential): Fingerprint => {
  const { origins: _, prefix: __, ...members } = { prefix: undefined, ...written(sent) };
  return fingerprint(JSON.stringify(Object.entries(members).toSorted()));
};
