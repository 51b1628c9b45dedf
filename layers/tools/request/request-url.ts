import type { OperationParameter } from '../../openapi/tool-index.ts';
import { isObject, jsonText, member } from '../../platform/rules/json/json.ts';
import { RpcRefusal } from '../../platform/rules/refusal/rpc-refusal.ts';
import { trimmedEnd } from '../../platform/rules/text.ts';
import { invalidArgument } from '../arguments/invalid-arguments.ts';
import type { Arguments } from '../arguments/read-arguments.ts';
import { type PreparedTool, isJsonType } from '../prepare-tool.ts';
import {
  delimiterOf,
  type Encode,
  encodeTemplate,
  inDigits,
  type Pair,
  parameterPairs,
  percentEncode,
  present,
  presentMembers,
  reservedInPath,
  reservedInQuery,
  valueText,
} from './parameter-pairs.ts';
import { rejectReserved, type Reserved, type IsCredentialName } from './reserved-names.ts';

/**
 * URL of a call. Server URL and path stay as described, with their own queries; a fragment is dropped. No argument can
 * leave its place in the path or its query parameter.
 * @throws RpcRefusal for arguments that a URL cannot carry
 * Source: OpenAPI 3.1.1, "Style Values" and "URL Percent-Encoding".
 */
export const requestUrl = (
  tool: Reserved & Pick<PreparedTool, 'operation'>,
  args: Arguments,
  isCredentialName: IsCredentialName,
  credential: readonly Pair[],
): string => {
  const { serverUrl, path, parameters } = tool.operation;
  const [server, serverQuery] = split(serverUrl);
  const [template, templateQuery] = split(path.startsWith('/') ? path : `/${path}`);

  const filled = withoutLeftOut(template, parameters, args)
    .split('/')
    .map((segment) => fillSegment(segment, parameters, args))
    .join('/');
  const query = [
    encodeTemplate(serverQuery),
    templateQuery && fill(templateQuery, parameters.map(strictly), args).text,
    ...queryPairs(tool, args, isCredentialName),
    ...credential.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`),
  ].filter(Boolean);

  const base = trimmedEnd(server, /\//);
  const url = `${base}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  if (leadsTo(base, url)) return url;
  throw new RpcRefusal('server_error', 'No address can be built for this tool.');
};

/** The path without its last places that may be left out, and are. */
const withoutLeftOut = (
  template: string,
  parameters: readonly OperationParameter[],
  args: Arguments,
): string => {
  const end = parameters.find(
    ({ in: place, name, mayBeLeftOut }) =>
      mayBeLeftOut === true && place === 'path' && template.endsWith(`/{${name}}`),
  );
  if (!end || member(args, end.argument) !== undefined) return template;
  return withoutLeftOut(template.slice(0, -`/{${end.name}}`.length), parameters, args);
};

const split = (url: string): readonly [string, string] => {
  const [address = ''] = url.split('#', 1);
  const mark = address.indexOf('?');
  return mark < 0 ? [address, ''] : [address.slice(0, mark), address.slice(mark + 1)];
};

const fillSegment = (
  segment: string,
  parameters: readonly OperationParameter[],
  args: Arguments,
): string => {
  const { text, argument } = fill(segment, parameters, args);
  if (argument !== undefined) refuseDotSegments(text, argument);
  return text;
};

/** Fills the variables of a path, and names the last argument used. */
const fill = (
  template: string,
  parameters: readonly OperationParameter[],
  args: Arguments,
): { text: string; argument?: string } => {
  let last: string | undefined;
  // With a capturing group, every second piece is a variable's name.
  const pieces = template.split(/\{([^{}]*)\}/).map((piece, index) => {
    if (index % 2 === 0) return encodeTemplate(piece);
    const parameter = parameters.find(({ in: place, name }) => place === 'path' && name === piece);
    if (!parameter) {
      throw new RpcRefusal('server_error', `The path has a place that nothing fills: {${piece}}.`);
    }
    const value = member(args, parameter.argument);
    if (value === undefined) throw invalidArgument([parameter.argument], 'is required', 'required');
    last = parameter.argument;
    const text = pathText(parameter, value);
    return isQuoted(template, piece) ? text.replaceAll(/'|%27/g, '$&$&') : text;
  });
  return { text: pieces.join(''), ...(last === undefined ? {} : { argument: last }) };
};

/**
 * Whether a variable is in quotes, as strings of OData: `Orders('{id}')`.
 * Source: OData 4.01 URL Conventions §5.1.1.6.1.
 */
const isQuoted = (template: string, name: string): boolean =>
  template.includes('(') && template.includes(`'{${name}}'`);

/** For path parameters within a query, where `&` and `+` have a meaning that they lack in a path. */
const strictly = (parameter: OperationParameter): OperationParameter => {
  const { isMultiSegment: _, mayBeEmpty: __, ...segment } = parameter;
  return { ...segment, allowReserved: false };
};

const queryPairs = (
  tool: Reserved & Pick<PreparedTool, 'operation'>,
  args: Arguments,
  isCredentialName: IsCredentialName,
): readonly string[] =>
  tool.operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap((parameter) => {
      const given = member(args, parameter.argument);
      if (given === undefined) return [];
      const value = parameter.digits ? inDigits(given) : given;
      if (parameter.isQuery && !isForm(parameter.mediaType))
        return [percentEncode(content(parameter, value))];
      const pairs = pairsOf(parameter, value);
      rejectReserved(tool, 'query', parameter, pairs);
      return pairs.map(([name, text]) => {
        if (isCredentialName(name)) {
          throw invalidArgument([parameter.argument], 'would take the place of the credential');
        }
        return `${percentEncode(name)}=${text}`;
      });
    });

const pairsOf = (parameter: OperationParameter, value: unknown): readonly Pair[] => {
  const { name, mediaType, allowReserved, isQuery } = parameter;
  if (isQuery) return isObject(value) ? Object.entries(value).flatMap(membersOf) : [];
  const encode = allowReserved ? reservedInQuery : percentEncode;
  if (mediaType === undefined) return parameterPairs(name, value, parameter, encode);
  return [[name, encode(content(parameter, value))]];
};

/** Parameters of a form that is the whole query: lists repeat the name, objects are JSON. */
const membersOf = ([name, value]: readonly [string, unknown]): readonly Pair[] =>
  present([value].flat()).map((item): Pair => [name, percentEncode(valueText(item))]);

const content = ({ mediaType = '' }: OperationParameter, value: unknown): string =>
  isJsonType(mediaType) ? jsonText(value) : valueText(value);

const isForm = (mediaType: string | undefined): boolean =>
  /^application\/x-www-form-urlencoded\b/i.test(mediaType ?? '');

/** Last line of defence: as a URL parser reads the URL, it must still be below the server's address. */
const leadsTo = (base: string, url: string): boolean => {
  const server = URL.parse(base);
  const target = URL.parse(url);
  if (!server || !target) return false;
  const path = trimmedEnd(server.pathname, /\//);
  return (
    target.origin === server.origin &&
    target.username === server.username &&
    (target.pathname === path || target.pathname.startsWith(`${path}/`))
  );
};

/**
 * Text of one path parameter with its style's prefix.
 * @throws RpcRefusal for an empty value, unless that is allowed
 * Source: OpenAPI 3.1.1, "Style Examples"; RFC 6570.
 */
const pathText = (parameter: OperationParameter, value: unknown): string => {
  const text =
    parameter.mediaType === undefined
      ? styled(parameter, value)
      : percentEncode(isJsonType(parameter.mediaType) ? jsonText(value) : valueText(value));
  if (text === '' && !(parameter.mayBeEmpty && value === '')) {
    throw invalidArgument([parameter.argument], 'must not be empty, it is part of the path');
  }
  return text;
};

/** Refuses values that leave their segment: `.` and `..`, encoded or not, also between encoded slashes. */
const refuseDotSegments = (segment: string, argument: string): void => {
  const parts = segment
    .replaceAll(/%2e/gi, '.')
    .split(/%2f|%5c|[/\\]/i)
    // Some servers strip path parameters first (`..;x`), which a proxy may have decoded.
    .map((part) => part.split(/;|%3b/i, 1).join());
  if (parts.includes('.') || parts.includes('..')) {
    throw invalidArgument([argument], 'must not lead to another path ("." or ".." as a segment)');
  }
};

const styled = (parameter: OperationParameter, value: unknown): string => {
  const { style, explode, isMultiSegment } = parameter;
  const encodeSegment = parameter.allowReserved ? reservedInPath : percentEncode;
  const encode: Encode = isMultiSegment
    ? (text) => text.split('/').map(encodeSegment).join('/')
    : encodeSegment;
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
  const written = (part: unknown) => encode(valueText(part));
  if (Array.isArray(value)) return present(value).map(written);
  if (isObject(value)) {
    return presentMembers(value).flatMap(([key, member]) =>
      explode ? [`${encode(key)}=${written(member)}`] : [encode(key), written(member)],
    );
  }
  return value === null || value === undefined ? [] : [written(value)];
};

/** Source: RFC 6570 §3.2.7 (an empty value has no equals sign). */
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
