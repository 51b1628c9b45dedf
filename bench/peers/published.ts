import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { bundle } from '../../lib/bundle/index.ts';
import { startService } from '../../local/run/service.ts';
import { rpc } from '../fifty-tools.ts';
import type { Took } from './contender.ts';

const PROGRAM = fileURLToPath(new URL('list-once.mjs', import.meta.url));
const LIMITS = {
  endpoints_per_deployment: 10_000,
  active_deployments_per_user: 1000,
  public_requests_per_minute_per_ip: 1_000_000,
};

export interface Published extends AsyncDisposable {
  /** Publishes a description. @returns what fresh routers are started for */
  publish(file: string): Promise<() => Promise<Took>>;
}

/** The service, with descriptions published to it, for routers that start in processes of their own. */
export const startPublished = async (folder: string): Promise<Published> => {
  const { functions } = await bundle(join(folder, 'dist'), join(folder, 'dist', 'layer'));
  const entry = pathToFileURL(join(functions.router, 'index.mjs')).href;
  const service = await startService({
    port: 0,
    dataFolder: join(folder, 'data'),
    limits: JSON.stringify(LIMITS),
    show: () => undefined,
  });
  const { environment } = await service.startArguments('router');
  let count = 0;
  return {
    publish: async (file) => {
      count += 1;
      const slug = `bench-${count}`;
      await service.invoke('management', {
        operator: 'publish',
        ownerId: 'bench',
        slug,
        authMethod: 'none',
        apiBaseUrl: 'https://api.example.com',
        openapi: await readFile(file, 'utf8'),
      });
      const args = [PROGRAM, entry, `/v1/mcp-router/${slug}/messages`, rpc('tools/list')];
      return async () => {
        // What the router logs comes first.
        const { stdout } = await promisify(execFile)(process.execPath, args, { env: environment });
        const took: Took & { readonly tools?: number } = JSON.parse(
          stdout.trimEnd().split('\n').at(-1) ?? '',
        );
        if (took.tools === undefined) throw new Error(`${file}: the router has no list`);
        return took;
      };
    },
    [Symbol.asyncDispose]: () => service.close(),
  };
};
