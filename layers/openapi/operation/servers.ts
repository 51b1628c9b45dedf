import { reachOf } from '../../target/rules/reach.ts';
import { schemeOf, withScheme } from './address-scheme.ts';
import { baseOfServers, standsBeside } from './server-places.ts';
import { isUnencrypted } from '../../target/rules/target.ts';
import { ApiRefusal, type Finding } from '../../platform/rules/refusal/api-refusal.ts';
import {
  isObject,
  type Json,
  type JsonObject,
  member,
  textMember,
} from '../../platform/rules/json/json.ts';
import { listMember, listOf, objectMember } from '../../platform/rules/json/members.ts';
import type { Description, FoundOperation } from '../document.ts';
import { withoutStage } from '../frameworks/gateway-methods.ts';
import { finding } from '../intake/findings.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';
import { trimmedEnd } from '../../platform/rules/text.ts';
import { valueList } from '../schema/texts.ts';

export interface ServerBase {
  /** Set in the deployment, overrides the description. */
  readonly apiBaseUrl?: string;
  readonly openapiUrl?: string;
  readonly serverVariables?: Readonly<Record<string, string>>;
  readonly reachesLoopback?: boolean;
}

/**
 * Finds the server of each operation: `apiBaseUrl`, else the first usable one of the operation, its path or the
 * document, preferring public addresses, and https where both schemes are listed. Usable is an http or https URL of up
 * to 2,048 characters without credentials; variables have the given value or their default.
 *
 * An `apiBaseUrl` without path replaces only the origin of the server; one with a path replaces it completely. Relative
 * servers are resolved against `openapiUrl`. `host`, `basePath` and `schemes` of Swagger 2.0 count alike.
 * @returns a function that returns the URL without trailing slash, or undefined
 * @throws ApiRefusal `invalid_request` if `apiBaseUrl` is unusable
 * Source: docs/tools.md, "Servers"; OpenAPI 3.1.1 §4.8.5; Swagger 2.0, "Swagger Object".
 */
export const serverFinder = (
  description: Description,
  base: ServerBase,
): ((operation: FoundOperation) => string | undefined) => {
  const variables = new Map(Object.entries(base.serverVariables ?? {}));
  const apiBase = base.apiBaseUrl === undefined ? undefined : usable(base.apiBaseUrl);
  if (base.apiBaseUrl !== undefined && apiBase === undefined) throw badApiBase();
  const isOrigin = apiBase !== undefined && apiBase === new URL(apiBase).origin;

  const place = baseOfServers(description, base.openapiUrl);

  const unlisted = new Map<string, readonly Json[]>();
  const addressOf = (server: Json, from: string | undefined): string | undefined => {
    if (!isObject(server)) return undefined;
    const refused = unlistedValues(server, variables);
    for (const [name, values] of refused) unlisted.set(name, values);
    const written = refused.length === 0 ? filled(server, variables) : undefined;
    if (written === undefined) return undefined;
    if (apiBase === undefined) return usable(written, from);
    return isOrigin ? movedTo(apiBase, usable(written, apiBase)) : apiBase;
  };

  /** Cache: most operations share their list of servers. */
  const chosen = new Map<readonly Json[], string | undefined>();
  const chosenOf = (
    servers: readonly Json[],
    from = place,
    isFit: (address: string) => boolean = () => true,
  ): string | undefined => {
    if (!chosen.has(servers)) {
      unlisted.clear();
      const addresses = servers.map((server) => addressOf(server, from));
      const found = best(
        addresses.filter((address) => address !== undefined && isFit(address)),
        base.reachesLoopback,
      );
      if (found === undefined && unlisted.size > 0) throw valuesNotListed(unlisted, variables);
      chosen.set(servers, found ?? apiBase);
    }
    return chosen.get(servers);
  };

  const { root } = description;
  const host = member(root, 'host');
  const hasHost = typeof host === 'string' && host !== '';

  return ({ pathItem, operation }) => {
    const levels = [operation, pathItem, root].map(serversOf);
    const listed = levels.find((list) => list.length > 0);
    const isSwagger = description.dialect === 'swagger-2.0';
    // Authors who convert a description often leave `host` in OpenAPI 3, or `servers` in 2.0.
    if (isSwagger ? hasHost || !listed : hasHost && !listed) {
      return chosenOf(swaggerServers(root, operation, base.openapiUrl));
    }
    const common = serversOf(root);
    const isBeside = common.length > 0 && standsBeside({ operation, pathItem }, place);
    const beside = isBeside ? chosenOf(common) : undefined;
    if (listed && beside !== undefined) {
      // A mere path leads to no other host, as `/\\host` does.
      const { origin } = new URL(beside);
      return chosenOf(listed, beside, (address) => new URL(address).origin === origin);
    }
    // Default of OpenAPI: the location of the description.
    return chosenOf(listed ?? HERE);
  };
};

