import type { OperationParameter } from '../../openapi/tool-index.ts';
import { isJsonType } from './accept.ts';
import { invalidArgument } from '../arguments/invalid-arguments.ts';
import { isObject, jsonText } from '../../platform/rules/json/json.ts';
import { delimiterOf, present, presentMembers, textOf } from './parameter-pairs.ts';
import { type Encode, percentEncode, reservedInPath } from './percent-encode.ts';

/**
 * One path parameter as it stands in the URL, its prefix included.
 *
 * @throws RpcRefusal for a value that would leave the place empty
 * Source: OpenAPI 3.1.1, "Style Examples"; RFC 6570.
 */
export const pathText = (parameter: OperationParameter, value: unknown): string => {
  const text =
    parameter.mediaType === undefined
      ? styled(parameter, value)
      : percentEncode(isJsonType(parameter.mediaType) ? jsonText(value) : textOf(value));
  if (text === '') {
    throw invalidArgument([parameter.argument], 'must not be empty, it is part of the path');
  }
  return text;
};

/**
 * Refuses a value that leads out of its segment: URL parsers take `.` and `..` away, encoded or not,
 * and servers that decode first do the same between encoded slashes.
 */
export const refuseDotSegments = (segment: string, argument: string): void => {
  const parts = segment
    .replaceAll(/%2e/gi, '.')
    .split(/%2f|%5c|[/\\]/i)
    // Some servers cut path parameters off first: `..;x`.
    .map((part) => part.split(';', 1).join());
  if (parts.includes('.') || parts.includes('..')) {
    throw invalidArgument([argument], 'must not lead to another path ("." or ".." as a segment)');
  }
};

const styled = (parameter: OperationParameter, value: unknown): string => {
  const { style, explode } = parameter;
  const encode = parameter.allowReserved ? reservedInPath : percentEncode;
  const parts = partsOf(value, explode, encode);
  if (parts.length === 0) return '';
  switch (style) {
    case 'label':
      return `.${parts.join(explode ? '.' : ',')}`;
    case 'matrix':
      return matrix(percentEncode(parameter.name), value, parts, explode);
    default:
      return parts.join(style === 'simple' ? ',' : percentEncode(delimiterOf(style)));
  }
};

const partsOf = (value: unknown, explode: boolean, encode: Encode): readonly string[] => {
  const written = (part: unknown) => encode(textOf(part));
  if (Array.isArray(value)) return present(value).map(written);
  if (isObject(value)) {
    return presentMembers(value).flatMap(([key, member]) =>
      explode ? [`${encode(key)}=${written(member)}`] : [encode(key), written(member)],
    );
  }
  return value === null || value === undefined ? [] : [written(value)];
};

/** An empty value has no equals sign. Source: RFC 6570 §3.2.7. */
const matrix = (
  name: string,
  value: unknown,
  parts: readonly string[],
  explode: boolean,
): string => {
  const named = (text: string) => (text === '' ? `;${name}` : `;${name}=${text}`);
  if (!explode || typeof value !== 'object') return named(parts.join(','));
  return Array.isArray(value)
    ? parts.map(named).join('')
    : parts.map((part) => `;${part}`).join('');
};
