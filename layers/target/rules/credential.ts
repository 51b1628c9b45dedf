import * as z from 'zod/mini';
import type { ValueOf } from '../../platform/rules/shape.ts';

type Shape = Readonly<Record<string, z.ZodMiniType>>;

const optional = z.exactOptional;

const secret = z.string().register(z.globalRegistry, { writeOnly: true });

/**
 * Kinds of credentials for calls to a target. `open` members are shown to owners and stored with the deployment;
 * `sealed` ones only in the store of credentials. `from` tells who gives the router what calls carry: the `store`, or
 * the function `connections`, which gets tokens from others. Everything else that depends on a kind is found by the
 * compiler. Source: RFC 6750 §2.1; RFC 7617; OpenAPI 3.1.1, Security Scheme Object.
 */
export const CREDENTIAL_KINDS = {
  bearer: { from: 'store', open: {}, sealed: { token: secret } },
  api_key: {
    from: 'store',
    open: { name: z.string(), in: z.enum(['header', 'query', 'cookie']) },
    sealed: { value: secret },
  },
  basic: { from: 'store', open: {}, sealed: { username: z.string(), password: secret } },
  /** An HMAC by the API's own recipe. Source: RFC 2104; docs/decisions/credentials.md, "Signatures by a recipe". */
  hmac: {
    from: 'store',
    open: {
      algorithm: z.enum(['sha1', 'sha256', 'sha384', 'sha512']),
      /** Template of the signed text, with parts of the request in braces: `{timestamp}.{method}.{path}.{body}`. */
      signed: z.string(),
      /** Templates by header name; one has `{signature}`. */
      headers: z.record(z.string(), z.string()),
      encoding: optional(z.enum(['hex', 'base64'])),
      keyId: optional(z.string()),
    },
    sealed: { secret },
  },
  /** Client certificate of TLS connections. Source: RFC 8446 §4.4.2; OpenAPI 3.1.1, `mutualTLS`. */
  mutual_tls: {
    from: 'store',
    open: {
      /** Read from the certificate; what an owner sends is ignored. */
      notAfter: optional(z.iso.datetime()),
    },
    sealed: {
      /** PEM, followed by the intermediate certificates. */
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
      /** The only origin that gets the secret, even if the issuer's metadata change. */
      tokenOrigin: optional(z.string()),
    },
  },
  /** A login operation of the API, whose answer has a token. */
  session: {
    from: 'connections',
    open: {
      /** Method and path in the description: `POST /sessions`. */
      login: z.string(),
      /** Where the answer has the token: a JSON pointer, `header:Name` or `cookie:name`. */
      token: z.string(),
      /** Where calls carry it; by default `Authorization` with `Bearer `. */
      in: optional(z.enum(['header', 'query', 'cookie'])),
      name: optional(z.string()),
      prefix: optional(z.string()),
      lifetimeSeconds: optional(z.int()),
      /** JSON pointer to the session's end in the answer. */
      expiry: optional(z.string()),
    },
    sealed: {
      /** Arguments of the login from its owner. Only the request made of them is stored. */
      fields: optional(
        z.record(z.string(), z.unknown()).register(z.globalRegistry, { writeOnly: true }),
      ),
      request: optional(
        z
          .object({
            method: z.string(),
            url: z.string(),
            headers: z.record(z.string(), z.string()),
            /** Base64. */
            body: optional(z.string()),
            /** The owner's values, which are masked in the API's error texts. */
            secrets: optional(z.array(z.string())),
          })
          .register(z.globalRegistry, { writeOnly: true }),
      ),
    },
  },
  /** A role that `connections` assumes, and whose keys sign calls. Source: AWS STS API, "AssumeRole". */
  aws: {
    from: 'connections',
    open: {
      roleArn: z.string(),
      region: z.string(),
      /** Service name in signatures: `execute-api`, `lambda`, `appsync`, `es`, `aoss`, `s3`. */
      service: z.string(),
      /** Each caller gets keys of its own, so that CloudTrail names the caller. */
      nameUser: optional(z.boolean()),
      /** Lifetime of the keys; 3600 by default and at most. */
      durationSeconds: optional(z.int()),
    },
    sealed: {},
  },
} as const satisfies Readonly<Record<string, Kind>>;

/** Temporary keys of an assumed role, for at most an hour; made by the service, never set by owners. */
const awsKeys = {
  region: z.string(),
  service: z.string(),
  accessKeyId: z.string(),
  secretAccessKey: secret,
  sessionToken: secret,
};

export type HmacKey = Whole['hmac'];

/** PEM. */
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

export type CredentialSource = 'store' | 'connections';

type Kinds = typeof CREDENTIAL_KINDS;
export type CredentialKind = keyof Kinds;

type Values<Members extends Shape> = [keyof Members] extends [never]
  ? unknown
  : ValueOf<z.ZodMiniObject<Members>>;

/** Members of a credential that are no secrets, by kind. */
export type OpenCredential = {
  [Kind in CredentialKind]: { readonly type: Kind } & Values<Kinds[Kind]['open']>;
}[CredentialKind];

type Whole = {
  [Kind in CredentialKind]: { readonly type: Kind } & Values<Kinds[Kind]['open']> &
    Values<Kinds[Kind]['sealed']>;
};

/** A credential with its secrets, as an owner sets it. */
export type Credential = Whole[CredentialKind];

