import type { Deployment } from '../../deployments/rules/deployment.ts';
import { RpcRefusal } from '../../platform/rules/refusal/rpc-refusal.ts';
import { TOOL_SCOPES, type ToolScope } from '../../tokens/rules/authorization.ts';
import { HOUR, MINUTE } from '../../platform/rules/time.ts';

/** Versions with a handshake are `legacy`, those without one `modern`. */
export type Era = 'legacy' | 'modern';

/** What holds of one method wherever it is read, asked for, counted and answered. */
interface MethodRow {
  /** That a token must have; `none`: any token that is good at the server. */
  readonly scope: ToolScope | 'none';
  readonly eras: readonly Era[];
  /** Where `Method not found` names it. Source: docs/decisions/mcp.md, "Methods that are not announced". */
  readonly announcedIn: readonly Era[];
  /** Whether a server has it: all do, or those alone that have something to complete. */
  readonly offered: 'always' | 'with_completions';
  /** The parameter that the header `Mcp-Name` repeats. Source: MCP 2026-07-28, "Streamable HTTP". */
  readonly namedBy: 'name' | 'uri' | undefined;
  /** How many requests of a plan it counts as. Source: docs/decisions/limits.md, "Quotas". */
  readonly cost: 0 | 1;
  /** What is read while it is counted: its store remembers it. */
  readonly prefetches: 'nothing' | 'tools' | 'tools_and_credentials';
  /**
   * For how many seconds clients may keep its result, if at all: nobody is notified of changes, so that this is
   * how old what they show may be. Source: MCP 2026-07-28, "Caching".
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
 * The methods of MCP that there are, in the order in which they are announced. Whoever adds one says all of it here,
 * and the compiler asks for what it does.
 *
 * Source: docs/protocol.md, "Lifecycle"; docs/decisions/mcp.md, "Methods that are not announced";
 * docs/decisions/oauth.md, "Scopes".
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

/** A map, so that no name is found that an object would inherit. */
const METHODS: ReadonlyMap<string, NamedMethod> = new Map(
  Object.entries(TABLE).map(([name, row]) => [name, { ...row, name: name as MethodName }]),
);

/** @param name - as a stranger writes it @returns undefined for what is none */
export const methodNamed = (name: string): NamedMethod | undefined => METHODS.get(name);

/** Whether there is anything to complete: only then it is declared. */
export const offersCompletion = ({ completions = 0 }: Pick<Deployment, 'completions'>): boolean =>
  completions > 0;

const isOffered = (deployment: Pick<Deployment, 'completions'>, { offered }: MethodRow): boolean =>
  offered === 'always' || offersCompletion(deployment);

/** @returns undefined for what a server does not have in an era: what is not declared is not there */
export const methodOf = (
  deployment: Pick<Deployment, 'completions'>,
  era: Era,
  name: string,
): NamedMethod | undefined => {
  const method = methodNamed(name);
  return method?.eras.includes(era) && isOffered(deployment, method) ? method : undefined;
};

/** How many requests of a plan one with a handshake counts as: what there is not counts, too. */
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

/** What a token must have for all of some methods, each scope once, in the service's order. */
export const scopesNeeded = (methods: readonly Pick<MethodRow, 'scope'>[]): readonly ToolScope[] =>
  TOOL_SCOPES.filter((scope) => methods.some((method) => method.scope === scope));
