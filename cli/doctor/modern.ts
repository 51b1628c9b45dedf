import { clientsByVersion } from '../spoken-versions.ts';
import { type Json, jsonOf, listOf, numberOf, textOf, textsOf } from '../json.ts';
import { count } from '../text/words.ts';
import { type Fault, judged, ok, skipped, type Step } from './step.ts';
import { statusFault, type Visit, type Visited } from './visit.ts';

const MODERN = '2026-07-28';

const DISCOVER = 'server/discover';
const LIST = 'tools/list';

/** The names of the steps below, for those who skip them. */
export const MODERN_STEPS = [`${DISCOVER} in ${MODERN}`, `${LIST} in ${MODERN}`] as const;

/** The versions that a service names in its discovery document; services of before named none. */
export const servedIn = (document: Visited): readonly string[] =>
  textsOf(jsonOf(document.json?.['_meta'])['protocol_versions']);

export const versionsStep = (served: readonly string[]): Step =>
  ok('versions', `MCP ${clientsByVersion(served)}`);

/**
 * What clients do that need no handshake: they look whether the service speaks their version, and then ask.
 *
 * Source: MCP 2026-07-28, "Versioning", "Discovery", "Caching".
 */
export const modernSteps = async (
  visit: Visit,
  messages: string,
  served: readonly string[],
  authorization: Readonly<Record<string, string>>,
): Promise<readonly Step[]> => {
  if (!served.includes(MODERN)) {
    return MODERN_STEPS.map((step) => skipped(step, 'not served: clients fall back'));
  }
  const ask = (method: string): Promise<Visited> =>
    visit.rpc(messages, requestOf(method), { ...authorization, ...headersOf(method) });
  const found = await ask(DISCOVER);
  const listed = await ask(LIST);
  const [discovering, listing] = MODERN_STEPS;
  return [
    judged(discovering, discoveredFault(found), 'clients need no handshake'),
    judged(listing, listedFault(listed), count(listOf(resultIn(listed)['tools']).length, 'tool')),
  ];
};

const requestOf = (method: string) => ({
  jsonrpc: '2.0',
  id: method,
  method,
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': MODERN,
      'io.modelcontextprotocol/clientInfo': { name: 'hosted-mcp-doctor', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});

const headersOf = (method: string) => ({
  'mcp-protocol-version': MODERN,
  'mcp-method': method,
});

const HEADER_MISMATCH = -32020;

const discoveredFault = (answer: Visited): Fault | undefined =>
  refusal(answer) ??
  (textsOf(resultIn(answer)['supportedVersions']).includes(MODERN)
    ? undefined
    : broken('the answer does not name the version'));

const listedFault = (answer: Visited): Fault | undefined => {
  const wrong = refusal(answer);
  if (wrong) return wrong;
  const { resultType, ttlMs, cacheScope, tools } = resultIn(answer);
  if (!Array.isArray(tools)) return broken('the answer lacks tools');
  const lacking = Object.entries({
    resultType: resultType === 'complete',
    ttlMs: numberOf(ttlMs) !== undefined,
    cacheScope: cacheScope === 'public' || cacheScope === 'private',
  }).find(([, isThere]) => !isThere);
  return lacking && broken(`the answer lacks ${lacking[0]}`);
};

const resultIn = ({ json }: Visited): Json => jsonOf(json?.['result']);

const refusal = (answer: Visited): Fault | undefined => {
  const { code, message } = jsonOf(answer.json?.['error']);
  if (code === HEADER_MISMATCH) {
    return {
      what: `the server refuses: ${textOf(message) ?? ''}`,
      cause: 'A gateway or proxy in front of the service drops or changes the headers Mcp-*.',
      hint: 'Let MCP-Protocol-Version, Mcp-Method and Mcp-Name through, or withdraw the version.',
    };
  }
  if (code !== undefined) return broken(`the server refuses: ${textOf(message) ?? ''}`);
  return statusFault(answer, [200]);
};

const broken = (what: string): Fault => ({
  what,
  cause: 'Something else answers, or another version of this service than before.',
  hint: 'Update the service, or withdraw the version (protocol_versions): strict clients drop all tools.',
});
