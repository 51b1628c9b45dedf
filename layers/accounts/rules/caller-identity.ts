import { InvalidToken } from '../../tokens/rules/authorization.ts';
import { type EpochSeconds, MINUTE } from '../../platform/rules/time.ts';
import { partitionOf } from './partition.ts';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

/** Issuer of trusts in AWS roles, which present a signed request instead of a JWT; only STS can verify it. */
export const AWS_ROLES = 'https://sts.amazonaws.com';

/** A GetCallerIdentity request that a role has signed but not sent. */
export interface CallerIdentityRequest {
  readonly region: string;
  /** Exactly as signed; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Unique per request, so that it identifies one. */
  readonly signature: string;
  readonly endsAt: EpochSeconds;
}

/** Fixed body: the caller controls the headers only. Source: AWS STS API, "GetCallerIdentity". */
export const CALLER_IDENTITY_BODY = 'Action=GetCallerIdentity&Version=2011-06-15';
export const CALLER_IDENTITY_TYPE = 'application/x-www-form-urlencoded; charset=utf-8';

const SERVER_HEADER = 'x-hosted-mcp-server';
const NEEDED = ['authorization', 'x-amz-date', SERVER_HEADER];
const ALLOWED = [...NEEDED, 'x-amz-security-token', 'x-amz-content-sha256'];
/** Signed headers that this service writes itself. */
const OURS = ['content-type', 'host'];

const REGION = /^[a-z]{2,4}(?:-[a-z]{2,12}){1,3}-\d$/;
const DATE = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
const MOST_HEADER = 4096;
/** AWS accepts a signature for 15 minutes, which is longer than a sign-in needs. */
const MOST_AGE = 5 * MINUTE;

/**
 * Parses the presented request: base64url of JSON with `region` and `headers`. Only STS can verify it; the signed
 * server header binds it to this service, so that a request made for another service is refused.
 *
 * The grammar is strict: each part once, with its exact name, in its fixed place. Whatever could be parsed in two ways
 * might be parsed differently by AWS.
 *
 * @param partition - that of this service: account numbers of other partitions mean other accounts
 * @throws InvalidToken
 * Source: IAM User Guide, "Create a signed AWS API request"; docs/decisions/accounts.md, "Roles of AWS".
 */
export const readCallerIdentity = (
  text: string,
  {
    baseUrl,
    now,
    partition,
  }: { readonly baseUrl: string; readonly now: EpochSeconds; readonly partition: string },
): CallerIdentityRequest => {
  const { region, headers } = partsOf(text);
  if (typeof region !== 'string' || !REGION.test(region)) throw new InvalidToken('no region');
  if (partitionOf(region).id !== partition) {
    throw new InvalidToken(`${region} is not in the partition ${partition} of this service`);
  }
  const sent = headersOf(headers);
  const missing = NEEDED.find((name) => !sent.has(name));
  if (missing !== undefined) throw new InvalidToken(`no ${missing}`);
  if (sent.get(SERVER_HEADER) !== baseUrl) throw new InvalidToken('signed for another service');
  const date = sent.get('x-amz-date') ?? '';
  const signedAt = momentOf(date);
  if (signedAt === undefined || Math.abs(now - signedAt) > MOST_AGE) {
    throw new InvalidToken('not signed within the last minutes');
  }
  return {
    region,
    headers: Object.fromEntries(sent),
    signature: signatureIn(sent, { region, day: date.slice(0, 8) }),
    endsAt: signedAt + 2 * MOST_AGE,
  };
};

const partsOf = (text: string): { readonly region?: unknown; readonly headers?: unknown } => {
  try {
    if (!BASE64URL.test(text)) throw new Error('not base64url');
    const parts: unknown = parsedJson(Buffer.from(text, 'base64url').toString('utf8'));
    if (
      typeof parts === 'object' &&
      parts !== null &&
      Object.keys(parts).every((name) => name === 'region' || name === 'headers')
    ) {
      return parts;
    }
  } catch {
    // Refused below.
  }
  throw new InvalidToken('not a request that a role has signed');
};

const BASE64URL = /^[\w-]+={0,2}$/;

/** Keyed by lower-case name; repeated and unexpected headers are refused. @throws InvalidToken */
const headersOf = (given: unknown): ReadonlyMap<string, string> => {
  const headers = new Map<string, string>();
  for (const [written, value] of Object.entries(given ?? {})) {
    const name = written.toLowerCase();
    if (!ALLOWED.includes(name)) throw new InvalidToken('a header that such a request has not');
    if (headers.has(name)) throw new InvalidToken(`${name} twice`);
    if (!isHeaderValue(value)) throw new InvalidToken('no usable header');
    headers.set(name, value);
  }
  return headers;
};

const isHeaderValue = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MOST_HEADER && /^[\x20-\x7e]+$/.test(value);

const momentOf = (text: string): EpochSeconds | undefined => {
  const [, ...parts] = DATE.exec(text) ?? [];
  const [year = 0, month = 1, day, hour, minute, second] = parts.map(Number);
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  return Number.isNaN(time) || parts.length === 0 ? undefined : time / 1000;
};

/** Form used by AWS's SDKs, botocore and curl. Source: IAM User Guide, "Elements of an AWS API request signature". */
const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=\w{16,128}\/(\d{8})\/([a-z\d-]{1,64})\/sts\/aws4_request, ?SignedHeaders=([a-z\d;-]{1,500}), ?Signature=([\da-f]{64})$/;

/** @returns the signature, which covers date, region and all headers sent. @throws InvalidToken */
const signatureIn = (
  sent: ReadonlyMap<string, string>,
  scope: { readonly region: string; readonly day: string },
): string => {
  const [, day, region, signed, signature] =
    AUTHORIZATION.exec(sent.get('authorization') ?? '') ?? [];
  // All headers sent to STS must be signed: an unsigned one could be added by anybody.
  const others = [...sent.keys()].filter((name) => name !== 'authorization');
  const isRight =
    day === scope.day &&
    region === scope.region &&
    signed === [...OURS, ...others].toSorted().join(';');
  if (!isRight || signature === undefined) {
    throw new InvalidToken('not signed as such a request is');
  }
  return signature;
};

/**
 * Account and name of the role in STS's answer; the name there has no path.
 * @param partition - that of this service: account numbers of other partitions mean other accounts
 * @throws InvalidToken for users, root accounts, federated users and other partitions
 */
export const roleIn = (
  answer: string,
  partition: string,
): Readonly<Record<'account' | 'role', string>> => {
  const arn = answer.split('<Arn>', 2)[1]?.split('</Arn>', 1)[0] ?? '';
  const [, its, account, role] = ASSUMED_ROLE.exec(arn) ?? [];
  if (account === undefined || role === undefined) throw new InvalidToken('it is of no role');
  if (its !== partition) throw new InvalidToken(`it is of a role in ${its}, not in ${partition}`);
  return { account, role };
};

/** Matches the entire ARN: role names there have no path, and session names no `/` or `:`. */
const ASSUMED_ROLE =
  /^arn:(aws(?:-[a-z]{1,8}){0,2}):sts::(\d{12}):assumed-role\/([\w+=,.@-]{1,64})\/[\w+=,.@-]{2,64}$/;
