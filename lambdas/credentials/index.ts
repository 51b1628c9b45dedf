import { wireCredentials } from '@hosted-mcp/core/wiring/credentials';
import { server } from './server.ts';

/** The credential broker in a given environment. */
export const start = (environment: Readonly<Record<string, string | undefined>>) =>
  server(wireCredentials(environment));

let running: ReturnType<typeof server> | undefined;

/** The entry point on AWS. */
export const handler: ReturnType<typeof server> = (event) =>
  (running ??= start(process.env))(event);
