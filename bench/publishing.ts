import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Service, startService } from '../local/run/service.ts';
import { description } from './fifty-tools.ts';

/** The whole service, with the fifty tools published for everybody. */
export const publishing = async (targetUrl: string): Promise<Service & AsyncDisposable> => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'hosted-mcp-bench-'));
  const service = await startService({
    port: 0,
    dataFolder,
    settings: { LIMITS: '{"public_requests_per_minute_per_ip": 1000000}' },
  });
  await service.invoke('management', {
    operator: 'publish',
    ownerId: 'bench',
    slug: 'fifty-tools',
    authMethod: 'none',
    openapi: description(targetUrl),
  });
  return {
    ...service,
    [Symbol.asyncDispose]: async () => {
      await service.close();
      await rm(dataFolder, { recursive: true });
    },
  };
};
