import { Failure } from '../failure.ts';
import { isJson, type Json, jsonOf, listOf, numberOf, stringOf, textsOf } from '../json.ts';
import { clientsByVersion } from '../spoken-versions.ts';
import { count } from '../text/words.ts';
import type { Addresses } from './addresses.ts';
import type { Mode } from './metadata.ts';
import { failed, type Fault, judged, ok, skipped, type Step, warning } from './step.ts';
import { statusFault, type Visit, type Visited } from './visit.ts';

const HEADERS = ['authorization', 'content-type', 'mcp-protocol-version'];

/** Source: Fetch, "CORS protocol"; docs/protocol.md, "Browser clients". */
export const preflightStep = async (visit: Visit, { messages }: Addresses): Promise<Step> => {
  const { isGood } = await preflight(visit, messages, HEADERS);
  if (isGood) return ok('preflight', 'pages of other origins are let in');
  return warning('preflight', {
    what: 'pages of other origins are not let in',
    cause: 'The server allows certain origins only, or a proxy answers OPTIONS requests itself.',
    hint: 'Only clients in a browser mind, such as the Inspector: allow their origin.',
  });
};

const ORIGIN = 'https://inspector.example';

/** Source: Fetch, "CORS protocol". */
export const preflight = async (visit: Visit, url: string, headers: readonly string[]) => {
  const answer = await visit.preflight(url, {
    origin: ORIGIN,
    'access-control-request-method': 'POST',
    'access-control-request-headers': headers.join(','),
  });
  const origin = answer.header('access-control-allow-origin');
  const allowed = (answer.header('access-control-allow-headers') ?? '').toLowerCase();
  const isGood =
    answer.status >= 200 &&
    answer.status < 300 &&
    (origin === '*' || origin === ORIGIN) &&
    headers.every((name) => allowed.includes(name));
  return { answer, isGood };
};

export const NEEDS_TOKEN = 'needs a token: send one to --token-stdin';

const SESSION = ['initialize', 'notification', 'ping', 'tools/list', 'stream'] as const;

export const sessionSteps = async (
  visit: Visit,
  { messages }: Addresses,
  mode: Mode,
  token: string | undefined,
  served: readonly string[],
): Promise<readonly Step[]> => {
  if (mode !== 'none' && token === undefined) {
    return [...SESSION, ...MODERN_STEPS].map((step) => skipped(step, NEEDS_TOKEN));
  }
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const first = await visit.rpc(messages, INITIALIZE, authorization);
  const fault = initializeFault(first);
  const version = stringOf(resultIn(first).protocolVersion);
  const begun = judged('initialize', fault, `MCP ${version}`);
  if (fault) {
    const others = [...SESSION.slice(1), ...MODERN_STEPS];
    return [begun, ...others.map((step) => skipped(step, 'no session'))];
  }

  const headers = { ...authorization, 'mcp-protocol-version': version };
  const notified = await visit.rpc(messages, INITIALIZED, headers);
  const ponged = await visit.rpc(messages, PING, headers);
  const listed = await visit.rpc(messages, LIST_TOOLS, headers);
  return [
    begun,
    judged('notification', initializedFault(notified), 'accepted'),
    judged('ping', resultFault(ponged, PING.id), 'answered'),
    judged('tools/list', toolsFault(listed), count(toolsIn(listed).length, 'tool')),
    await streamStep(visit, messages, headers),
    ...(await modernSteps(visit, messages, served, authorization)),
  ];
};

const PROTOCOL_VERSION = '2025-03-26';

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: 'hosted-mcp-doctor', version: '1' },
  },
};
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };
const PING = { jsonrpc: '2.0', id: 2, method: 'ping' };
const LIST_TOOLS = { jsonrpc: '2.0', id: 3, method: 'tools/list', params: {} };

/** Tool names that every model API accepts. Source: docs/tools.md, "Names". */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

const initializeFault = (answer: Visited): Fault | undefined => {
  const wrong = resultFault(answer, INITIALIZE.id);
  if (wrong) return wrong;
  const { protocolVersion, capabilities, serverInfo } = resultIn(answer);
  const lacking = Object.entries({ capabilities, serverInfo }).find(([, value]) => !isJson(value));
  if (typeof protocolVersion === 'string' && !lacking) return undefined;
  return {
    what: `the answer lacks ${lacking?.[0] ?? 'protocolVersion'}`,
    cause: 'What answers is no MCP server, or a broken one.',
    hint: 'Check the address.',
  };
};

/** Source: MCP 2025-03-26, "Streamable HTTP", 4. */
const initializedFault = (answer: Visited): Fault | undefined =>
  statusFault(answer, [202]) ??
  (answer.text === ''
    ? undefined
    : {
        what: 'a notification is answered with a body',
        cause: 'A proxy adds something to empty answers.',
        hint: 'Let the answers of the service pass as they are.',
      });

const toolsFault = (answer: Visited): Fault | undefined => {
  const wrong = resultFault(answer, LIST_TOOLS.id);
  if (wrong) return wrong;
  const { tools, nextCursor } = resultIn(answer);
  if (!Array.isArray(tools) || nextCursor === null) {
    return {
      what: Array.isArray(tools) ? 'nextCursor is null' : 'the answer lacks tools',
      cause: 'What answers is not this service, or an older version of it.',
      hint: 'Update the service: the official clients refuse such a list.',
    };
  }
  const bad = tools.find((tool) => !isUsable(jsonOf(tool)));
  return bad === undefined
    ? undefined
    : {
        what: `the tool "${stringOf(jsonOf(bad).name)}" has a name or schema that clients refuse`,
        cause: 'It was published by an older version of the service.',
        hint: 'Publish its description again: npx --no-install hosted-mcp deploy.',
      };
};

