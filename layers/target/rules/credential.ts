import * as z from 'zod/mini';

type Shape = Readonly<Record<string, z.ZodMiniType>>;

const secret = z.string().register(z.globalRegistry, { writeOnly: true });

/**
 * The kinds of credentials that calls to a target may carry. `open` is what owners are shown and a deployment says;
 * `sealed` stands in the store of credentials alone. A line here is stored, sealed, sent and described; the compiler
 * names what else has to know the kind.
 *
 * Source: RFC 6750 §2.1; RFC 7617; OpenAPI 3.1.1, Security Scheme Object.
 */
export const CREDENTIAL_KINDS = {
  bearer: { open: {}, sealed: { token: secret } },
  api_key: {
    open: { name: z.string(), in: z.enum(['header', 'query', 'cookie']) },
    sealed: { value: secret },
  },
  basic: { open: {}, sealed: { username: z.string(), password: secret } },
} as const satisfies Readonly<Record<string, { readonly open: Shape; readonly sealed: Shape }>>;

type Kinds = typeof CREDENTIAL_KINDS;
export type CredentialKind = keyof Kinds;

type Values<Members extends Shape> = [keyof Members] extends [never]
  ? unknown
  : Readonly<z.output<z.ZodMiniObject<Members>>>;

/** What may be known of a credential, by its kind. */
export type OpenCredential = {
  [Kind in CredentialKind]: { readonly type: Kind } & Values<Kinds[Kind]['open']>;
}[CredentialKind];

/** The secret of a deployment for its target API. Never leaves the router but into the request itself. */
export type Credential = {
  [Kind in CredentialKind]: { readonly type: Kind } & Values<Kinds[Kind]['open']> &
    Values<Kinds[Kind]['sealed']>;
}[CredentialKind];

/** A credential together with the origins that it may be sent to, and to no other. Source: RFC 6454 §4. */
export type StoredCredential = Credential & { readonly origins: readonly string[] };

/** What may be known of a credential of any kind, with further members. */
export const openCredential = <More extends Shape>(more: More) =>
  ofAnyKind(({ open }) => ({ ...open, ...more })) as z.ZodMiniType<OpenCredential & Values<More>>;

/** A whole credential of any kind, with further members. */
export const wholeCredential = <More extends Shape>(more: More) =>
  ofAnyKind(({ open, sealed }) => ({ ...open, ...sealed, ...more })) as z.ZodMiniType<
    Credential & Values<More>
  >;

const ofAnyKind = (
  membersOf: (kind: { readonly open: Shape; readonly sealed: Shape }) => Shape,
) => {
  const [first, ...others] = Object.entries(CREDENTIAL_KINDS).map(([type, kind]) =>
    z.object({ type: z.literal(type), ...membersOf(kind) }),
  );
  return first ? z.discriminatedUnion('type', [first, ...others]) : z.never();
};

/** Members of one object that a credential of any kind fits in, as answers have it. */
export const openMembers = {
  type: z.enum(Object.keys(CREDENTIAL_KINDS) as readonly CredentialKind[]),
  ...Object.fromEntries(
    Object.values(CREDENTIAL_KINDS).flatMap(({ open }) =>
      Object.entries(open).map(([name, member]) => [name, z.exactOptional(member)]),
    ),
  ),
};

/** @returns a credential without what is secret, and what else a deployment says of it */
export const openPart = (credential: OpenCredential): OpenCredential => {
  const names = ['type', ...Object.keys(CREDENTIAL_KINDS[credential.type].open)];
  return Object.fromEntries(
    Object.entries(credential).filter(([name]) => names.includes(name)),
  ) as unknown as OpenCredential;
};
