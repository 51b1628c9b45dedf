import { isDeepStrictEqual } from 'node:util';
import { FILE } from './sample-scalars.ts';
import type { SentCall } from './sent-calls.ts';
import {
  type DescribedOperation,
  describedOperations,
  type DescribedParameter,
  nodeOf,
  readBody,
  readParameter,
  type SentFile,
} from '../wire-reader/index.ts';
import { isList, isMap, wireOf } from '../wire-reader/values.ts';

/** Headers that the service sets as each request needs them, whatever a description says of them. */
const OWN_HEADERS = [
  'accept',
  'content-type',
  'authorization',
  'user-agent',
  'host',
  'content-length',
];

/**
 * What a request says otherwise than was meant, as sentences; empty if the description's rules read
 * every parameter and the body back as they were meant.
 */
const differences = async (
  described: DescribedOperation,
  { tool, meant, judged }: SentCall,
): Promise<readonly string[]> => {
  if (!judged) return [];
  const { received } = judged;
  const { method, headers = {}, body } = tool.tool.operation;
  const told: string[] = received.method === method ? [] : [`the method is ${received.method}`];
  const compare = (title: string, sent: unknown, wanted: unknown) => {
    if (isDeepStrictEqual(jsonOf(sent), jsonOf(wanted))) return;
    told.push(`${title} is ${JSON.stringify(sent)} instead of ${JSON.stringify(wanted)}`);
  };

  for (const parameter of described.parameters) {
    const { name, in: place } = parameter;
    if (place === 'header' && OWN_HEADERS.includes(name.toLowerCase())) continue;
    const fixed = place === 'header' ? headers[name.toLowerCase()] : undefined;
    const wanted = fixed ?? meant.parameters.get(`${place} ${name}`);
    const wire =
      parameter.isJson && fixed === undefined ? wanted : wireOf(written(parameter, wanted));
    compare(`${place} ${name}`, readParameter(described, parameter, wanted, received), wire);
  }
  if (!body) return told;

  const encodings = encodingsOf(described, body.mediaType);
  const sent = await readBody(meant.body, encodings, received);
  switch (body.form) {
    case 'json':
      compare('body', sent ?? {}, jsonOf(meant.body) ?? {});
      break;
    case 'text':
      compare('body', sent, meant.body);
      break;
    case 'binary':
      compare('body', received.body, meant.body === undefined ? '' : dataOf(meant.body));
      break;
    default:
      for (const [name, value] of Object.entries(nodeOf(meant.body))) {
        const encoding = nodeOf(encodings[name]);
        compare(`field ${name}`, nodeOf(sent)[name], fieldOf(body.form, name, value, encoding));
      }
  }
  return told;
};

/** What a style cannot say is JSON text: objects and lists inside of others. */
const written = (
  { style, explode, in: place }: Pick<DescribedParameter, 'style' | 'explode' | 'in'>,
  value: unknown,
): unknown => {
  if (style === 'deepObject') return value;
  if (isList(value)) return value.map(textOf);
  if (!isMap(value)) return value;
  const repeats = explode && (place === 'query' || place === 'cookie');
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      repeats && isList(member) ? member.map(textOf) : textOf(member),
    ]),
  );
};

const textOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;

/** A field of a form or a part of a multipart body, as it is read back. */
const fieldOf = (
  form: string,
  name: string,
  value: unknown,
  { contentType, style, explode }: Readonly<Record<string, unknown>>,
): unknown => {
  if (isFile(value)) return fileOf(name, value, contentType);
  if (isList(value) && value.some(isFile))
    return value.map((one) => fileOf(name, one, contentType));
  const isJson = /json/.test(String(contentType));
  if (isJson || (isMap(value) && style === undefined && explode === undefined))
    return jsonOf(value);
  if (form === 'multipart' && style === undefined) return wireOf(written(FORM, value));
  return wireOf(
    written({ in: 'query', style: String(style ?? 'form'), explode: explode !== false }, value),
  );
};

const FORM = { in: 'query', style: 'form', explode: true };

const isFile = (value: unknown): boolean => dataOf(value) === FILE;

const dataOf = (value: unknown): unknown => (isMap(value) ? value['data'] : value);

const fileOf = (name: string, value: unknown, type: unknown): SentFile => {
  const { filename = name, contentType = type ?? 'application/octet-stream' } = nodeOf(value);
  return { filename: String(filename), contentType: String(contentType), base64: FILE };
};

/** A copy made here: what Node's own code makes among tests has other prototypes. */
const jsonOf = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));

/** Of the described media type that the request's is one of. */
const encodingsOf = ({ body }: DescribedOperation, mediaType: string) =>
  body?.content[mediaType] ?? Object.values(body?.content ?? {})[0] ?? {};

/** What is said of a call, with its tool and arguments. */
export const told = <Said>({ tool, args }: SentCall, said: readonly Said[]) =>
  said.map((one) => ({ tool: tool.tool.listed, args, said: one }));

/** What is wrong with calls of a description's operations. See `differences`. */
export const notReadBack = async (
  description: Readonly<Record<string, unknown>>,
  calls: readonly SentCall[],
) => {
  const operations = describedOperations(description);
  const all = calls.map(async (call) => {
    const { path, tool } = call.tool;
    const operation = operations.find(
      (one) => one.path === path && one.method === tool.operation.method,
    );
    return told(call, operation ? await differences(operation, call) : ['no such operation']);
  });
  return (await Promise.all(all)).flat();
};
