import { RpcRefusal } from '../../platform/rules/refusal/rpc-refusal.ts';
import {
  isHeaderName,
  isHeaderValue,
  METHOD_OVERRIDE,
} from '../../target/rules/protected-headers.ts';
import type {
  AwsKeys,
  CarriedCredential,
  ClientCertificate,
  HmacKey,
  SentCredential,
} from '../../target/rules/credential.ts';
import {
  isHeadTooLarge,
  MAX_REQUEST_HEAD_BYTES,
  type TargetRequest,
} from '../../target/rules/target.ts';
import { InvalidArguments } from '../arguments/invalid-arguments.ts';
import type { Arguments } from '../arguments/read-arguments.ts';
import type { PreparedTool } from '../prepare-tool.ts';
import { type Pair, percentEncode } from './parameter-pairs.ts';
import { requestBody } from './request-body.ts';
import {
  byLines,
  constantHeaders,
  cookiesFrom,
  fixedHeaders,
  headersFrom,
} from './request-headers.ts';
import { requestUrl } from './request-url.ts';
import { type IsCredentialName, spellingsOf } from './reserved-names.ts';

const USER_AGENT = 'hosted-mcp/0.1.0';

interface RequestTerms {
  readonly credentials?: readonly SentCredential[];
  /** Headers that the owner adds; names in any case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Builds the HTTP request of a call. Arguments that are not given are not sent, not even their defaults; a header of
 * the deployment replaces an argument of that name.
 * @param args - from `readArguments`
 * @throws RpcRefusal for arguments that their place in a request cannot carry, or a head larger than servers accept
 * Source: docs/tools.md, "Calling".
 */
export const buildRequest = (
  tool: PreparedTool,
  args: Arguments,
  { credentials = [], headers: constant = {} }: RequestTerms = {},
): TargetRequest => {
  const { operation } = tool;
  const placed = placedTogether(credentials.map(placeCredential));
  const constants = constantHeaders(constant, placed.isHeader);

  const url = requestUrl(tool, args, placed.isQuery, placed.query);
  const cookies = [...cookiesFrom(tool, args, placed.isCookie), ...placed.cookies];
  const body = operation.body && requestBody(reserving(tool, placed), operation.body, args);
  if (body && !isHeaderValue(body.contentType)) {
    throw new RpcRefusal('server_error', 'The media type of this tool cannot be sent.');
  }

  const isPosted =
    operation.body?.isPosted === true && body?.contentType.startsWith('multipart/') === true;
  const given = byLines(
    constants.over({
      ...(body?.disposition !== undefined && { 'content-disposition': body.disposition }),
      ...headersFrom(operation, args, placed.isHeader),
    }),
  );
  const headers = {
    'user-agent': USER_AGENT,
    ...fixedHeaders(operation, placed.isHeader),
    ...given.headers,
    accept: tool.accept,
    ...(body ? { 'content-type': body.contentType } : {}),
    ...(isPosted ? { [METHOD_OVERRIDE]: operation.method } : {}),
    ...(cookies.length > 0 ? { cookie: cookieHeader(cookies) } : {}),
    ...placed.headers,
  };
  const hasLines = Object.keys(given.headerLines).length > 0;
  refuseLargeHead({ url, headers, headerLines: given.headerLines });
  return {
    method: isPosted ? 'POST' : operation.method,
    url,
    headers,
    ...(hasLines && { headerLines: given.headerLines }),
    ...(body ? { body: body.content } : {}),
    ...besidesParts(placed),
    ...(credentials.length > 0 ? { credentialOrigins: commonOrigins(credentials) } : {}),
  };
};

/** Reserves a query key's name in the body too: some servers merge query and form. */
const reserving = (tool: PreparedTool, { query, isQuery }: PlacedCredential): PreparedTool =>
  query.length === 0
    ? tool
    : {
        ...tool,
        reservedNames: {
          has: (place, name) =>
            tool.reservedNames.has(place, name) || (place === 'body' && isQuery(name)),
        },
      };

/** Refused before anything is sent, so that the caller learns the cause. */
const refuseLargeHead = (request: Parameters<typeof isHeadTooLarge>[0]): void => {
  if (isHeadTooLarge(request)) {
    const message = `take more than ${MAX_REQUEST_HEAD_BYTES} bytes of path, query and headers`;
    throw new InvalidArguments([{ path: '', message }]);
  }
};

const cookieHeader = (cookies: readonly Pair[]): string =>
  cookies.map(([name, value]) => `${name}=${value}`).join('; ');

/** The parts of a request that a credential sets, and the names that arguments may not use. */
interface PlacedCredential {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: readonly Pair[];
  readonly cookies: readonly Pair[];
  readonly isHeader: IsCredentialName;
  readonly isQuery: IsCredentialName;
  readonly isCookie: IsCredentialName;
  /** Key that signs the finished request. */
  readonly signature?: AwsKeys | HmacKey;
  readonly clientCertificate?: ClientCertificate;
}

/** Combines credentials. They have no name in common, which is checked when they are set. */
const placedTogether = (all: readonly PlacedCredential[]): PlacedCredential => {
  const [only = NOWHERE, ...others] = all;
  if (others.length === 0) return only;
  const any =
    (of: 'isHeader' | 'isQuery' | 'isCookie'): IsCredentialName =>
    (name) =>
      all.some((one) => one[of](name));
  return {
    headers: Object.assign({}, ...all.map(({ headers }) => headers)) as PlacedCredential['headers'],
    query: all.flatMap(({ query }) => query),
    cookies: all.flatMap(({ cookies }) => cookies),
    isHeader: any('isHeader'),
    isQuery: any('isQuery'),
    isCookie: any('isCookie'),
    ...Object.assign({}, ...all.map(besidesParts)),
  };
};

/** Credentials that are no part of the request itself. */
const besidesParts = ({
  signature,
  clientCertificate,
}: PlacedCredential): Pick<PlacedCredential, 'clientCertificate' | 'signature'> => ({
  ...(signature && { signature }),
  ...(clientCertificate && { clientCertificate }),
});

const commonOrigins = (credentials: readonly SentCredential[]): readonly string[] =>
  credentials
    .map(({ origins }) => origins)
    .reduce((common, origins) => common.filter((origin) => origins.includes(origin)));

/**
 * @throws RpcRefusal `server_error` if the secret has characters that a header cannot carry
 * Source: RFC 6750 §2.1; RFC 7617 (UTF-8); OpenAPI 3.1.1, Security Scheme Object.
 */
const placeCredential = (credential: CarriedCredential): PlacedCredential => {
  switch (credential.type) {
    case 'bearer':
      return inHeader('authorization', `Bearer ${credential.token}`);
    case 'basic': {
      const pair = Buffer.from(`${credential.username}:${credential.password}`, 'utf8');
      return inHeader('authorization', `Basic ${pair.toString('base64')}`);
    }
    case 'api_key':
      return placeKey(credential.in, credential.name, credential.prefix + credential.secret);
    case 'mutual_tls': {
      const { certificate, privateKey } = credential;
      return { ...NOWHERE, clientCertificate: { certificate, privateKey } };
    }
    case 'hmac': {
      const names = new Set(Object.keys(credential.headers).map((name) => name.toLowerCase()));
      const isHeader: IsCredentialName = (name) => names.has(name.toLowerCase());
      return { ...NOWHERE, isHeader, signature: credential };
    }
    case 'aws_keys':
      return {
        ...NOWHERE,
        isHeader: (name) => OF_SIGNATURES.has(name.toLowerCase()),
        signature: credential,
      };
  }
};

const OF_SIGNATURES: ReadonlySet<string> = new Set([
  'authorization',
  'x-amz-content-sha256',
  'x-amz-date',
  'x-amz-security-token',
]);

const nothing: IsCredentialName = () => false;

const NOWHERE: PlacedCredential = {
  headers: {},
  query: [],
  cookies: [],
  isHeader: nothing,
  isQuery: nothing,
  isCookie: nothing,
};

const placeKey = (
  place: 'header' | 'query' | 'cookie',
  name: string,
  value: string,
): PlacedCredential => {
  const isName: IsCredentialName = spellingsOf(place, name);
  switch (place) {
    case 'header':
      return inHeader(name.toLowerCase(), value);
    case 'query':
      return { ...NOWHERE, query: [[name, value]], isQuery: isName };
    case 'cookie':
      return { ...NOWHERE, cookies: [[name, cookieValue(value)]], isCookie: isName };
  }
};

const inHeader = (name: string, value: string): PlacedCredential => {
  if (!isHeaderValue(value) || !isHeaderName(name)) {
    throw new RpcRefusal('server_error', 'The credential of this server cannot be sent.');
  }
  return { ...NOWHERE, headers: { [name]: value }, isHeader: spellingsOf('header', name) };
};

/** Unchanged where a cookie can carry it: the owner copied it from its issuer. Source: RFC 6265 §4.1.1. */
const cookieValue = (value: string): string =>
  /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/.test(value) ? value : encodeURIComponent(value);

/**
 * Adds the caller's trace context unchanged: the service records no span of its own. A request that has such a header
 * already, from an argument or key, keeps it: two halves of different contexts are invalid.
 * Source: W3C Trace Context, "Mutating the traceparent Field"; docs/decisions/mcp.md, "Traces".
 */
export const withTraceHeaders = (
  request: TargetRequest,
  context: { readonly traceparent: string; readonly tracestate?: string } | undefined,
): TargetRequest => {
  const { headers } = request;
  if (!context || 'traceparent' in headers || 'tracestate' in headers) return request;
  const { traceparent, tracestate } = context;
  return {
    ...request,
    headers: { ...headers, traceparent, ...(tracestate !== undefined && { tracestate }) },
  };
};

/**
 * A request with a credential, without body, that is no call of a tool.
 * @throws RpcRefusal `server_error` if the secret has characters that a header cannot carry
 */
export const withCredential = (
  { method, url, headers }: Pick<TargetRequest, 'headers' | 'method' | 'url'>,
  credential: SentCredential,
): TargetRequest => {
  const placed = placeCredential(credential);
  const query = placed.query.map((pair) => pair.map((text) => percentEncode(text)).join('='));
  const [address = ''] = url.split('#', 1);
  const joint = address.includes('?') ? '&' : '?';
  return {
    method,
    url: query.length > 0 ? `${address}${joint}${query.join('&')}` : address,
    headers: {
      ...headers,
      ...(placed.cookies.length > 0 && { cookie: cookieHeader(placed.cookies) }),
      ...placed.headers,
    },
    ...besidesParts(placed),
    credentialOrigins: credential.origins,
  };
};
