import type { Operation, OperationParameter } from '../tool-index.ts';
import { isJsonType } from './accept.ts';
import { invalidArgument } from './invalid-arguments.ts';
import { isObject, own } from './json.ts';
import { type Pair, parameterPairs, present, presentMembers, textOf } from './parameter-pairs.ts';
import { percentEncode } from './percent-encode.ts';
import type { Arguments } from './read-arguments.ts';
import type { IsReserved } from './request-url.ts';

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** Headers that decide about the connection, the caller or the body: never a caller's to set. */
const PROTECTED =
  /^(?:accept|authorization|connection|content-length|content-type|cookie|expect|forwarded|host|keep-alive|te|trailer|transfer-encoding|upgrade|via|x-real-ip|(?:proxy|sec|x-forwarded)(?:-.*)?|x-amz.*)$/;

/**
 * The headers that arguments set, names in lower case. The `simple` style, not percent-encoded.
 *
 * @throws RpcRefusal for a protected header and for a value that no header can hold
 * Source: OpenAPI 3.1.1, "Style Values"; architecture, "Outgoing requests".
 */
export const headersFrom = (
  { parameters }: Operation,
  args: Arguments,
  isReserved: IsReserved,
): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (const parameter of parameters) {
    const value = own(args, parameter.argument);
    if (parameter.in !== 'header' || value === undefined) continue;
    const text = headerText(parameter, value);
    if (text === undefined) continue;
    const name = parameter.name.toLowerCase();
    if (!TOKEN.test(name) || PROTECTED.test(name) || isReserved(name)) {
      throw invalidArgument([parameter.argument], 'stands for a header that callers may not set');
    }
    if (!isHeaderValue(text)) {
      throw invalidArgument([parameter.argument], 'has characters that no header can hold');
    }
    headers[name] = text;
  }
  return headers;
};

/**
 * The cookies that arguments set. Their values are percent-encoded, since `;` and the like would end
 * them; a list or object that explodes becomes several cookies.
 */
export const cookiesFrom = (
  { parameters }: Operation,
  args: Arguments,
  isReserved: IsReserved,
): readonly Pair[] =>
  parameters
    .filter((parameter) => parameter.in === 'cookie')
    .flatMap((parameter) =>
      cookiePairs(parameter, own(args, parameter.argument)).map(([name, value]): Pair => {
        if (!TOKEN.test(name) || isReserved(name)) {
          throw invalidArgument(
            [parameter.argument],
            'stands for a cookie that callers may not set',
          );
        }
        return [name, value];
      }),
    );

/** No control characters, nothing beyond Latin-1. Source: RFC 9110 §5.5. */
export const isHeaderValue = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text);

const headerText = ({ mediaType, explode }: OperationParameter, value: unknown) => {
  if (mediaType !== undefined) {
    return isJsonType(mediaType) ? asciiJson(value) : textOf(value);
  }
  const parts = Array.isArray(value)
    ? present(value)
    : isObject(value)
      ? presentMembers(value).flatMap(([key, member]) =>
          explode ? [`${key}=${textOf(member)}`] : [key, member],
        )
      : present([value]);
  return parts.length > 0 ? parts.map(textOf).join(',') : undefined;
};

const cookiePairs = (parameter: OperationParameter, value: unknown): readonly Pair[] => {
  const { name, mediaType } = parameter;
  if (value === undefined) return [];
  if (mediaType === undefined) return parameterPairs(name, value, parameter, percentEncode);
  return [[name, percentEncode(isJsonType(mediaType) ? JSON.stringify(value) : textOf(value))]];
};

/** JSON that fits a header, whatever it holds. */
const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
