import type { Deployment } from '../../servers/rules/deployment.ts';
import { refuseCursor, readString } from '../rules/message/params.ts';
import type { ResultCaching } from '../../platform/rules/json-rpc/modern-answer.ts';
import { discoveredCapabilitiesOf } from '../rules/capabilities.ts';
import { instructionsFor, serverInfo } from '../rules/server-identity.ts';
import { HOUR, MINUTE } from '../../platform/rules/time.ts';
import { callInVersion } from './calls/call-in-version.ts';
import { complete } from './complete.ts';
import {
  listTools,
  promptsGet,
  promptsList,
  readContents,
  resourcesList,
  resourceTemplatesList,
} from './methods.ts';
import { modernVersions } from '../../servers/steps/served-versions.ts';
import type { Method, MethodPorts, RpcCall } from './rpc-call.ts';

interface ModernResult {
  /** JSON text of an object. */
  readonly text: string;
  /** Of what may be kept. */
  readonly caching?: ResultCaching;
  /** Where more than its name is told of the server. */
  readonly server?: object;
}

/** @throws RpcRefusal */
export type ModernMethod = (ports: MethodPorts, call: RpcCall) => Promise<ModernResult>;

/** Seconds. With no word of ours when something changes, this is how old a list may be. */
const LIST_SECONDS = 5 * MINUTE;
const DISCOVERY_SECONDS = HOUR;
const CONTENT_SECONDS = MINUTE;

const discover: ModernMethod = async ({ settings }, { deployment, version }) => ({
  text: JSON.stringify({
    supportedVersions: modernVersions(settings),
    capabilities: discoveredCapabilitiesOf(deployment),
    instructions: instructionsFor(deployment, version),
  }),
  caching: cachingOf(deployment, DISCOVERY_SECONDS),
  server: serverInfo(deployment, version),
});

const list =
  (method: Method): ModernMethod =>
  async (ports, call) => {
    refuseCursor(call.params);
    return { text: await method(ports, call), caching: cachingOf(call.deployment, LIST_SECONDS) };
  };

const read: ModernMethod = async (ports, call) => {
  const uri = readString(call.params, 'uri');
  const { contents, endsAt } = await readContents(ports, call, uri);
  const text = JSON.stringify({ contents: [contents] });
  if (endsAt === undefined) return { text, caching: cachingOf(call.deployment, CONTENT_SECONDS) };
  // A part of an answer is for whoever asked, and gone with the answer.
  const left = Math.max(0, endsAt - ports.clock.now());
  return { text, caching: { ttlMs: inMs(Math.min(left, CONTENT_SECONDS)), cacheScope: 'private' } };
};

const plain =
  (method: Method): ModernMethod =>
  async (ports, call) => ({ text: await method(ports, call) });

/** A map, so that no name is found that an object would inherit. */
export const MODERN_METHODS: ReadonlyMap<string, ModernMethod> = new Map([
  ['server/discover', discover],
  ['tools/list', list(listTools)],
  ['tools/call', plain(callInVersion)],
  ['resources/list', list(resourcesList)],
  ['resources/templates/list', list(resourceTemplatesList)],
  ['resources/read', read],
  ['prompts/list', list(promptsList)],
  ['prompts/get', plain(promptsGet)],
  ['completion/complete', plain(complete)],
]);

/**
 * Where a token is needed, nothing may be kept for others: what one may see, another may not, or not any more.
 *
 * Source: MCP 2026-07-28, "Caching"; docs/decisions/mcp.md, "What may be kept".
 */
const cachingOf = ({ authMethod }: Deployment, seconds: number): ResultCaching => ({
  ttlMs: inMs(seconds),
  cacheScope: authMethod === 'none' ? 'public' : 'private',
});

const inMs = (seconds: number): number => seconds * 1000;
