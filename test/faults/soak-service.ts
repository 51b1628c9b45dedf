/** The process of a soak: the local service with its target, whose neighbours fail as it is told by messages. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../../local/run/service.ts';
import { listening } from '../support/target/listening.ts';
import type { SoakFault } from './soak.ts';

const MANY = 1_000_000_000;

/** Fifty operations `GET /items<n>/{id}`. */
const fiftyTools = (url: string): string => {
  const parameters = [
    { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
    { name: 'tag', in: 'query', schema: { type: 'string', maxLength: 100 } },
  ];
  const responses = { 200: { description: 'The item.' } };
  const operations = Array.from({ length: 50 }, (_, index) => {
    const get = { operationId: `getItem${index}`, parameters, responses };
    return [`/items${index}/{id}`, { get }] as const;
  });
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Fifty tools', version: '1' },
    servers: [{ url }],
    paths: Object.fromEntries(operations),
  });
};

if (process.send) {
  /** Of a hundred calls to AWS, or requests to the target. */
  let fault: SoakFault | undefined;
  const strikes = () => Math.random() * 100 < (fault?.percent ?? 0);

  const target = createServer(({ url = '', socket }, response) => {
    if (fault?.kind === 'target' && strikes()) return void socket.destroy();
    const { pathname, searchParams } = new URL(url, 'http://target');
    const body = { path: pathname, tag: searchParams.get('tag'), text: 'x'.repeat(200) };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  target.keepAliveTimeout = 60_000;
  const { url: targetUrl, stop } = await listening(target);

  const dataFolder = await mkdtemp(join(tmpdir(), 'hosted-mcp-soak-'));
  const service = await startService({
    port: 0,
    dataFolder,
    settings: { LIMITS: JSON.stringify({ public_requests_per_minute_per_ip: MANY }) },
  });
  await service.invoke('management', {
    operator: 'publish',
    ownerId: 'soak',
    slug: 'soak',
    authMethod: 'none',
    openapi: fiftyTools(targetUrl),
  });
  process.send(`${service.baseUrl}/mcp-router/soak/messages`);
  process.on('message', (told: SoakFault | 'off') => {
    service.aws.faults.clear();
    fault = told === 'off' ? undefined : told;
    if (!fault || fault.kind === 'target') return;
    const what = fault.kind === 'delay' ? { kind: 'delay' as const, ms: 50 } : { kind: fault.kind };
    service.aws.faults.inject({ ...what, on: ({ caller }) => caller === 'router' && strikes() });
  });
  process.on('disconnect', async () => {
    service.aws.faults.clear();
    await service.close();
    await stop();
    await rm(dataFolder, { recursive: true });
  });
}
