import { wireActivity } from '@hosted-mcp/core/wiring/activity';
import { server } from './server.ts';

/** The store of calls in a given environment. */
export const start = (environment: Readonly<Record<string, string | undefined>>) =>
  server(wireActivity(environment));

let running: ReturnType<typeof server> | undefined;

/** The entry point on AWS. */
export const handler: ReturnType<typeof server> = (event) =>
  (running ??= start(process.env))(event);
