import * as z from 'zod/mini';
import type { ValueOf } from '../../platform/rules/shape.ts';

type Shape = Readonly<Record<string, z.ZodMiniType>>;

const optional = z.exactOptional;

const secret = z.string().register(z.globalRegistry, { writeOnly: true });

/**
 * The kinds of credentials that calls to a target may carry. `open` is what owners are shown and a deployment says;
 * `sealed` stands in the store of credentials alone. `from` is who answers the router: the `store`, with the very
 * credential that calls carry; or the function `connections`, with what it was given for the credential by others. A
 * line here is stored, sealed, sent and described; the compiler names what else has to know the kind.
 *
 * Source: RFC 6750 §2.1; RFC 7617; OpenAPI 3.1.1, Security Scheme Object.
 */
export const CREDENTIAL_KINDS = {
  bearer: { from: 'store', open: {}, sealed: { token: secret } },
  api_key: {
    from: 'store',
    open: { name: z.string(), in: z.enum(['header', 'query', 'cookie']) },
    sealed: { value: secret },
  },
  basic: { from: 'store', open: {}, sealed: { username: z.string(), password: secret } },
  /** A signature by a recipe of the API's own. Source: RFC 2104; docs/decisions/credentials.md, "Signatures by a recipe". */
  hmac: {
    from: 'store',
    open: {
      algorithm: z.enum(['sha1', 'sha256', 'sha384', 'sha512']),
      /** What is signed: a text with parts of the request in braces, as in `{timestamp}.{method}.{path}.{body}`. */
      signed: z.string(),
      /** Headers by their names, with parts in braces, `{signature}` among them. */
      headers: z.record(z.string(), z.string()),
      encoding: optional(z.enum(['hex', 'base64'])),
      keyId: optional(z.string()),
    },
    sealed: { secret },
  },
  /** A certificate that the connection itself shows. Source: RFC 8446 §4.4.2; OpenAPI 3.1.1, `mutualTLS`. */
  mutual_tls: {
    from: 'store',
    open: {
      /** When the certificate ends; what is sent of it is not looked at. */
      notAfter: optional(z.iso.datetime()),
    },
    sealed: {
      /** In PEM, with those that it depends on behind it. */
      certificate: z.string().register(z.globalRegistry, { writeOnly: true }),
      privateKey: secret,
    },
  },
  /** Source: OAuth 2.1 §4.2; RFC 7523 §2.2; RFC 8707. */
  oauth_client: {
    from: 'connections',
    open: {
      issuer: optional(z.string()),
      tokenUrl: optional(z.string()),
      clientId: z.string(),
      scopes: optional(z.array(z.string())),
      audience: optional(z.string()),
      resource: optional(z.string()),
      clientAuth: optional(z.enum(['basic', 'post', 'private_key_jwt'])),
      extra: optional(z.record(z.string(), z.string())),
    },
    sealed: {
      clientSecret: optional(secret),
      privateJwk: optional(
        z.record(z.string(), z.unknown()).register(z.globalRegistry, { writeOnly: true }),
      ),
      /** The only one that the secret goes to, whatever metadata say later. */
      tokenOrigin: optional(z.string()),
    },
  },
  /** A login of the API itself, whose answer has a token. */
  session: {
    from: 'connections',
    open: {
      /** Method and path of an operation of the description: `POST /sessions`. */
      login: z.string(),
      /** Where its answer has the token: a JSON pointer, `header:Name` or `cookie:name`. */
      token: z.string(),
      /** Where calls carry it; in `Authorization`, after `Bearer `, if absent. */
      in: optional(z.enum(['header', 'query', 'cookie'])),
      name: optional(z.string()),
      prefix: optional(z.string()),
      lifetimeSeconds: optional(z.int()),
      /** JSON pointer to the end of the session in the answer. */
      expiry: optional(z.string()),
    },
    sealed: {
      /** What the login wants, as the owner gives it: the request is made of it, and it is not stored. */
      fields: optional(
        z.record(z.string(), z.unknown()).register(z.globalRegistry, { writeOnly: true }),
      ),
      request: optional(
        z
          .object({
            method: z.string(),
            url: z.string(),
            headers: z.record(z.string(), z.string()),
            /** In base64. */
            body: optional(z.string()),
            /** Of what its owner gave for it, each text: an API's words are shown without them. */
            secrets: optional(z.array(z.string())),
          })
          .register(z.globalRegistry, { writeOnly: true }),
      ),
    },
  },
  /** A role that `connections` assumes; calls are signed with its keys. Source: AWS STS API, "AssumeRole". */
  aws: {
    from: 'connections',
    open: {
      roleArn: z.string(),
      region: z.string(),
      /** As signatures name it: `execute-api`, `lambda`, `appsync`, `es`, `aoss`, `s3`. */
      service: z.string(),
      /** Each caller has keys of its own, by which CloudTrail names who calls. */
      nameUser: optional(z.boolean()),
      /** Of the keys; 3600 if absent, and at most. */
      durationSeconds: optional(z.int()),
    },
    sealed: {},
  },
} as const satisfies Readonly<Record<string, Kind>>;

