import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { TOOLS } from './fifty-tools.ts';

const INPUT = z.object({
  id: z.int().min(1),
  verbose: z.boolean().optional().describe('Whether to say more.'),
  tag: z.string().max(100).optional().describe('Only what is tagged so.'),
  order: z.enum(['name', 'price', 'date']).optional().describe('What to sort by.'),
});

/**
 * The server that somebody would write by hand for the fifty operations, with the official SDK: one
 * factory for the versions with a handshake and without, and no state between requests.
 *
 * @returns answers a request of the web standard's kind
 */
export const bareServer = (targetUrl: string): ((request: Request) => Promise<Response>) =>
  createMcpHandler(() => fiftyTools(targetUrl)).fetch;

const fiftyTools = (targetUrl: string): McpServer => {
  const server = new McpServer({ name: 'bare', version: '1.0.0' });
  for (let index = 0; index < TOOLS; index += 1) {
    server.registerTool(
      `getItem${index}`,
      {
        description: `Get item ${index}`,
        inputSchema: INPUT,
        annotations: { title: `Get item ${index}`, readOnlyHint: true, openWorldHint: true },
      },
      async ({ id, ...query }) => {
        const given = Object.entries(query).map(([name, value]) => [name, String(value)]);
        const search = new URLSearchParams(Object.fromEntries(given));
        const answer = await fetch(`${targetUrl}/items${index}/${id}?${search}`);
        return { content: [{ type: 'text', text: await answer.text() }], isError: !answer.ok };
      },
    );
  }
  return server;
};
