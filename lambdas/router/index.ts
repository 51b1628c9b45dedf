import { type RouterOptions, wireRouter } from '@hosted-mcp/core/wiring/router';
import { server } from './server.ts';

/** The router function in a given environment; the local run passes options of its own. */
export const start = (
  environment: Readonly<Record<string, string | undefined>>,
  options?: RouterOptions,
) => server(wireRouter(environment, options));

let running: ReturnType<typeof server> | undefined;

/** The entry point on AWS. */
export const handler: ReturnType<typeof server> = (event) =>
  (running ??= start(process.env))(event);