/** Keys of AWS for an hour at most, which requests are signed with; nobody sets them. */
const awsKeys = {
  region: z.string(),
  service: z.string(),
  accessKeyId: z.string(),
  secretAccessKey: secret,
  sessionToken: secret,
};

/** What requests are signed with by the recipe of their owner. */
export type HmacKey = Whole['hmac'];

/** What a connection shows of who begins it, in PEM. */
export interface ClientCertificate {
  readonly certificate: string;
  readonly privateKey: string;
}

export type AwsKeys = { readonly type: 'aws_keys' } & Values<typeof awsKeys>;

interface Kind {
  readonly from: CredentialSource;
  readonly open: Shape;
  readonly sealed: Shape;
}

/** Who gives the router what calls carry for a credential. */
export type CredentialSource = 'store' | 'connections';

type Kinds = typeof CREDENTIAL_KINDS;
export type CredentialKind = keyof Kinds;

type Values<Members extends Shape> = [keyof Members] extends [never]
  ? unknown
  : ValueOf<z.ZodMiniObject<Members>>;

/** What may be known of a credential, by its kind. */
export type OpenCredential = {
  [Kind in CredentialKind]: { readonly type: Kind } & Values<Kinds[Kind]['open']>;
}[CredentialKind];

type Whole = {
  [Kind in CredentialKind]: { readonly type: Kind } & Values<Kinds[Kind]['open']> &
    Values<Kinds[Kind]['sealed']>;
};

/** What an owner sets for a target API, secrets included. */
export type Credential = Whole[CredentialKind];

/** A credential together with the origins that it may be sent to, and to no other. Source: RFC 6454 §4. */
export type StoredCredential = Credential & { readonly origins: readonly string[] };

/** The kinds that requests carry as they are stored. */
export type CarriedKind = {
  [Kind in CredentialKind]: Kinds[Kind]['from'] extends 'store' ? Kind : never;
}[CredentialKind];

/** The kinds that others give tokens for. */
export type ConnectedKind = Exclude<CredentialKind, CarriedKind>;

export const isConnectedKind = (kind: CredentialKind): kind is ConnectedKind =>
  CREDENTIAL_KINDS[kind].from === 'connections';

export const CONNECTED_KINDS = (Object.keys(CREDENTIAL_KINDS) as readonly CredentialKind[]).filter(
  (kind) => isConnectedKind(kind),
);

/** What is stored of one of those. */
export type ConnectedCredential<Of extends ConnectedKind = ConnectedKind> = Whole[Of] & {
  readonly origins: readonly string[];
};

export const isConnected = (credential: StoredCredential): credential is ConnectedCredential =>
  isConnectedKind(credential.type);

/** What may be known of what a request can carry. */
export type OpenCarried = Extract<OpenCredential, { readonly type: CarriedKind }>;

/** What is written before a secret where it is sent, and is none: `Token `, `k-`. */
const prefix = { prefix: optional(z.string()) };

/**
 * A credential that requests carry as it is stored, and as functions hand it to each other: `value` of a key is all that
 * is sent, as whoever knows no `prefix` takes it.
 */
export type WrittenCredential = (
  | Exclude<Whole[CarriedKind], { readonly type: 'api_key' }>
  | (Whole['api_key'] & { readonly prefix?: string })
  | AwsKeys
) & { readonly origins: readonly string[] };

/** A key as requests carry it, with what is secret of it apart from how that is written. */
export interface CarriedKey {
  readonly type: 'api_key';
  readonly in: 'header' | 'query' | 'cookie';
  readonly name: string;
  readonly prefix: string;
  readonly secret: string;
}

/**
 * What a request can carry, or is signed with; each of its secrets is a member that has nothing else in it. Never leaves
 * the router but into the request itself.
 */
