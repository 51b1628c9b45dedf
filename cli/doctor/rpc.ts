import { isJson, type Json, jsonOf, listOf, numberOf, textOf } from '../json.ts';
import type { Fault } from './step.ts';
import { statusFault, type Visited } from './visit.ts';

/** The protocol version that the doctor asks for. */
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
export const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };
export const PING = { jsonrpc: '2.0', id: 2, method: 'ping' };
export const LIST_TOOLS = { jsonrpc: '2.0', id: 3, method: 'tools/list', params: {} };

/** Tool names that every model API accepts. Source: docs/tools.md, "Names". */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export const initializeFault = (answer: Visited): Fault | undefined => {
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
export const initializedFault = (answer: Visited): Fault | undefined =>
  statusFault(answer, [202]) ??
  (answer.text === ''
    ? undefined
    : {
        what: 'a notification is answered with a body',
        cause: 'A proxy adds something to empty answers.',
        hint: 'Let the answers of the service pass as they are.',
      });

export const pingFault = (answer: Visited): Fault | undefined => resultFault(answer, PING.id);

export const toolsFault = (answer: Visited): Fault | undefined => {
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
        what: `the tool "${textOf(jsonOf(bad)['name']) ?? ''}" has a name or schema that clients refuse`,
        cause: 'It was published by an older version of the service.',
        hint: 'Publish its description again: npx hosted-mcp deploy.',
      };
};

export const toolsIn = (answer: Visited): readonly Json[] => listOf(resultIn(answer)['tools']);

export const versionIn = (answer: Visited): string =>
  textOf(resultIn(answer)['protocolVersion']) ?? '';

const isUsable = ({ name, inputSchema }: Json): boolean =>
  typeof name === 'string' && TOOL_NAME.test(name) && jsonOf(inputSchema)['type'] === 'object';

const resultIn = ({ json }: Visited): Json => jsonOf(json?.['result']);

const resultFault = (answer: Visited, id: number): Fault | undefined => {
  const admission = admissionFault(answer);
  if (admission) return admission;
  if (isJson(answer.json?.['result']) && answer.json['id'] === id) return undefined;
  const { code, message } = jsonOf(answer.json?.['error']);
  return {
    what:
      numberOf(code) === undefined
        ? 'the answer is no JSON-RPC answer to this request'
        : `the server refuses: ${textOf(message) ?? ''} (${numberOf(code)})`,
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
      hint: 'Get a new one: log in again with the client, or npx hosted-mcp token mint SLUG.',
    };
  }
  if (answer.status === 403) {
    return {
      what: `the request is forbidden (403): ${textOf(answer.json?.['error_description']) ?? ''}`,
      cause: 'The token lacks a scope, or the server lets only certain origins in.',
      hint: 'Ask for the scopes mcp.tools.read and mcp.tools.execute.',
    };
  }
  return statusFault(answer, [200]);
};
