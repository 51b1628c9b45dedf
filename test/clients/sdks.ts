import { CLIENTS, type McpClient } from '../support/mcp/mcp-clients.ts';
import { anApplication, letIn, SDKS } from '../support/oauth/oauth-sdk-clients.ts';
import type { RealClient } from './real-client.ts';

const walk = async (client: McpClient): Promise<string> => {
  const { tools } = await client.listTools();
  const { isError } = await client.callTool({ name: 'getBook', arguments: { book_id: 1 } });
  await client.close();
  if (isError === true) throw new Error('its call ended in an error');
  return `${tools.length} tools`;
};

/** The official clients, which this repository has for its tests; they run in this process. */
export const sdks: readonly RealClient[] = CLIENTS.map(([name, connect], index) => ({
  id: ['sdk-1', 'client-2', 'client-2-auto', 'client-2-modern'][index] ?? name,
  name,
  open: async ({ url }) => walk(await connect(url)),
  login: async ({ url, signIn }) => {
    const sdk = SDKS[index];
    if (!sdk) throw new Error('it has no way to sign in');
    const visit = (address: URL) => signIn(address.href);
    return walk(await letIn(sdk, url, anApplication(), { fetch }, visit));
  },
}));
