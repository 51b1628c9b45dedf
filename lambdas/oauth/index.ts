import { type OAuthOptions, wireOAuth } from '@hosted-mcp/core/wiring/oauth';
import { server } from './server.ts';

/** The authorization server in a given environment; the local run passes options of its own. */
export const start = (
  environment: Readonly<Record<string, string | undefined>>,
  options?: OAuthOptions,
) => server(wireOAuth(environment, options));

let running: ReturnType<typeof server> | undefined;

/** The entry point on AWS. */
export const handler: ReturnType<typeof server> = (event) =>
  (running ??= start(process.env))(event);
