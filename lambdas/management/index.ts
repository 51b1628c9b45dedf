import { type ManagementOptions, wireManagement } from '@hosted-mcp/core/wiring/management';
import { server } from './server.ts';

/** The management function in a given environment; the local run passes options of its own. */
export const start = (
  environment: Readonly<Record<string, string | undefined>>,
  options?: ManagementOptions,
) => server(wireManagement(environment, options));

let running: ReturnType<typeof server> | undefined;

/** The entry point on AWS. */
export const handler = (event: unknown) => (running ??= start(process.env))(event);
