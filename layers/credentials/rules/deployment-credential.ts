import * as z from 'zod/mini';
import { type CredentialName, MAIN } from './credential-name.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { ValueOf } from '../../platform/rules/shape.ts';
import {
  CREDENTIAL_KINDS,
  openCredential,
  openPart,
  type StoredCredential,
} from '../../target/rules/credential.ts';
import type { CredentialPlace, CredentialRef } from './credential-access.ts';

const moment = z.int().check(z.minimum(0));

/** A credential without its value, which stands in a store of its own. */
export const DeploymentCredential = openCredential({
  /**
   * The only ones that it may be sent to; what the service sends obeys the list that is sealed with the value.
   * Absent where it was set before credentials had origins: then it is meant for none.
   */
  origins: z._default(z.array(z.string()), []),
  /** The security schemes of the description that it is for; absent: whatever goes to its origins. */
  schemes: z.exactOptional(z.array(z.string())),
  /** A new one each time that the credential is set. */
  version: z.string(),
  setAt: moment,
  /** When it was seen that the target refuses it, and its owner got a mail. It may take it again since. */
  refusedAt: z.exactOptional(moment),
});
export type DeploymentCredential = ValueOf<typeof DeploymentCredential>;

/** What a deployment says of its credential: everything but what is secret. */
export const describeCredential = (
  credential: StoredCredential,
  { schemes, version, setAt }: Terms,
): DeploymentCredential => ({
  ...openPart(credential),
  origins: credential.origins,
  ...(schemes && { schemes }),
  version,
  setAt,
});

interface Terms {
  readonly schemes?: readonly string[] | undefined;
  readonly version: string;
  readonly setAt: EpochSeconds;
}

/** All credentials of a deployment, each with its name; the one that has none is called `main`. */
export type NamedCredential = readonly [name: CredentialName, credential: DeploymentCredential];

/** What a deployment has of them: one as ever, and others by their names. */
export interface WithCredentials {
  readonly credential?: DeploymentCredential;
  readonly credentials?: Readonly<Record<CredentialName, DeploymentCredential>>;
}

/** `main` first, the others as they were set. */
export const namedCredentials = ({
  credential,
  credentials,
}: WithCredentials): readonly NamedCredential[] => [
  ...(credential ? [[MAIN, credential] as const] : []),
  ...Object.entries(credentials ?? {}),
];

/** The same deployment with a credential of a name, in place of any other. */
export const withNamed = <
  Of extends WithCredentials & { readonly credentialNames?: readonly string[] },
>(
  deployment: Of,
  [name, credential]: NamedCredential,
): Of =>
  name === MAIN
    ? { ...deployment, credential }
    : {
        ...deployment,
        credentials: { ...deployment.credentials, [name]: credential },
        credentialNames: [...new Set([...(deployment.credentialNames ?? []), name])],
      };

/**
 * Where the stores may have something of a deployment, in use or left behind.
 *
 * @param names - under which credentials were set, besides `main`
 */
export const credentialPlaces = (
  deploymentId: string,
  names: readonly CredentialName[] = [],
): readonly CredentialPlace[] =>
  [MAIN, ...names].flatMap((name) =>
    (['store', 'connections'] as const).map((from) => ({ deploymentId, name, from })),
  );

/** Where the value of a credential stands that a deployment uses. */
export const credentialRef = (
  { id: deploymentId, ownerId }: { readonly id: string; readonly ownerId: string },
  [name, { type, version }]: NamedCredential,
): CredentialRef => ({ deploymentId, ownerId, name, from: CREDENTIAL_KINDS[type].from, version });
