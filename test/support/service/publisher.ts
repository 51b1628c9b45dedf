import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundlesOfThisRun } from '../aws/bundles.ts';
import type { EmbeddedAws } from '../../../local/aws/index.ts';
import type { WantedPublication } from '../../../local/run/options.ts';
import { publishWanted, readSource } from '../../../local/run/publish.ts';
import { startService } from '../../../local/run/service.ts';
import { NO_REQUEST_LIMIT } from './service.ts';

/** Descriptions of real APIs, which are no part of this repository. */
export const REAL_DESCRIPTIONS = new URL('../../../../shared/openapi/', import.meta.url);
export const hasRealDescriptions = existsSync(REAL_DESCRIPTIONS);
export const realDescriptions = (title: string): string =>
  hasRealDescriptions ? title : `${title} (skipped: the folder of real descriptions is absent)`;

export interface Publisher {
  readonly aws: EmbeddedAws;
  /**
   * Publishes a description as the command line does, without a new start for each.
   *
   * @returns its MCP URL
   * @throws StartRefused with what the command would say
   */
  publish(file: URL, options?: Partial<WantedPublication>): Promise<string>;
  stop(): Promise<void>;
}

/** The whole service in this process, for many descriptions. */
export const startPublisher = async (
  limits: Readonly<Record<string, number>> = {},
): Promise<Publisher> => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'hosted-mcp-publisher-'));
  const service = await startService({
    port: 0,
    dataFolder,
    settings: { LIMITS: JSON.stringify({ ...NO_REQUEST_LIMIT, ...limits }) },
    ...(await bundlesOfThisRun()),
  });

  return {
    aws: service.aws,
    publish: async ({ pathname: file }, options) => {
      const wanted: WantedPublication = {
        source: { file },
        slug: `api-${file.slice(file.lastIndexOf('/') + 1).replace(/[^a-z0-9]+/g, '-')}`,
        authMethod: 'none',
        apiBaseUrl: undefined,
        include: [],
        exclude: [],
        ...options,
      };
      const source = await readSource(wanted);
      const { deployment } = await publishWanted(service, 'owner-1', wanted, source);
      return deployment.mcpUrl;
    },
    stop: async () => {
      await service.close();
      await rm(dataFolder, { recursive: true });
    },
  };
};
