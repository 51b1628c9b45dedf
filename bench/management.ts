/**
 * How long an owner waits for a publication over HTTP, through the whole local service: 3 MB as JSON and
 * as YAML, as they are and packed.
 *
 * Goal: less than 4 s.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { largeDescription } from './large-description.ts';
import { startService } from '../test/support/service/service.ts';
import { mb, median, ms, printTable, type Row } from './table.ts';

const ROUNDS = 5;
const REAL = fileURLToPath(new URL('../../shared/openapi/openai.yaml', import.meta.url));
const packed = promisify(gzip);

const packedAs = (type: string): Record<string, string> =>
  type === 'application/json'
    ? { 'content-type': 'application/gzip' }
    : { 'content-type': type, 'content-encoding': 'gzip' };

export const bench = async (): Promise<void> => {
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
