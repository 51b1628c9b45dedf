import {
  isObject,
  type Json,
  type JsonObject,
  member,
  textMember,
} from '../../platform/rules/json/json.ts';
import { listMember } from '../../platform/rules/json/members.ts';
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

/** Whether a server stands on no host of its own, or on one without a scheme: `//api.example.com`. */
const hasNoScheme = (server: Json): boolean => {
  const url = isObject(server) ? textMember(server, 'url').trim() : '';
  return url === '' || /^[/.\\]/.test(url);
};

/**
 * Says where calls go to another host than the description came from although its servers are relative: by `$self`, or
 * an address such as `//other.example`.
 *
 * @param addresses - where calls of the operations go
 */
export const serversElsewhere = (
  description: Pick<Description, 'root'>,
  operations: readonly FoundOperation[],
  addresses: readonly string[],
  { apiBaseUrl, openapiUrl }: { readonly apiBaseUrl?: string; readonly openapiUrl?: string },
): readonly Finding[] => {
  const { root } = description;
  const source = openapiUrl === undefined ? null : URL.parse(openapiUrl);
  if (apiBaseUrl !== undefined || !source) return [];
  const place = baseOfServers(description, openapiUrl);
  const found = new Map<string, Finding>();
  for (const [index, { operation, pathItem, pointer }] of operations.entries()) {
    const { host = '' } = URL.parse(addresses[index] ?? '') ?? {};
    if (host === '' || host === source.host || found.has(host)) continue;
    const lists = [operation, pathItem, root].map((level) => listMember(level, 'servers'));
    const [list = [{}]] = lists.filter(({ length }) => length > 0);
    const server = list.find(
      (one) =>
        hasNoScheme(one) &&
        URL.parse(isObject(one) ? textMember(one, 'url') : '', place)?.host === host,
    );
    if (server === undefined) continue;
    const written = isObject(server) ? textMember(server, 'url') : '';
    const isOfSelf = place !== openapiUrl && !/^[/\\]{2}/.test(written);
    found.set(host, {
      where: pointer,
      what: `calls go to ${host}, and the description came from ${source.host}: the server ${JSON.stringify(written)} leads there${isOfSelf ? ' by $self' : ''}`,
      hint: 'Give the address of the API (`--api-base URL`, `api_base_url`) if it is another one.',
    });
  }
  return [...found.values()];
};
