/** Few kinds of routes, since CloudWatch charges for every combination of dimensions with data. */
export const ROUTE_KINDS = [
  'mcp',
  'mcp-documents',
  'authorization',
  'tokens',
  'accounts',
  'management',
  'console',
  'other',
] as const;
export type RouteKind = (typeof ROUTE_KINDS)[number];

const PATTERNS: readonly (readonly [RegExp, RouteKind])[] = [
  [/^\/v1\/mcp-router\/\{slug\}(?:\/messages|\/tool)?$/, 'mcp'],
  [/^\/v1\/mcp-router\/|^\/\.well-known\//, 'mcp-documents'],
  [/^\/v1\/mcp-oauth-server\/(?:token|revoke|register|userinfo)$/, 'tokens'],
  [/^\/v1\/mcp-oauth-server\//, 'authorization'],
  [/^\/v1\/mcp-management\/(?:accounts|sessions)(?:\/|$)/, 'accounts'],
  [/^\/v1\/mcp-management\//, 'management'],
  [/^\/(?:v1)?$|^\/v1\/console(?:\/|$)/, 'console'],
];

/** @param route - path from a route table with `{parameters}`; anything else is `other` */
export const routeKind = (route: unknown): RouteKind =>
  typeof route === 'string'
    ? (PATTERNS.find(([pattern]) => pattern.test(route))?.[1] ?? 'other')
    : 'other';
