import type { Operation, OperationParameter } from '../../openapi/tool-index.ts';
import { isObject, jsonText, member } from '../../platform/rules/json/json.ts';
import {
  isFixableHeader,
  isHeaderName,
  isHeaderValue,
  isProtectedHeader,
} from '../../target/rules/protected-headers.ts';
import type { HeaderLines } from '../../target/rules/target.ts';
import { invalidArgument } from '../arguments/invalid-arguments.ts';
import type { Arguments } from '../arguments/read-arguments.ts';
import { type PreparedTool, isJsonType } from '../prepare-tool.ts';
import {
  asIs,
  delimiterOf,
  type Pair,
  parameterPairs,
  percentEncode,
  present,
  presentMembers,
  valueText,
} from './parameter-pairs.ts';
import {
  rejectReserved,
  type Reserved,
  spellingsOf,
  type IsCredentialName,
} from './reserved-names.ts';

/** Values by lower-case name; several lines where the API reads them so. */
export type HeaderValues = Readonly<Record<string, string | readonly string[]>>;

/**
 * Headers from arguments, by lower-case name. `simple` style, not percent-encoded.
 * @throws RpcRefusal for a protected header, and for a value that no header can carry
 * Source: OpenAPI 3.1.1, "Style Values"; docs/outgoing-calls.md, "Headers".
 */
export const headersFrom = (
  { parameters }: Operation,
  args: Arguments,
  isCredentialName: IsCredentialName,
): HeaderValues => {
  const headers = new Map<string, string | readonly string[]>();
  for (const parameter of parameters) {
    const value = member(args, parameter.argument);
    if (parameter.in !== 'header' || value === undefined) continue;
    const text = headerValue(parameter, value);
    if (text === undefined) continue;
    const name = parameter.name.toLowerCase();
    if (!isHeaderName(name) || isProtectedHeader(name) || isCredentialName(name)) {
      throw invalidArgument([parameter.argument], 'names a header that callers may not set');
    }
    if (![text].flat().every(isHeaderValue)) {
      throw invalidArgument(
        [parameter.argument],
        'has characters that no header can hold: control characters, or any beyond Latin-1',
      );
    }
    headers.set(name, text);
  }
  return Object.fromEntries(headers);
};

export const fixedHeaders = (
  { headers = {} }: Operation,
  isCredentialName: IsCredentialName,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) => isFixableHeader(name) && isHeaderValue(value) && !isCredentialName(name),
    ),
  );

/** Headers that the owner adds to each call, in place of those of the same name in any spelling; never a credential. */
export const constantHeaders = (
  constant: Readonly<Record<string, string>>,
  isCredentialName: IsCredentialName,
) => {
  const entries = Object.entries(constant)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !isCredentialName(name));
  const spellings = entries.map(([name]) => spellingsOf('header', name));
  return {
    over: (headers: HeaderValues): HeaderValues => ({
      ...Object.fromEntries(
        Object.entries(headers).filter(([name]) => !spellings.some((isName) => isName(name))),
      ),
      ...Object.fromEntries(entries),
    }),
  };
};

/**
 * Cookies from arguments. Values are percent-encoded, since `;` would end them, unless the description says otherwise;
 * an exploded list or object becomes several cookies.
 * @throws RpcRefusal for a cookie that callers may not set, and for a value that no cookie can carry
 * Source: OpenAPI 3.2.0, "Style Values"; RFC 6265 §4.1.1.
 */
export const cookiesFrom = (
  tool: Reserved & Pick<PreparedTool, 'operation'>,
  args: Arguments,
  isCredentialName: IsCredentialName,
): readonly Pair[] =>
  tool.operation.parameters
    .filter((parameter) => parameter.in === 'cookie')
    .flatMap((parameter) => {
      const pairs = cookiePairs(parameter, member(args, parameter.argument));
      rejectReserved(tool, 'cookie', parameter, pairs);
      return pairs.map(([name, value]): Pair => {
        if (!isHeaderName(name) || isCredentialName(name)) {
          throw invalidArgument([parameter.argument], 'names a cookie that callers may not set');
        }
        // Servers accept blanks, quotes and commas, but a semicolon always ends a cookie.
        if (!/^[\x20-\x3a\x3c-\x7e]*$/.test(value)) {
          throw invalidArgument([parameter.argument], 'has characters that no cookie can hold');
        }
        return [name, value];
      });
    });

/** A list as several lines if its items are lines; several lines of one item are one. */
const headerValue = (
  parameter: OperationParameter,
  value: unknown,
): string | readonly string[] | undefined => {
  if (!parameter.isRepeated || !Array.isArray(value)) return headerText(parameter, value);
  const lines = present(value).map(valueText);
  return lines.length > 1 ? lines : lines[0];
};

/** The headers that are one line, and those that are several. */
export const byLines = (values: HeaderValues) => {
  const [several, one] = ['object', 'string'].map((type) =>
    Object.entries(values).filter(([, value]) => typeof value === type),
  );
  return {
    headers: Object.fromEntries(one ?? []) as Readonly<Record<string, string>>,
    headerLines: Object.fromEntries(several ?? []) as HeaderLines,
  };
};

const headerText = ({ mediaType, explode, style }: OperationParameter, value: unknown) => {
  if (mediaType !== undefined) {
    return isJsonType(mediaType) ? asciiJson(value) : valueText(value);
  }
  const parts = Array.isArray(value)
    ? present(value)
    : isObject(value)
      ? presentMembers(value).flatMap(([key, member]) =>
          explode ? [`${key}=${valueText(member)}`] : [key, member],
        )
      : present([value]);
  return parts.length > 0 ? parts.map(valueText).join(delimiterOf(style)) : undefined;
};

const cookiePairs = (parameter: OperationParameter, value: unknown): readonly Pair[] => {
  const { name, mediaType, allowReserved } = parameter;
  if (value === undefined) return [];
  const encode = allowReserved ? asIs : percentEncode;
  if (mediaType === undefined) return parameterPairs(name, value, parameter, encode);
  return [[name, encode(isJsonType(mediaType) ? jsonText(value) : valueText(value))]];
};

/** JSON in ASCII, which every header can carry. */
const asciiJson = (value: unknown): string =>
  jsonText(value).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
