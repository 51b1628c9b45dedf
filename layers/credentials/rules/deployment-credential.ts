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
import { originOf } from '../../platform/rules/origin.ts';
import type { IndexedTool, Operation, ToolIndex } from '../../openapi/tool-index.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';

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

/** A deployment as far as its credentials are bound to it. */
export interface Sealing {
  readonly id: string;
  readonly ownerId: string;
  /** Absent where it has never had another owner. */
  readonly sealedFor?: string | undefined;
}

/** What goes to other functions with it: they do not look the deployment up. */
export const sealingOf = ({ id, ownerId, sealedFor }: Sealing) => ({
  id,
  ownerId,
  ...(sealedFor !== undefined && { sealedFor }),
});

/**
 * A version of a credential as the stores know it. No other place makes one, so that all ask with the owner whose id it
 * is sealed with, and a server that is transferred has the credentials that it had.
 */
export const credentialRef = (
  { id: deploymentId, ownerId, sealedFor = ownerId }: Sealing,
  { name, from, version }: Pick<CredentialRef, 'from' | 'name' | 'version'>,
): CredentialRef => ({ deploymentId, ownerId, sealedFor, name, from, version });

/** Where the value of a credential stands that a deployment uses. */
export const namedRef = (
  deployment: Sealing,
  [name, { type, version }]: NamedCredential,
): CredentialRef => credentialRef(deployment, { name, from: CREDENTIAL_KINDS[type].from, version });

/** What decides which calls a credential goes with. */
interface Applicable {
  readonly origins: readonly string[];
  /** Security schemes that it answers; absent: whatever goes to its origins. */
  readonly schemes?: readonly string[] | undefined;
}

/** An operation as its version has it. */
interface Secured {
  readonly serverUrl: string;
  readonly security?: readonly (readonly string[])[];
}

/**
 * Those of a deployment's credentials that go with a call. One alone that names no scheme goes with each, as ever.
 * Where none names schemes, all go that are meant for the operation's origin. Where one does, the description decides:
 * the first alternative that is satisfied whole, one that asks for nothing last; and where none is, or it says nothing,
 * those that name no scheme.
 *
 * Source: OpenAPI 3.1.1, "Security Requirement Object"; docs/decisions/credentials.md, "Several credentials".
 */
export const applicableCredentials = <Credential>(
  credentials: readonly Credential[],
  { serverUrl, security }: Secured,
  of: (credential: Credential) => Applicable,
): readonly Credential[] => {
  if (credentials.length === 1 && credentials.every((one) => !of(one).schemes)) return credentials;
  const origin = originOf(serverUrl);
  const meant = (all: readonly Credential[]): readonly Credential[] => {
    const here = all.filter((one) => of(one).origins.includes(origin));
    // Then the call is refused, as that of a single one is: to leave it out would send what its owner did not mean.
    return here.length > 0 ? here : all;
  };
  const general = credentials.filter((one) => !of(one).schemes);
  if (general.length === credentials.length) return meant(credentials);
  if (!security) return meant(general.length > 0 ? general : credentials);
  const answering = (scheme: string) =>
    credentials.find((one) => of(one).schemes?.includes(scheme));
  const satisfied = security
    .toSorted((one, other) => Number(one.length === 0) - Number(other.length === 0))
    .map((schemes) => schemes.map(answering))
    .find((found) => found.every((one) => one !== undefined));
  if (satisfied) return [...new Set(satisfied)] as readonly Credential[];
  return security.length === 0 ? [] : meant(general);
};

/** An operation as credentials name it: `POST /sessions`. */
export const operationName = ({ method, path }: Pick<Operation, 'method' | 'path'>): string =>
  `${method} ${path}`;

/**
 * The tools of a version without the logins that the deployment's credentials begin sessions with: they are for the
 * service to make, and their answers hold tokens.
 *
 * @returns the same index where there are none
 */
export const withoutLogins = (index: ToolIndex, deployment: WithCredentials): ToolIndex => {
  const logins = loginsOf(deployment);
  if (logins.length === 0) return index;
  const key = logins.join('\n');
  const known = filtered.get(index);
  if (known?.key === key) return known.index;
  const isShown = noLoginOf(deployment);
  const tools = index.tools.filter(({ operation }: IndexedTool) => isShown(operation));
  const without = { ...index, tools };
  filtered.set(index, { key, index: without });
  return without;
};

/** Whether an operation is none of the logins that the deployment's credentials begin sessions with. */
export const noLoginOf = (
  deployment: WithCredentials,
): ((operation: Pick<Operation, 'method' | 'path'>) => boolean) => {
  const logins = loginsOf(deployment);
  return (operation) => logins.length === 0 || !logins.includes(operationName(operation));
};

const loginsOf = (deployment: WithCredentials): readonly string[] =>
  namedCredentials(deployment).flatMap(([, one]) => (one.type === 'session' ? [one.login] : []));

/** Logins that a version has no more: whoever published it may not know that somebody signs in by them. */
export const lostLogins = (
  { tools }: ToolIndex,
  deployment: WithCredentials,
): readonly Finding[] => {
  const known = new Set(tools.map(({ operation }) => operationName(operation)));
  return namedCredentials(deployment).flatMap(([name, one]) =>
    one.type !== 'session' || known.has(one.login)
      ? []
      : [
          {
            where: `/credentials/${name}`,
            what: `signs in by ${one.login}, which this version does not have`,
            hint: 'It goes on as it was set. If the API has another login now, set the credential again with that.',
          },
        ],
  );
};

/** A memo, as long as the index is remembered: what is made of the filtered one is found by it. */
const filtered = new WeakMap<ToolIndex, { readonly key: string; readonly index: ToolIndex }>();
