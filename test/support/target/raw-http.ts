import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** An answer as it was on the wire. */
export interface RawAnswer {
  readonly status: number;
  /** Each header line in lower-case, as sent; a name may stand twice. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  header(name: string): string | undefined;
}

/** A request as it is to be on the wire. */
export interface RawRequest {
  /** Method and path: `GET /v1`. */
  readonly start: string;
  /** Written in this order; names may stand twice. `Host` is added where there is none, and `Connection: close`. */
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Uint8Array;
}

/** Sends bytes that no HTTP client would, and reads the bytes of the answer. */
export const exchange = async (port: number, request: RawRequest): Promise<RawAnswer> => {
  const { start, headers = [], body } = request;
  const sent = Buffer.from(body ?? '');
  const hasHost = headers.some(([name]) => name.toLowerCase() === 'host');
  const lines = [
    `${start} HTTP/1.1`,
    ...(hasHost ? [] : [`Host: 127.0.0.1:${port}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`Content-Length: ${sent.length}`]),
    'Connection: close',
  ];
  const socket = connect(port, '127.0.0.1');
  // A server may refuse a body before it has all of it; what it answered is still to be read.
  socket.on('error', () => undefined);
  socket.write(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), sent]));
  return read(await buffer(socket));
};

const read = (bytes: Buffer): RawAnswer => {
  const end = bytes.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  const header = (name: string) => headers.find(([one]) => one === name)?.[1];
  const rest = bytes.subarray(end + 4);
  const body = header('transfer-encoding') === 'chunked' ? unchunked(rest) : rest;
  return { status: Number(statusLine.split(' ')[1]), headers, body: body.toString(), header };
};

const unchunked = (bytes: Buffer): Buffer => {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const line = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.subarray(at, line).toString(), 16);
    if (!(size > 0)) return Buffer.concat(parts);
    parts.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
};