const movedTo = (origin: string, address: string | undefined): string | undefined => {
  if (address === undefined) return undefined;
  const { pathname, search } = new URL(address);
  return usable(`${origin}${pathname}${search}`);
};

/** The server of most operations in the description: a path if it has no origin, undefined if none is named. */
export const describedBase = (
  description: Description,
  operations: readonly FoundOperation[],
  { openapiUrl = NOWHERE, serverVariables, reachesLoopback = false }: ServerBase,
): string | undefined => {
  const serverOf = serverFinder(description, {
    openapiUrl,
    ...(serverVariables && { serverVariables }),
    reachesLoopback,
  });
  const found = operations.map(serverOf).filter((address) => address !== undefined);
  const address = mostCommon(found)?.replace(NOWHERE, '');
  return address === '' ? undefined : address;
};

/** Placeholder base for relative servers. RFC 2606 §2: the name never exists. */
const NOWHERE = 'https://nowhere.invalid';

export const mostCommon = (values: readonly string[]): string | undefined => {
  const groups = [...Map.groupBy(values, (value) => value)];
  const [most] = groups.toSorted(([, a], [, b]) => b.length - a.length);
  return most?.[0];
};

const HERE: readonly Json[] = [{ url: '/' }];

const best = (
  found: readonly (string | undefined)[],
  reachesLoopback: boolean | undefined,
): string | undefined => {
  const addresses = found.filter((address) => address !== undefined);
  const isReached = (address: string): boolean => {
    const reach = reachOf(address);
    return reach === 'public' || (reach === 'loopback' && reachesLoopback === true);
  };
  const first = addresses.find(isReached) ?? addresses[0];
  const encrypted = first?.replace(/^http:/, 'https:');
  return addresses.find((address) => address === encrypted) ?? first;
};

export const plainServers = (servers: readonly string[]): readonly Finding[] =>
  [...new Set(servers)].filter(isUnencrypted).map((server) => ({
    where: '',
    what: `calls to ${server} are refused: they would be sent unencrypted`,
    hint: 'Give the https address of the API (`--api-base URL`, `api_base_url`).',
  }));

export const unreachableServers = (
  servers: readonly string[],
  { reachesLoopback = false }: ServerBase,
): readonly Finding[] =>
  [...new Set(servers)].flatMap((server) => {
    const reach = reachOf(server);
    if (reach === 'public' || (reach === 'loopback' && reachesLoopback)) return [];
    const host = URL.parse(server)?.host ?? server;
    const what = reach === 'loopback' ? 'the machine that asks for it' : 'on no public network';
    return [
      {
        where: '',
        what: `calls to ${server} are refused: ${host} is ${what}`,
        hint: `Give the address of the API (\`--api-base URL\`, \`api_base_url\`)${reach === 'private' ? ', or choose the private network that it is in (`network`)' : ''}.`,
      },
    ];
  });

const unlistedValues = (
  server: JsonObject,
  given: ReadonlyMap<string, string>,
): readonly (readonly [string, readonly Json[]])[] => {
  const variables = member(server, 'variables');
  if (given.size === 0 || !isObject(variables)) return [];
  return [...given].flatMap(([name, value]) => {
    const variable = member(variables, name);
    const values = isObject(variable) ? listMember(variable, 'enum') : [];
    return values.length === 0 || values.some((one) => String(one) === value)
      ? []
      : [[name, values] as const];
  });
};

