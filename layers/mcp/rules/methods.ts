import type { Deployment } from '../../deployments/rules/deployment.ts';
import { RpcRefusal } from '../../platform/rules/refusal/rpc-refusal.ts';
import { TOOL_SCOPES, type ToolScope } from '../../tokens/rules/authorization.ts';
import { HOUR, MINUTE } from '../../platform/rules/time.ts';

/** MCP versions with the `initialize` handshake are `legacy`, those without it `modern`. */
export type Era = 'legacy' | 'modern';

/** What holds for one MCP method wherever it is read, authorized, counted and answered. */
interface MethodRow {
  /** Scope that the token must have; `none`: any token that is valid at the server. */
  readonly scope: ToolScope | 'none';
  readonly eras: readonly Era[];
  /** Eras in which `Method not found` lists it. Source: docs/decisions/mcp.md, "Methods that are not announced". */
  readonly announcedIn: readonly Era[];
  /** Whether every server has it, or only those with something to complete. */
  readonly offered: 'always' | 'with_completions';
  /** The parameter that the header `Mcp-Name` repeats. Source: MCP 2026-07-28, "Streamable HTTP". */
  readonly namedBy: 'name' | 'uri' | undefined;
  /** How many requests of a plan it counts as. Source: docs/decisions/limits.md, "Quotas". */
  readonly cost: 0 | 1;
  /** What is fetched in parallel with counting the request, to save time; stores remember it. */
  readonly prefetches: 'nothing' | 'tools' | 'tools_and_credentials';
  /**
   * How long clients may cache the result, if at all. Servers send no notifications of changes, so
   * what clients show may be this old. Source: MCP 2026-07-28, "Caching".
   */
  readonly ttlSeconds: number | undefined;
}

const EVERY_ERA = ['legacy', 'modern'] as const;
const LIST = 5 * MINUTE;

const ROW = {
  eras: EVERY_ERA,
  announcedIn: EVERY_ERA,
  offered: 'always',
  namedBy: undefined,
  cost: 1,
  prefetches: 'nothing',
  ttlSeconds: undefined,
} as const satisfies Omit<MethodRow, 'scope'>;
const LEGACY = { eras: ['legacy'], announcedIn: ['legacy'] } as const;
const MODERN = { eras: ['modern'], announcedIn: ['modern'] } as const;

/**
 * All MCP methods, in the order in which they are announced. Source: docs/protocol.md, "Lifecycle";
 * docs/decisions/mcp.md, "Methods that are not announced"; docs/decisions/oauth.md, "Scopes".
 */
const TABLE = {
  initialize: { ...ROW, ...LEGACY, scope: 'none' },
  'server/discover': { ...ROW, ...MODERN, scope: 'none', cost: 0, ttlSeconds: HOUR },
  'tools/list': { ...ROW, scope: 'mcp.tools.read', prefetches: 'tools', ttlSeconds: LIST },
  'tools/call': {
    ...ROW,
    scope: 'mcp.tools.execute',
    namedBy: 'name',
    prefetches: 'tools_and_credentials',
  },
  'resources/list': { ...ROW, scope: 'mcp.tools.read', ttlSeconds: LIST },
  'resources/templates/list': { ...ROW, scope: 'mcp.tools.read', ttlSeconds: LIST },
  'resources/read': { ...ROW, scope: 'mcp.tools.read', namedBy: 'uri', ttlSeconds: MINUTE },
  'prompts/list': { ...ROW, scope: 'mcp.tools.read', ttlSeconds: LIST },
  'prompts/get': { ...ROW, scope: 'mcp.tools.read', namedBy: 'name' },
  'completion/complete': {
    ...ROW,
    scope: 'mcp.tools.read',
    announcedIn: ['modern'],
    offered: 'with_completions',
  },
  ping: { ...ROW, scope: 'none', eras: ['legacy'], announcedIn: [], cost: 0 },
  'logging/setLevel': { ...ROW, scope: 'none', eras: ['legacy'], announcedIn: [] },
} as const satisfies Readonly<Record<string, MethodRow>>;

export type MethodName = keyof typeof TABLE;

export interface NamedMethod extends MethodRow {
  readonly name: MethodName;
}

/** A map, so that names that objects inherit (`constructor`) find nothing. */
const METHODS: ReadonlyMap<string, NamedMethod> = new Map(
  Object.entries(TABLE).map(([name, row]) => [name, { ...row, name: name as MethodName }]),
);

export const methodNamed = (name: string): NamedMethod | undefined => METHODS.get(name);

/** Only servers with something to complete declare the capability. */
export const offersCompletion = ({ completions = 0 }: Pick<Deployment, 'completions'>): boolean =>
  completions > 0;

const isOffered = (deployment: Pick<Deployment, 'completions'>, { offered }: MethodRow): boolean =>
  offered === 'always' || offersCompletion(deployment);

/** Undefined for a method that the server does not declare in this era. */
export const methodOf = (
  deployment: Pick<Deployment, 'completions'>,
  era: Era,
  name: string,
): NamedMethod | undefined => {
  const method = methodNamed(name);
  return method?.eras.includes(era) && isOffered(deployment, method) ? method : undefined;
};

/** How many requests of a plan a legacy request counts as. Unknown methods count, too. */
export const legacyCost = (name: string): number => {
  const method = methodNamed(name);
  return method?.eras.includes('legacy') ? method.cost : 1;
};

const MOST_CHARS_OF_NAME = 100;

/** Source: docs/protocol.md, "Unknown methods". */
export const methodNotFound = (
  deployment: Pick<Deployment, 'completions'>,
  era: Era,
  name: string,
): RpcRefusal =>
  new RpcRefusal('method_not_found', `Method not found: ${name.slice(0, MOST_CHARS_OF_NAME)}`, {
    supported_methods: [...METHODS.values()]
      .filter((method) => method.announcedIn.includes(era) && isOffered(deployment, method))
      .map((method) => method.name),
  });

/** The scopes that a token needs for all these methods, in the order of `TOOL_SCOPES`. */
export const scopesNeeded = (methods: readonly Pick<MethodRow, 'scope'>[]): readonly ToolScope[] =>
  TOOL_SCOPES.filter((scope) => methods.some((method) => method.scope === scope));
