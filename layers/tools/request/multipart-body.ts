import { createHash } from 'node:crypto';

/** One part of a multipart body. */
export interface Part {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly filename?: string;
  readonly contentType?: string;
  /** Others, by their names. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Multipart {
  readonly boundary: string;
  readonly bytes: Uint8Array;
}

/**
 * A multipart body. Its boundary is a hash of all parts, so that no part can hold it and equal calls
 * are equal on the wire.
 *
 * Source: RFC 7578; WHATWG HTML, "multipart/form-data encoding algorithm" (names and file names).
 */
export const multipartBody = (parts: readonly Part[]): Multipart => {
  const written = parts.map((part) => ({
    head: Buffer.from(headOf(part), 'utf8'),
    content: typeof part.content === 'string' ? Buffer.from(part.content, 'utf8') : part.content,
  }));
  const hash = createHash('sha256');
  for (const { head, content } of written) hash.update(head).update(content);
  const boundary = `hosted-mcp-${hash.digest('hex').slice(0, 32)}`;

  const chunks = written.flatMap(({ head, content }) => [
    Buffer.from(`--${boundary}\r\n`),
    head,
    content,
    Buffer.from('\r\n'),
  ]);
  return { boundary, bytes: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]) };
};

const headOf = ({ name, filename, contentType, headers = {} }: Part): string => {
  const file = filename === undefined ? '' : `; filename="${quotable(filename)}"`;
  const type = contentType === undefined ? '' : `Content-Type: ${contentType}\r\n`;
  const others = Object.entries(headers).map(([header, value]) => `${header}: ${value}\r\n`);
  return `Content-Disposition: form-data; name="${quotable(name)}"${file}\r\n${type}${others.join('')}\r\n`;
};

const quotable = (text: string): string =>
  text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
