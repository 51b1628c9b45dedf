/**
 * What owners wait for, through the whole local service: publishing 3 MB over HTTP, and the largest
 * description that is taken. And what the credential broker gives out: to a thousand instances of the
 * router that start at once on one deployment, and to one that asks in a loop.
 *
 * Goals: 3 MB published in less than 4 s; 5,242,880 bytes pass, one more is a 413; no instance fails; five
 * retrievals a minute in a loop, the sixth refused, five again the next minute.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { fleet, loop } from './credentials.ts';
import { largeDescription } from './large-description.ts';
import { startService } from '../test/support/service.ts';
import { mb, median, ms, printTable, type Row } from './table.ts';

const ROUNDS = 5;
const MOST_BYTES = 5_242_880;
const REAL = fileURLToPath(new URL('../../shared/openapi/openai.yaml', import.meta.url));
const packed = promisify(gzip);

const packedAs = (type: string): Record<string, string> =>
  type === 'application/json'
    ? { 'content-type': 'application/gzip' }
    : { 'content-type': type, 'content-encoding': 'gzip' };

export const bench = async (): Promise<void> => {
  await publishing();
  await retrieving();
};

const publishing = async (): Promise<void> => {
  const limits = { endpoints_per_deployment: 1000, active_deployments_per_user: 1000 };
  await using service = await startService({ limits });
  const deployments = `${service.baseUrl}/mcp-management/deployments`;
  const authorization = `Bearer ${await signIn(service.baseUrl, await service.owner())}`;
  let slugs = 0;
  const publish = async (text: string, type: string, pack: boolean): Promise<Published> => {
    const query = new URLSearchParams({
      slug: `bench-${(slugs += 1)}`,
      mcp_auth_method: 'none',
      api_base_url: 'https://api.example.com',
    });
    const body = pack ? new Uint8Array(await packed(text)) : text;
    const began = performance.now();
    const answer = await fetch(`${deployments}?${query}`, {
      method: 'POST',
      headers: {
        authorization,
        ...(pack ? packedAs(type) : { 'content-type': type }),
      },
      body,
    });
    const told = (await answer.json()) as Published['told'];
    return { status: answer.status, tookMs: performance.now() - began, told };
  };

  const rows: Row[] = [];
  const real = existsSync(REAL) ? await readFile(REAL, 'utf8') : undefined;
  const sources: readonly (readonly [string, string | undefined, string])[] = [
    ['made, JSON', largeDescription(), 'application/json'],
    ['openai.yaml', real, 'application/yaml'],
  ];
  for (const [name, text, type] of sources) {
    if (text === undefined) continue;
    for (const pack of [false, true]) {
      const published: Published[] = [];
      for (let round = 0; round < ROUNDS; round += 1)
        published.push(await publish(text, type, pack));
      const wrong = published.find(({ status }) => status !== 201);
      if (wrong) throw new Error(`${name}: ${wrong.status} ${JSON.stringify(wrong.told)}`);
      const took = published.map(({ tookMs }) => tookMs);
      rows.push([
        `${name}${pack ? ', packed' : ''}`,
        mb(Buffer.byteLength(text)),
        published[0]?.told.tool_count ?? 0,
        ms(median(took)),
        ms(Math.max(...took)),
      ]);
    }
  }
  printTable(`POST /deployments, ${ROUNDS} each`, ['size', 'tools', 'median', 'slowest'], rows, [
    'goal: less than 4 s for 3 MB',
  ]);

  const sizes: Row[] = [];
  for (const bytes of [MOST_BYTES, MOST_BYTES + 1]) {
    for (const pack of [false, true]) {
      const { status, tookMs } = await publish(describing(bytes), 'application/json', pack);
      sizes.push([`${bytes} bytes${pack ? ', packed' : ''}`, status, ms(tookMs)]);
    }
  }
  printTable('The largest description', ['status', 'time'], sizes, [
    'goal: 201 for 5242880 bytes, 413 for one more',
  ]);
};

interface Published {
  readonly status: number;
  readonly tookMs: number;
  readonly told: { readonly tool_count?: number };
}

const signIn = async (
  url: string,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<string> => {
  const answer = await fetch(`${url}/mcp-management/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const { access_token: token } = (await answer.json()) as { access_token?: string };
  if (token === undefined) throw new Error(`signing in answered ${answer.status}`);
  return token;
};

/** Three megabytes of operations, and a text that makes it just so large. */
const describing = (bytes: number): string => {
  const described = JSON.parse(largeDescription()) as { info: Record<string, string> };
  described.info['description'] = '';
  const missing = bytes - Buffer.byteLength(JSON.stringify(described));
  described.info['description'] = 'x'.repeat(missing);
  return JSON.stringify(described);
};

const retrieving = async (): Promise<void> => {
  const { instances, failed, tookMs } = await fleet();
  const minutes = await loop();
  printTable(
    'Credentials',
    ['asked', 'given', 'refused', 'time'],
    [
      [
        `${instances} instances start at once, 50 in flight`,
        instances,
        instances - failed,
        failed,
        ms(tookMs),
      ],
      ...minutes.map(({ asked, given }, minute): Row => [
        `one instance in a loop, minute ${minute + 1}`,
        asked,
        given,
        asked - given,
        '',
      ]),
    ],
    ['goal: none refused of a fleet; 5 given each minute in a loop'],
  );
};
