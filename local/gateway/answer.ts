import { validateHeaderName, validateHeaderValue } from 'node:http';
import { MAX_ANSWER_BYTES } from './quotas.ts';
import { isObject } from '../../layers/platform/rules/json/json.ts';
import { parsedJson } from '../../layers/platform/rules/json/parsed-json.ts';

export interface HttpAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: Buffer;
}

/**
 * Reads a function's result as an HTTP answer, payload format 2.0. A result without a `statusCode` is the JSON body
 * of a 200; `multiValueHeaders` belong to format 1.0 and are not read.
 * @param result - the function's result, as JSON
 * @returns undefined if API Gateway could make no answer of it
 */
export const toAnswer = (result: string): HttpAnswer | undefined => {
  if (Buffer.byteLength(result) > MAX_ANSWER_BYTES) return undefined;
  const given: unknown = parsedJson(result);
  if (!isObject(given) || !('statusCode' in given)) {
    const body = Buffer.from(typeof given === 'string' ? given : result);
    return { status: 200, headers: { 'content-type': 'application/json' }, cookies: [], body };
  }

  const status = statusOf(given['statusCode']);
  const headers = headersOf(given['headers'] ?? {});
  const cookies = cookiesOf(given['cookies'] ?? []);
  const body = given['body'] ?? '';
  if (!status || !headers || !cookies || typeof body !== 'string') return undefined;
  return {
    status,
    headers: body === '' ? headers : { 'content-type': 'text/plain;charset=utf-8', ...headers },
    cookies,
    body: Buffer.from(body, given['isBase64Encoded'] === true ? 'base64' : 'utf8'),
  };
};

const statusOf = (value: unknown): number | undefined => {
  const status = typeof value === 'string' ? Number(value) : value;
  return Number.isInteger(status) && (status as number) >= 200 && (status as number) <= 599
    ? (status as number)
    : undefined;
};

/** Headers that the gateway writes itself. */
const OWN = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']);

const headersOf = (given: unknown): Record<string, string> | undefined => {
  if (!isObject(given)) return undefined;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'object') return undefined;
    if (!isSendable(name, String(value))) return undefined;
    if (!OWN.has(name.toLowerCase())) headers[name.toLowerCase()] = String(value);
  }
  return headers;
};

const cookiesOf = (given: unknown): readonly string[] | undefined =>
  Array.isArray(given) &&
  given.every((cookie) => typeof cookie === 'string' && isSendable('set-cookie', cookie))
    ? given
    : undefined;

const isSendable = (name: string, value: string): boolean => {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
};
