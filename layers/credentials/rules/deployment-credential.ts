import * as z from 'zod/mini';
import { type CredentialName, MAIN } from './credential-name.ts';
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

/** A credential without its secret, which is kept in a store of its own. */
export const DeploymentCredential = openCredential({
  /** A copy of the origins that are sealed with the secret, which calls obey. Empty if set before there were origins. */
  origins: z._default(z.array(z.string()), []),
  /** Security schemes of the description that it satisfies; absent: none in particular (`applicableCredentials`). */
  schemes: z.exactOptional(z.array(z.string())),
  /** A new version each time the credential is set. */
  version: z.string(),
  setAt: moment,
  /** When the target was first seen to refuse it and the owner got a mail. It may be accepted again since. */
  refusedAt: z.exactOptional(moment),
});
export type DeploymentCredential = ValueOf<typeof DeploymentCredential>;

export const describeCredential = (
  credential: StoredCredential,
  schemes: readonly string[] | undefined,
  { version, setAt }: Pick<DeploymentCredential, 'setAt' | 'version'>,
): DeploymentCredential => ({
  ...openPart(credential),
  origins: credential.origins,
  ...(schemes && { schemes }),
  version,
  setAt,
});

export type NamedCredential = readonly [name: CredentialName, credential: DeploymentCredential];

/** A deployment's credentials: `credential` is the one named `main`. */
export interface WithCredentials {
  readonly credential?: DeploymentCredential;
  readonly credentials?: Readonly<Record<CredentialName, DeploymentCredential>>;
}

/** All credentials of a deployment, `main` first, the others in the order in which they were set. */
export const namedCredentials = ({
  credential,
  credentials,
}: WithCredentials): readonly NamedCredential[] => [
  ...(credential ? [[MAIN, credential] as const] : []),
  ...Object.entries(credentials ?? {}),
];

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

const SOURCES = ['store', 'connections'] as const;

/** Keys under which stores may hold the credential of one name. */
export const placesOf = (deploymentId: string, name: CredentialName): readonly CredentialPlace[] =>
  SOURCES.map((from) => ({ deploymentId, name, from }));

/** Keys under which stores may hold credentials. @param names - of credentials besides `main` */
export const credentialPlaces = (
  deploymentId: string,
  names: readonly CredentialName[] = [],
): readonly CredentialPlace[] => [MAIN, ...names].flatMap((name) => placesOf(deploymentId, name));

export interface Sealing {
  readonly id: string;
  readonly ownerId: string;
  /** First owner; absent if the deployment was never transferred. */
  readonly sealedFor?: string | undefined;
}

/** Members of a deployment that other functions need to read its credentials. */
export const sealingOf = ({ id, ownerId, sealedFor }: Sealing) => ({
  id,
  ownerId,
  ...(sealedFor !== undefined && { sealedFor }),
});

/** No other function makes a `CredentialRef`, so that a transferred server keeps its credentials (`sealedFor`). */
export const credentialRef = (
  { id: deploymentId, ownerId, sealedFor = ownerId }: Sealing,
  { name, from, version }: Pick<CredentialRef, 'from' | 'name' | 'version'>,
): CredentialRef => ({ deploymentId, ownerId, sealedFor, name, from, version });

export const namedRef = (
  deployment: Sealing,
  [name, { type, version }]: NamedCredential,
): CredentialRef => credentialRef(deployment, { name, from: CREDENTIAL_KINDS[type].from, version });

/**
 * The credentials that go with a call. A single one without schemes goes with every call. If none names schemes, all go
 * whose origins include the operation's. Otherwise the description decides: the first security alternative that is
 * satisfied whole, with empty alternatives last; if there is none, or no `security`, the credentials without schemes
 * go. An empty list of alternatives asks for none.
 * Source: OpenAPI 3.1.1, "Security Requirement Object"; docs/decisions/credentials.md, "Several credentials".
 */
export const applicableCredentials = <Credential>(
  credentials: readonly Credential[],
  { serverUrl, security }: Pick<Operation, 'security' | 'serverUrl'>,
  of: (credential: Credential) => Pick<DeploymentCredential, 'origins' | 'schemes'>,
): readonly Credential[] => {
  if (credentials.length === 1 && credentials.every((one) => !of(one).schemes)) return credentials;
  const origin = originOf(serverUrl);
  const meant = (all: readonly Credential[]): readonly Credential[] => {
    const here = all.filter((one) => of(one).origins.includes(origin));
    // With no credential for this origin, all are returned and the call is then refused, as it is with a single one:
    // sending it without credentials is not what the owner meant.
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

/** `POST /sessions`: the form in which credentials name an operation. */
export const operationName = ({ method, path }: Pick<Operation, 'method' | 'path'>): string =>
  `${method} ${path}`;

/** Hides the logins of session credentials: the service makes them itself, and their answers hold tokens. */
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

export const noLoginOf = (
  deployment: WithCredentials,
): ((operation: Pick<Operation, 'method' | 'path'>) => boolean) => {
  const logins = loginsOf(deployment);
  return (operation) => logins.length === 0 || !logins.includes(operationName(operation));
};

const loginsOf = (deployment: WithCredentials): readonly string[] =>
  namedCredentials(deployment).flatMap(([, one]) => (one.type === 'session' ? [one.login] : []));

/** Warns of logins that the new version lacks, since its publisher may not know that a credential uses them. */
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

/** Keeps the filtered index as long as the original, since other caches use it as their key. */
const filtered = new WeakMap<ToolIndex, { readonly key: string; readonly index: ToolIndex }>();
