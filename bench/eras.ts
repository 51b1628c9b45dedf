/**
 * What a client spends from connecting to the first result of a tool, in each version of MCP: requests,
 * bytes, and calls of AWS by our service; beside a bare server of the official SDK with the same tools,
 * which the same client asks over HTTP too. Bytes are those of bodies and headers, of both directions, as
 * the client sees them; the stream that clients of older versions open beside counts as a request.
 *
 * Goal: two requests in 2026-07-28.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { CallCounter } from '../local/aws/index.ts';
import { CALL } from './fifty-tools.ts';
import { startMeasuredThread } from './measured-thread.ts';
import { publishing } from './publishing.ts';
import { printTable, type Row } from './table.ts';
import { startTarget } from './target.ts';

type Options = ConstructorParameters<typeof Client>[1];

const CLIENTS: readonly (readonly [string, Options])[] = [
  ['2025-03-26', { supportedProtocolVersions: ['2025-03-26'] }],
  ['2025-06-18', { supportedProtocolVersions: ['2025-06-18'] }],
  ['2025-11-25', { supportedProtocolVersions: ['2025-11-25'] }],
  ['2026-07-28, looked for', { versionNegotiation: { mode: 'auto' } }],
  ['2026-07-28 alone', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
];

export const bench = async (): Promise<void> => {
  await using target = await startTarget();
  await using service = await publishing(target.url);
  await using server = await startMeasuredThread({ kind: 'sdk-server', targetUrl: target.url });
  const { calls } = service.aws;
  const rows: Row[] = [];
  for (const [version, options] of CLIENTS) {
    const ours = `${service.baseUrl}/mcp-router/fifty-tools/messages`;
    for (const listing of [false, true]) {
      const [own, sdk] = [
        await least(ours, options, listing, calls),
        await least(`${server.url}/mcp`, options, listing, calls),
      ];
      rows.push([
        listing ? '  and a list of tools before' : version,
        own.requests,
        kilobytes(own.bytes),
        own.trips,
        sdk.requests,
        kilobytes(sdk.bytes),
      ]);
    }
  }
  printTable(
    'From connecting to the first result of a tool',
    ['requests', 'KB', 'calls of AWS', 'SDK: requests', 'KB'],
    rows,
    ['goal: 2 requests in 2026-07-28'],
  );
};

const kilobytes = (bytes: number): string => (bytes / 1024).toFixed(1);

interface Spent {
  readonly requests: number;
  readonly bytes: number;
  readonly trips: number;
}

const TRIES = 5;

/** Now and then our service looks besides whether something has changed: that is no part of a connection. */
const least = async (
  url: string,
  options: Options,
  listing: boolean,
  calls: CallCounter,
): Promise<Spent> => {
  const tries: Spent[] = [];
  while (tries.length < TRIES) {
    calls.reset();
    const wire = await firstResult(url, options, listing);
    tries.push({ ...wire, trips: calls.count() });
  }
  return tries.toSorted((one, other) => one.trips - other.trips)[0]!;
};

/** @throws Error if the call is not answered */
const firstResult = async (url: string, options: Options, listing: boolean) => {
  let [requests, bytes] = [0, 0];
  const counting: typeof fetch = async (to, init) => {
    const request = new Request(to, init);
    requests += 1;
    bytes += sizeOf(request.headers) + (await request.clone().arrayBuffer()).byteLength;
    const response = await fetch(request);
    bytes += sizeOf(response.headers);
    // The stream ends when the client does: what it holds is not waited for.
    if (request.method !== 'GET') bytes += (await response.clone().arrayBuffer()).byteLength;
    return response;
  };
  const client = new Client({ name: 'bench', version: '1.0.0' }, options);
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: counting }));
  if (listing) await client.listTools();
  const { content } = await client.callTool(CALL);
  if (!JSON.stringify(content).includes('an item')) throw new Error(`${url} did not answer`);
  await client.close();
  return { requests, bytes };
};

const sizeOf = (headers: Headers): number =>
  [...headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
