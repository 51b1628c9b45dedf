import { InvalidToken } from '../../tokens/rules/authorization.ts';
import { type EpochSeconds, MINUTE } from '../../platform/rules/time.ts';

/** What stands for AWS among issuers: a role shows a request of its own that only STS can judge. */
export const AWS_ROLES = 'https://sts.amazonaws.com';

/** A request to STS that a role has signed and not sent. */
export interface CallerIdentityRequest {
  readonly region: string;
  /** As they were signed, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Names the request: no two are alike. */
  readonly signature: string;
  readonly endsAt: EpochSeconds;
}

/** All of it that is not of the caller's choosing. Source: AWS STS API, "GetCallerIdentity". */
export const CALLER_IDENTITY_BODY = 'Action=GetCallerIdentity&Version=2011-06-15';
export const CALLER_IDENTITY_TYPE = 'application/x-www-form-urlencoded; charset=utf-8';

const SERVER_HEADER = 'x-hosted-mcp-server';
const NEEDED = ['authorization', 'x-amz-date', SERVER_HEADER];
const ALLOWED = [...NEEDED, 'x-amz-security-token', 'x-amz-content-sha256'];
const SIGNED = ['content-type', 'host', 'x-amz-date', SERVER_HEADER];

const REGION = /^[a-z]{2}(?:-[a-z]{2,12}){1,3}-\d$/;
const DATE = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
const MOST_HEADER = 4096;
/** AWS takes a signature for a quarter of an hour; nobody needs as long. */
const MOST_AGE = 5 * MINUTE;

/**
 * Reads what a role shows to sign in: base64url of JSON with `region` and `headers`. What it is worth STS says alone;
 * that it was signed for this service its header says, or a request for another one would pass here.
 *
 * @throws InvalidToken
 *
 * Source: IAM User Guide, "Create a signed AWS API request"; docs/decisions/accounts.md, "Roles of AWS".
 */
export const readCallerIdentity = (
  text: string,
  { baseUrl, now }: { readonly baseUrl: string; readonly now: EpochSeconds },
): CallerIdentityRequest => {
  const { region, headers } = partsOf(text);
  if (typeof region !== 'string' || !REGION.test(region)) throw new InvalidToken('no region');
  const given = Object.entries(headers ?? {});
  const sent = Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), value]));
  const stray = Object.keys(sent).find((name) => !ALLOWED.includes(name));
  if (stray !== undefined) throw new InvalidToken('a header that such a request has not');
  if (!given.every(([, value]) => isHeaderValue(value))) throw new InvalidToken('no usable header');
  const missing = NEEDED.find((name) => sent[name] === undefined);
  if (missing !== undefined) throw new InvalidToken(`no ${missing}`);
  if (sent[SERVER_HEADER] !== baseUrl) throw new InvalidToken('signed for another service');
  const signedAt = momentOf(String(sent['x-amz-date']));
  if (signedAt === undefined || Math.abs(now - signedAt) > MOST_AGE) {
    throw new InvalidToken('not signed within the last minutes');
  }
  return {
    region,
    headers: sent as Readonly<Record<string, string>>,
    signature: signatureIn(String(sent['authorization']), region),
    endsAt: signedAt + 2 * MOST_AGE,
  };
};

const partsOf = (text: string): { readonly region?: unknown; readonly headers?: object } => {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (typeof parts === 'object' && parts !== null) return parts;
  } catch {
    // Told below.
  }
  throw new InvalidToken('not a request that a role has signed');
};

const isHeaderValue = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= MOST_HEADER && /^[\x20-\x7e]+$/.test(value);

const momentOf = (text: string): EpochSeconds | undefined => {
  const [, ...parts] = DATE.exec(text) ?? [];
  const [year = 0, month = 1, day, hour, minute, second] = parts.map(Number);
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  return Number.isNaN(time) || parts.length === 0 ? undefined : time / 1000;
};

/** @returns the signature, which covers all that decides for whom and when. @throws InvalidToken */
const signatureIn = (authorization: string, region: string): string => {
  const [scheme, ...rest] = authorization.split(' ');
  const parts = new Map(
    rest
      .join('')
      .split(',')
      .map((part) => part.split('=', 2) as [string, string]),
  );
  const [, , its, service] = (parts.get('Credential') ?? '').split('/');
  const signed = (parts.get('SignedHeaders') ?? '').split(';');
  const signature = parts.get('Signature') ?? '';
  const isRight =
    scheme === 'AWS4-HMAC-SHA256' &&
    its === region &&
    service === 'sts' &&
    SIGNED.every((name) => signed.includes(name)) &&
    /^[\da-f]{64}$/.test(signature);
  if (!isRight) throw new InvalidToken('not signed as such a request is');
  return signature;
};

/**
 * Whom STS has seen: a role by its account and its name, which is without a path there.
 *
 * @throws InvalidToken for a user, a root account and a federated one
 */
export const roleIn = (answer: string): Readonly<Record<'account' | 'role', string>> => {
  const arn = answer.split('<Arn>', 2)[1]?.split('</Arn>', 1)[0] ?? '';
  const [, partition, service, , account = '', resource = ''] = arn.split(':');
  const [kind, role = ''] = resource.split('/');
  const isRole =
    partition?.startsWith('aws') &&
    service === 'sts' &&
    /^\d{12}$/.test(account) &&
    kind === 'assumed-role' &&
    /^[\w+=,.@-]{1,64}$/.test(role);
  if (!isRole) throw new InvalidToken('it is of no role');
  return { account, role };
};
