import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { eventBody } from './event-body.ts';
import type { RequestHead } from './head.ts';
import type { MatchedRoute } from './routes.ts';

export interface Receipt {
  readonly requestId: string;
  readonly at: Date;
  readonly sourceIp: string;
  readonly port: number;
}

/** Taken from UUIDs, since Node draws the bytes of many at once: each call of `randomBytes` is a system call. */
const randomHex = (digits: number): string => randomUUID().replaceAll('-', '').slice(-digits);

export const newRequestId = (): string =>
  `${Buffer.from(randomHex(22), 'hex').toString('base64url')}=`;

export const toEvent = (
  head: RequestHead,
  body: Buffer,
  route: MatchedRoute,
  receipt: Receipt,
): APIGatewayProxyEventV2 => {
  const { method, protocol, path, query } = head;
  const { cookie, ...headers } = withoutHopByHop(head.headers);
  const cookies = cookie === undefined ? [] : cookiesOf(cookie);
  const domainName = headers['host'] ?? '';

  return {
    version: '2.0',
    routeKey: route.key,
    rawPath: path,
    rawQueryString: query,
    ...(cookies.length > 0 && { cookies }),
    headers: { ...headers, 'content-length': String(body.length), ...forwarded(headers, receipt) },
    ...(query !== '' && { queryStringParameters: queryParameters(query) }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName,
      domainPrefix: domainName.split('.', 1)[0] ?? '',
      http: {
        method,
        path,
        protocol,
        sourceIp: receipt.sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: receipt.requestId,
      routeKey: route.key,
      stage: '$default',
      time: logTime(receipt.at),
      timeEpoch: receipt.at.getTime(),
    },
    ...(Object.keys(route.pathParameters).length > 0 && { pathParameters: route.pathParameters }),
    ...eventBody(body, headers['content-type']),
  };
};

/** Headers that end at the gateway, because they speak of the connection and not of the request. */
const HOP_BY_HOP = new Set(
  'connection keep-alive proxy-connection te trailer transfer-encoding upgrade expect'.split(' '),
);

const withoutHopByHop = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));

const cookiesOf = (header: string): string[] =>
  header
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie !== '');

const forwarded = (
  headers: Readonly<Record<string, string>>,
  { at, sourceIp, port }: Receipt,
): Record<string, string> => {
  const before = headers['x-forwarded-for'];
  const seconds = Math.floor(at.getTime() / 1000).toString(16);
  return {
    'x-amzn-trace-id': headers['x-amzn-trace-id'] ?? `Root=1-${seconds}-${randomHex(24)}`,
    'x-forwarded-for': before === undefined ? sourceIp : `${before}, ${sourceIp}`,
    'x-forwarded-port': String(port),
    'x-forwarded-proto': 'http',
  };
};

const queryParameters = (query: string): Record<string, string> => {
  const pairs = Map.groupBy(new URLSearchParams(query), ([name]) => name);
  return Object.fromEntries(
    [...pairs].map(([name, its]) => [name, its.map(([, value]) => value).join()]),
  );
};

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `20/Nov/2026:09:15:27 +0000` */
const logTime = (at: Date): string => {
  const [date = '', time = ''] = at.toISOString().split('T');
  const [year, month, day] = date.split('-');
  return `${day}/${MONTHS[Number(month) - 1]}/${year}:${time.slice(0, 8)} +0000`;
};
