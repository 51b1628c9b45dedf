import {
  isObject,
  type Json,
  type JsonObject,
  member,
  textMember,
} from '../../platform/rules/json/json.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import type { Description, FoundOperation } from '../document.ts';

/**
 * What relative servers are relative to: `$self` of OpenAPI 3.2, else the address that the description came from.
 *
 * Source: OpenAPI 3.2.0, "Establishing the Base URI".
 */
export const baseOfServers = (
  { root }: Pick<Description, 'root'>,
  openapiUrl: string | undefined,
): string | undefined => {
  const self = textMember(root, '$self');
  const url = self === '' ? null : URL.parse(self, openapiUrl);
  return url && /^https?:$/.test(url.protocol) ? url.href : openapiUrl;
};

/** Whether a server has no address of its own: a path. */
const isRelative = (server: Json): boolean => {
  const url = isObject(server) ? textMember(server, 'url').trim() : '';
  return url.startsWith('/') ? !url.startsWith('//') : /^\.{1,2}(?:\/|$)/.test(url);
};

/** The servers of an operation, or of its path, if all of them are relative. */
const relativeServers = ({
  operation,
  pathItem,
}: Pick<FoundOperation, 'operation' | 'pathItem'>): readonly Json[] => {
  const lists = [operation, pathItem].map((level) => member(level, 'servers'));
  const own = lists.find((list) => Array.isArray(list) && list.length > 0);
  return Array.isArray(own) && own.every(isRelative) ? own : [];
};

/** Whether they are relative to nothing that is known, but stand beside an address for all others. */
export const standsBeside = (
  found: Pick<FoundOperation, 'operation' | 'pathItem'>,
  base: string | undefined,
): boolean => base === undefined && relativeServers(found).length > 0;

/** Says which servers were read beside the address that all other operations have. */
export const serversBeside = (
  description: Pick<Description, 'root'>,
  operations: readonly FoundOperation[],
  { apiBaseUrl, openapiUrl }: { readonly apiBaseUrl?: string; readonly openapiUrl?: string },
): readonly Finding[] => {
  const base = baseOfServers(description, openapiUrl);
  if (apiBaseUrl !== undefined) return [];
  const read = new Map<JsonObject, Finding>();
  for (const found of operations) {
    const [server] = standsBeside(found, base) ? relativeServers(found) : [];
    if (!isObject(server) || read.has(server)) continue;
    read.set(server, {
      where: found.pointer,
      what: `the server ${JSON.stringify(textMember(server, 'url'))} of the operation is a mere path; it is read beside the address of the others`,
      hint: 'Write the whole address, or give the one that the description comes from.',
    });
  }
  return [...read.values()];
};
