import { originOf } from '../../platform/rules/origin.ts';

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