/** `origins` are the only ones that it may be sent to. Source: RFC 6454 §4. */
export type StoredCredential = Credential & { readonly origins: readonly string[] };

/** Kinds that requests carry as they are stored. */
export type CarriedKind = {
  [Kind in CredentialKind]: Kinds[Kind]['from'] extends 'store' ? Kind : never;
}[CredentialKind];

/** Kinds that need a token from somebody else. */
export type ConnectedKind = Exclude<CredentialKind, CarriedKind>;

export const isConnectedKind = (kind: CredentialKind): kind is ConnectedKind =>
  CREDENTIAL_KINDS[kind].from === 'connections';

export const CONNECTED_KINDS = (Object.keys(CREDENTIAL_KINDS) as readonly CredentialKind[]).filter(
  (kind) => isConnectedKind(kind),
);

export type ConnectedCredential<Of extends ConnectedKind = ConnectedKind> = Whole[Of] & {
  readonly origins: readonly string[];
};

export const isConnected = (credential: StoredCredential): credential is ConnectedCredential =>
  isConnectedKind(credential.type);

export type OpenCarried = Extract<OpenCredential, { readonly type: CarriedKind }>;

/** Text before a secret that is not secret: `Token `, `k-`. */
const prefix = { prefix: optional(z.string()) };

/**
 * A credential in the form that functions exchange and store: a key's `value` includes the prefix, for versions that
 * do not know `prefix`.
 */
export type WrittenCredential = (
  | Exclude<Whole[CarriedKind], { readonly type: 'api_key' }>
  | (Whole['api_key'] & { readonly prefix?: string })
  | AwsKeys
) & { readonly origins: readonly string[] };

/** An API key with its secret separated from its prefix, for masking. */
export interface CarriedKey {
  readonly type: 'api_key';
  readonly in: 'header' | 'query' | 'cookie';
  readonly name: string;
  readonly prefix: string;
  readonly secret: string;
}

/**
 * What a request carries or is signed with, each secret a member of its own. Leaves the router only in the request.
 */
export type CarriedCredential =
  | Exclude<Whole[CarriedKind], { readonly type: 'api_key' }>
  | CarriedKey
  | AwsKeys;

/** `origins` are the only ones that it may be sent to. */
export type SentCredential = CarriedCredential & { readonly origins: readonly string[] };

/** Authentication scheme with its blank. Source: RFC 9110 §11.4. */
const SCHEME = /^[\w!#$%&'*+.^`|~-]+ +/;

/** Separates a key's secret from its prefix. In `Authorization` the scheme counts as prefix. */
export const apart = (written: WrittenCredential): SentCredential => {
  if (written.type !== 'api_key') return written;
  const { value, prefix: said = '', ...key } = written;
  const isScheme = key.in === 'header' && key.name.toLowerCase() === 'authorization';
  const before = said || (isScheme ? (SCHEME.exec(value)?.[0] ?? '') : '');
  return value.startsWith(before) && value !== before
    ? { ...key, prefix: before, secret: value.slice(before.length) }
    : { ...key, prefix: '', secret: value };
};

/** The reverse of `apart`, for other functions and the store. */
export const written = (credential: SentCredential): WrittenCredential => {
  if (credential.type !== 'api_key') return credential;
  const { prefix: before, secret: behind, ...key } = credential;
  return { ...key, value: before + behind, ...(before !== '' && { prefix: before }) };
};

export const isCarried = (
  credential: StoredCredential,
): credential is Whole[CarriedKind] & { readonly origins: readonly string[] } =>
  CREDENTIAL_KINDS[credential.type].from === 'store';

/** Schema of open members of any kind, with `more`. */
export const openCredential = <More extends Shape>(more: More) =>
  ofAnyKind(({ open }) => ({ ...open, ...more })) as z.ZodMiniType<OpenCredential & Values<More>>;

/** Schema of all members of any kind, with `more`. */
export const wholeCredential = <More extends Shape>(more: More) =>
  ofAnyKind(({ open, sealed }) => ({ ...open, ...sealed, ...more })) as z.ZodMiniType<
    Credential & Values<More>
  >;

/** Schema of `WrittenCredential`, with `more`. */
export const writtenCredential = <More extends Shape>(more: More) =>
  ofAnyKind(
    ({ open, sealed }) => ({ ...open, ...sealed, ...prefix, ...more }),
    ({ from }) => from === 'store',
    [z.object({ type: z.literal('aws_keys'), ...awsKeys, ...more })],
  ) as z.ZodMiniType<Omit<WrittenCredential, 'origins'> & Values<More>>;

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

/** One object schema whose optional members fit credentials of any kind, for answers. */
export const openMembers = {
  type: z.enum(Object.keys(CREDENTIAL_KINDS) as readonly CredentialKind[]),
  ...Object.fromEntries(
    Object.values(CREDENTIAL_KINDS).flatMap(({ open }) =>
      Object.entries(open).map(([name, member]) => [name, z.exactOptional(member)]),
    ),
  ),
};

/** Names of the sealed members by kind, each with whether it is a secret. */
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

/** Drops secrets, and members that only a deployment has. */
export const openPart = (credential: OpenCredential): OpenCredential => {
  const names = ['type', ...Object.keys(CREDENTIAL_KINDS[credential.type].open)];
  return Object.fromEntries(
    Object.entries(credential).filter(([name]) => names.includes(name)),
  ) as unknown as OpenCredential;
};