const valuesNotListed = (
  unlisted: ReadonlyMap<string, readonly Json[]>,
  given: ReadonlyMap<string, string>,
): ApiRefusal =>
  new ApiRefusal(
    'invalid_request',
    'A server variable has a value that the description does not list.',
    [...unlisted].map(([name, values]) =>
      finding(
        pointerTo('server_variables', name),
        `${JSON.stringify(given.get(name))} is none of its values`,
        `Choose one of ${valueList(values, 20)}.`,
      ),
    ),
  );

/** Says that the `servers` of a Swagger 2.0 description with a host are not read, as an overlay may have added them. */
export const serversUnread = ({ dialect, root }: Description): readonly Finding[] =>
  dialect === 'swagger-2.0' && textMember(root, 'host') !== '' && serversOf(root).length > 0
    ? [
        {
          where: '/servers',
          what: 'Swagger 2.0 has no servers; calls go to its host',
          hint: 'Write `host`, `basePath` and `schemes`.',
        },
      ]
    : [];

const VARIABLE = /\{([^{}]*)\}/g;

const listsOf = ({ root }: Description, operations: readonly FoundOperation[]) => [
  ...new Set(
    operations.flatMap(({ operation, pathItem }) => {
      const list = [operation, pathItem, root].map(serversOf).find(({ length }) => length > 0);
      return list ? [list] : [];
    }),
  ),
];

/** Warns of default values that are not in their variable's enum; they are used nevertheless. */
export const defaultsNotListed = (
  description: Description,
  operations: readonly FoundOperation[],
  { apiBaseUrl, serverVariables = {} }: ServerBase,
): readonly Finding[] => {
  if (apiBaseUrl !== undefined) return [];
  const told = new Map<string, Finding>();
  for (const server of listsOf(description, operations).flat().filter(isObject)) {
    for (const [name, variable] of Object.entries(objectMember(server, 'variables'))) {
      const values = isObject(variable) ? listMember(variable, 'enum') : [];
      const value = isObject(variable) ? member(variable, 'default') : undefined;
      const isListed = values.length === 0 || values.some((one) => String(one) === String(value));
      if (value === undefined || isListed || Object.hasOwn(serverVariables, name)) continue;
      told.set(name, {
        where: '',
        what: `the default ${JSON.stringify(value)} of the server variable ${name} is none of its values`,
        hint: `Choose one of ${valueList(values, 20)} (\`--server-variable ${name}=TEXT\`, \`server_variables\`).`,
      });
    }
  }
  return [...told.values()];
};

const openVariables = (
  description: Description,
  operations: readonly FoundOperation[],
  { serverVariables = {} }: ServerBase,
): readonly string[] => {
  const servers = listsOf(description, operations).flat().filter(isObject);
  return servers.flatMap((server) => {
    const variables = member(server, 'variables');
    return [...textMember(server, 'url').matchAll(VARIABLE)].flatMap(([, name = '']) => {
      const variable = isObject(variables) ? member(variables, name) : undefined;
      const isKnown = isObject(variable) && (defaultOf(variable) ?? '') !== '';
      return isKnown || Object.hasOwn(serverVariables, name) ? [] : [name];
    });
  });
};

export const noServer = (
  description: Description,
  operations: readonly FoundOperation[],
  count: number,
  base: ServerBase,
): ApiRefusal => {
  const [first] = operations;
  const [open] = openVariables(description, operations, base);
  const more = operations.length - 1;
  const others = more === count - 1 ? 'all others' : `${more} others`;
  return new ApiRefusal(
    'no_server_url',
    'The description names no server that its operations can be sent to.',
    [
      finding(
        first?.pointer ?? '',
        `${open === undefined ? `no absolute http or https server address of at most ${MAX_ADDRESS} characters` : `the variable {${open}} of the server has no value`}${more > 0 ? `, as with ${others}` : ''}`,
        open === undefined
          ? 'Give the address of the API (`--api-base URL`, `api_base_url`), or add it to `servers`.'
          : `Give it (\`--server-variable ${open}=TEXT\`, \`server_variables\`), or the address of the API (\`--api-base URL\`, \`api_base_url\`).`,
      ),
      // An overlay may be the one that names servers, where a list of them is missing.
      ...description.warnings.filter(({ where }) => where.startsWith('/overlays/')),
    ],
  );
};

const badApiBase = (): ApiRefusal =>
  new ApiRefusal('invalid_request', 'The base URL of the API is not usable.', [
    {
      where: '/api_base_url',
      what: 'no http or https address, or one with a password in it',
      hint: 'Write an address such as https://api.example.com/v1.',
    },
  ]);