const toolsIn = (answer: Visited): readonly Json[] => listOf(resultIn(answer).tools);

const isUsable = ({ name, inputSchema }: Json): boolean =>
  typeof name === 'string' && TOOL_NAME.test(name) && jsonOf(inputSchema).type === 'object';

const resultIn = ({ json }: Visited): Json => jsonOf(json?.result);

const resultFault = (answer: Visited, id: number): Fault | undefined => {
  const admission = admissionFault(answer);
  if (admission) return admission;
  if (isJson(answer.json?.result) && answer.json.id === id) return undefined;
  const { code, message } = jsonOf(answer.json?.error);
  return {
    what:
      numberOf(code) === undefined
        ? 'the answer is no JSON-RPC answer to this request'
        : `the server refuses: ${stringOf(message)} (${numberOf(code)})`,
    cause: 'What answers is not this service, or something in between changes what is sent.',
    hint: 'Check the address, and what is in front of the service.',
  };
};

const admissionFault = (answer: Visited): Fault | undefined => {
  if (answer.status === 401) {
    return {
      what: 'the token is refused (401)',
      cause:
        'It has expired (an hour), was revoked, is for another server, or its user is no longer let in.',
      hint: 'Get a new one: sign in again with the client, or npx --no-install hosted-mcp token mint SLUG.',
    };
  }
  if (answer.status === 403) {
    return {
      what: `the request is forbidden (403): ${stringOf(answer.json?.error_description)}`,
      cause: 'The token lacks a scope, or the server lets only certain origins in.',
      hint: 'Ask for the scopes mcp.tools.read and mcp.tools.execute.',
    };
  }
  return statusFault(answer, [200]);
};

const STREAM = 'stream';
const EVENTS = 'text/event-stream';

/**
 * A GET stream must end at once with a `retry` time, or be a 405. Source: MCP 2025-03-26, "Listening for Messages
 * from the Server"; docs/decisions/mcp.md, "The event stream".
 */
const streamStep = async (
  visit: Visit,
  messages: string,
  headers: Readonly<Record<string, string>>,
): Promise<Step> => {
  try {
    const answer = await visit.get(messages, { ...headers, accept: EVENTS });
    const good = answer.status === 405 ? 'there is none (405)' : 'begins and ends as it should';
    return judged(STREAM, streamFault(answer), good);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return failed(STREAM, {
      what: `the stream does not end: ${error.message}`,
      cause: 'A gateway or proxy holds the answer back, or the connection open.',
      hint: 'Let answers pass as they come.',
    });
  }
};

const streamFault = (answer: Visited): Fault | undefined => {
  const wrongStatus = statusFault(answer, [200, 405]);
  if (wrongStatus || answer.status === 405) return wrongStatus;
  const type = answer.header('content-type');
  if (!type?.startsWith(EVENTS)) {
    return {
      what: `GET answers ${type ?? 'without a type'} instead of a stream of events`,
      cause: 'Something else answers at this address: a proxy, a login page, another service.',
      hint: 'Lead GET requests to the service, too.',
    };
  }
  if (/^retry: ?\d+$/m.test(answer.text)) return undefined;
  return {
    what: 'the stream ends without saying when to come back',
    cause: 'A proxy changes the stream, or another service answers.',
    hint: 'Let it pass as it is: clients come back every second otherwise.',
  };
};

const MODERN = '2026-07-28';

const DISCOVER = 'server/discover';
const LIST = 'tools/list';

const MODERN_STEPS = [`${DISCOVER} in ${MODERN}`, `${LIST} in ${MODERN}`] as const;

/** Protocol versions in the discovery document; older services list none. */
export const servedIn = (document: Visited): readonly string[] =>
  textsOf(jsonOf(document.json?._meta).protocol_versions);

export const versionsStep = (served: readonly string[]): Step =>
  ok('versions', `MCP ${clientsByVersion(served)}`);

/** These clients need no handshake. Source: MCP 2026-07-28, "Versioning", "Discovery", "Caching". */
const modernSteps = async (
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
    judged(listing, listedFault(listed), count(toolsIn(listed).length, 'tool')),
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
  (textsOf(resultIn(answer).supportedVersions).includes(MODERN)
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

const refusal = (answer: Visited): Fault | undefined => {
  // A 429 is also JSON-RPC, but no fault of the request.
  if (answer.status === 429) return statusFault(answer, [200]);
  const { code, message } = jsonOf(answer.json?.error);
  if (code === HEADER_MISMATCH) {
    return {
      what: `the server refuses: ${stringOf(message)}`,
      cause: 'A gateway or proxy in front of the service drops or changes the headers Mcp-*.',
      hint: 'Let MCP-Protocol-Version, Mcp-Method and Mcp-Name through, or withdraw the version.',
    };
  }
  if (code !== undefined) return broken(`the server refuses: ${stringOf(message)}`);
  return statusFault(answer, [200]);
};

const broken = (what: string): Fault => ({
  what,
  cause: 'Something else answers, or another version of this service than before.',
  hint: 'Update the service, or withdraw the version (protocol_versions): strict clients drop all tools.',
});
