import type { Received } from '../target/validating-api.ts';
import { type Node, nodeOf } from './described.ts';
import { fromPairs } from './styles.ts';
import { decoded, isList, isMap, type Pairs, pairsOf } from './values.ts';

type Decode = (raw: string) => string;

/** A file among the parts of a body. */
export interface SentFile {
  readonly filename: string;
  readonly contentType: string;
  readonly base64: string;
}

/**
 * What a request's body says, read by its content type and the description's encoding.
 *
 * @param meant - its shapes tell what to look for
 * @param encodings - of single properties
 */
export const readBody = async (
  meant: unknown,
  encodings: Readonly<Record<string, unknown>>,
  { headers, body }: Received,
): Promise<unknown> => {
  const type = headers['content-type'] ?? '';
  const bytes = Buffer.from(body, 'base64');
  if (bytes.length === 0 && type === '') return undefined;
  if (/^[^;]*[/+]json/.test(type)) return JSON.parse(bytes.toString('utf8'));
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return readForm(meant, encodings, pairsOf(bytes.toString('utf8'), '&'), decoded);
  }
  if (!type.startsWith('multipart/')) return bytes.toString('utf8');
  return readParts(
    meant,
    encodings,
    await new Response(bytes, { headers: { 'content-type': type } }).formData(),
  );
};

const readForm = (meant: unknown, encodings: Node, pairs: Pairs, decode: Decode): unknown =>
  members(meant, (name, value) => {
    const { style, explode, contentType } = nodeOf(encodings[name]);
    const isJson = isStyled(encodings[name]) ? /json/.test(String(contentType)) : isMap(value);
    if (isJson) return parsed(fromPairs(PLAIN(name), '', pairs, decode));
    const written = { name, style: String(style ?? 'form'), explode: explode !== false };
    return fromPairs(written, value, pairs, decode);
  });

const PLAIN = (name: string) => ({ name, style: 'form', explode: true });

const isStyled = (encoding: unknown): boolean => Object.keys(nodeOf(encoding)).length > 0;

const readParts = async (meant: unknown, encodings: Node, parts: FormData): Promise<unknown> => {
  const files = new Map<string | File, SentFile>();
  const texts: (readonly [string, string])[] = [];
  for (const [name, part] of parts) {
    if (typeof part === 'string') texts.push([name, part]);
    else files.set(part, await fileOf(part));
  }
  const read = (part: string | File, value: unknown) =>
    typeof part !== 'string' ? files.get(part) : isMap(value) ? parsed(part) : part;
  return members(meant, (name, value) => {
    const { style, explode } = nodeOf(encodings[name]);
    if (style !== undefined || explode !== undefined) {
      return nodeOf(readForm({ [name]: value }, encodings, texts, (text) => text))[name];
    }
    const all = parts.getAll(name);
    if (all.length === 0) return undefined;
    return isList(value)
      ? all.map((part, index) => read(part, value[index]))
      : read(all[0] ?? '', value);
  });
};

const fileOf = async (file: File): Promise<SentFile> => ({
  filename: file.name,
  contentType: file.type,
  base64: Buffer.from(await file.arrayBuffer()).toString('base64'),
});

const members = (meant: unknown, read: (name: string, value: unknown) => unknown): unknown =>
  Object.fromEntries(
    Object.entries(nodeOf(meant)).flatMap(([name, value]) => {
      const sent = read(name, value);
      return sent === undefined ? [] : [[name, sent] as const];
    }),
  );

const parsed = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : text);