/** Characters. Every tool stores its URL, and values of variables can be of any length. */
const MAX_ADDRESS = 2048;

/** @returns undefined for a URL that requests cannot be sent to */
const usable = (address: string, base?: string): string | undefined => {
  if (address.length > MAX_ADDRESS) return undefined;
  const written = address.trim();
  const url = URL.parse(
    base === undefined && written.startsWith('//') ? `https:${written}` : written,
    base,
  );
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  // What is left where a variable of the host is empty.
  if (/^\.|\.\./.test(url.hostname)) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  url.hash = '';
  return trimmedEnd(url.href, /\//);
};

const filled = (server: JsonObject, given: ReadonlyMap<string, string>): string | undefined => {
  const url = member(server, 'url');
  const variables = member(server, 'variables');
  if (typeof url !== 'string') return undefined;
  const defaults = new Map<string, string | undefined>();
  const valueOf = (name: string): string | undefined => {
    if (!given.has(name) && !defaults.has(name)) {
      const variable = isObject(variables) ? member(variables, name) : undefined;
      defaults.set(name, isObject(variable) ? defaultOf(variable) : undefined);
    }
    return given.get(name) ?? defaults.get(name);
  };
  let address = '';
  // With a capturing group, text and names of variables alternate.
  for (const [index, piece] of url.split(/\{([^{}]*)\}/).entries()) {
    const text = index % 2 === 0 ? piece : valueOf(piece);
    if (text === undefined || address.length > MAX_ADDRESS) return undefined;
    address += text;
  }
  return withScheme(withoutStage(withSingleSlashes(address.trim())));
};

/** Merges repeated slashes: a stage of API Gateway is written `/prod` after a slash. */
const withSingleSlashes = (address: string): string => {
  const [, origin = '', path = ''] =
    /^((?:[a-z][a-z\d+.-]*:)?\/\/[^/?#]*)?(.*)$/is.exec(address) ?? [];
  const [place = '', ...query] = path.split('?');
  return [origin + place.replaceAll(/\/+/g, '/'), ...query].join('?');
};

const defaultOf = (variable: JsonObject): string | undefined => {
  const values = listMember(variable, 'enum');
  const own = member(variable, 'default');
  const given = own === '' && values.length > 0 && !values.includes('') ? [] : [own];
  const [first] = [...given, ...values].filter(
    (value) => typeof value === 'string' || typeof value === 'number',
  );
  return first === undefined ? undefined : String(first);
};

const swaggerServers = (
  root: JsonObject,
  operation: JsonObject,
  openapiUrl: string | undefined,
): readonly Json[] => {
  const host = member(root, 'host');
  const basePath = member(root, 'basePath');
  const path = typeof basePath === 'string' ? `/${basePath.replace(/^\/+/, '')}` : '/';
  if (typeof host !== 'string' || host === '') return [{ url: path }];
  const bareHost = trimmedEnd(host.trim().replace(/^[a-z]+:\/\//i, ''), /\//);
  const [own, common] = [operation, root].map((level) => [member(level, 'schemes') ?? []].flat());
  const schemes = (own && own.length > 0 ? own : (common ?? [])).map((scheme) =>
    typeof scheme === 'string' ? scheme.trim().toLowerCase().split(':', 1).join() : '',
  );
  const from = openapiUrl === undefined ? undefined : URL.parse(openapiUrl);
  const isHere = from?.host === bareHost || from?.protocol === 'http:';
  const fallback = isHere ? (from?.protocol.slice(0, -1) ?? 'https') : schemeOf(bareHost);
  const scheme = ['https', 'http'].find((name) => schemes.includes(name));
  if (schemes.length > 0 && scheme === undefined) return [{ url: 'unknown:' }];
  return [{ url: `${scheme ?? fallback}://${bareHost}${path}` }];
};

/** A single server may be written without a list. */
const serversOf = (level: JsonObject): readonly Json[] => {
  const servers = member(level, 'servers');
  // An empty list, as Lua and PHP write it.
  const isEmpty = isObject(servers) && Object.keys(servers).length === 0;
  return isObject(servers) && !isEmpty ? [servers] : listOf(servers);
};
