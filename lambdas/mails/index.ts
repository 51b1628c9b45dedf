import { wireMails } from '@hosted-mcp/core/wiring/mails';
import { server } from './server.ts';

/** The sender of mails in a given environment. */
export const start = (environment: Readonly<Record<string, string | undefined>>) =>
  server(wireMails(environment));

let running: ReturnType<typeof server> | undefined;

/** The entry point on AWS. */
export const handler: ReturnType<typeof server> = (event) =>
  (running ??= start(process.env))(event);