export type CarriedCredential =
  | Exclude<Whole[CarriedKind], { readonly type: 'api_key' }>
  | CarriedKey
  | AwsKeys;

/** The same, with the only origins that it may be sent to. */
export type SentCredential = CarriedCredential & { readonly origins: readonly string[] };

/** A scheme and what it is of. Source: RFC 9110 §11.4. */
const SCHEME = /^[\w!#$%&'*+.^`|~-]+ +/;

/** Reads a credential for requests to carry. In `Authorization`, a key is what stands behind its scheme. */
export const apart = (written: WrittenCredential): SentCredential => {
  if (written.type !== 'api_key') return written;
  const { value, prefix: said = '', ...key } = written;
  const isScheme = key.in === 'header' && key.name.toLowerCase() === 'authorization';
  const before = said || (isScheme ? (SCHEME.exec(value)?.[0] ?? '') : '');
  return value.startsWith(before) && value !== before
    ? { ...key, prefix: before, secret: value.slice(before.length) }
    : { ...key, prefix: '', secret: value };
};

/** Writes one down for another function, or to be stored. */
export const written = (credential: SentCredential): WrittenCredential => {
  if (credential.type !== 'api_key') return credential;
  const { prefix: before, secret: behind, ...key } = credential;
  return { ...key, value: before + behind, ...(before !== '' && { prefix: before }) };
};

export const isCarried = (
  credential: StoredCredential,
): credential is Whole[CarriedKind] & { readonly origins: readonly string[] } =>
  CREDENTIAL_KINDS[credential.type].from === 'store';

/** What may be known of a credential of any kind, with further members. */
export const openCredential = <More extends Shape>(more: More) =>
  ofAnyKind(({ open }) => ({ ...open, ...more })) as z.ZodMiniType<OpenCredential & Values<More>>;

/** A whole credential of any kind, with further members. */
export const wholeCredential = <More extends Shape>(more: More) =>
  ofAnyKind(({ open, sealed }) => ({ ...open, ...sealed, ...more })) as z.ZodMiniType<
    Credential & Values<More>
  >;

/** What requests carry, as it is written down, with further members. */
export const writtenCredential = <More extends Shape>(more: More) =>
  ofAnyKind(
    ({ open, sealed }) => ({ ...open, ...sealed, ...prefix, ...more }),
    ({ from }) => from === 'store',
    [z.object({ type: z.literal('aws_keys'), ...awsKeys, ...more })],
  ) as z.ZodMiniType<Omit<WrittenCredential, 'origins'> & Values<More>>;

/** What may be known of what requests carry. */
export const openCarried = () =>
  ofAnyKind(
    ({ open }) => open,
    ({ from }) => from === 'store',
  ) as z.ZodMiniType<OpenCarried>;

const ofAnyKind = (
  membersOf: (kind: Kind) => Shape,
  isMeant: (kind: Kind) => boolean = () => true,
  besides: readonly z.ZodMiniObject<Shape>[] = [],
) => {
  const settable = Object.entries(CREDENTIAL_KINDS)
    .filter(([, kind]) => isMeant(kind))
    .map(([type, kind]) => z.object({ type: z.literal(type), ...membersOf(kind) }));
  const [first, ...others] = [...settable, ...besides];
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

/** Of each kind, the members that are stored apart, by their names here; and whether a value of one is a secret. */
export const SEALED_MEMBERS: Readonly<Record<string, Readonly<Record<string, boolean>>>> =
  Object.fromEntries(
    Object.entries(CREDENTIAL_KINDS).map(([type, { sealed }]) => [
      type,
      Object.fromEntries(
        Object.entries(sealed).map(([name, member]) => [name, isWriteOnly(member)]),
      ),
    ]),
  );

function isWriteOnly(schema: z.core.$ZodType): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const known = z.globalRegistry.get(schema) as { readonly writeOnly?: boolean } | undefined;
  return known?.writeOnly === true || (def.type === 'optional' && isWriteOnly(def.innerType));
}

/** @returns a credential without what is secret, and what else a deployment says of it */
export const openPart = (credential: OpenCredential): OpenCredential => {
  const names = ['type', ...Object.keys(CREDENTIAL_KINDS[credential.type].open)];
  return Object.fromEntries(
    Object.entries(credential).filter(([name]) => names.includes(name)),
  ) as unknown as OpenCredential;
};
