import { escapeToken, pointerTo } from '../../platform/rules/json/pointer.ts';
import {
  ApiRefusal,
  collectFindings,
  type Finding,
} from '../../platform/rules/refusal/api-refusal.ts';
import { ALWAYS_LOADED, type CompiledTool } from '../../openapi/tool-index.ts';
import type { Deployment } from './deployment.ts';
import type { ToolOverride, ToolOverrides } from './publication.ts';
import { type Complain, overrideArguments } from './override-arguments.ts';

export interface Overridden {
  readonly tools: readonly CompiledTool[];
  /** Original names of the tools by their new ones. */
  readonly names: ReadonlyMap<string, string>;
  /** One for each override that matches no operation or argument. It is kept in case they come back. */
  readonly warnings: readonly Finding[];
}

/** Names that all model APIs accept. Source: docs/tools.md, "Names". */
const TOOL_NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
/** Characters of JSON, counted per operation, since thousands of operations may have the same operationId. */
const MAX_APPLIED = 1_000_000;

/**
 * Applies an owner's overrides to compiled tools.
 *
 * @throws ApiRefusal `invalid_request` for an invalid or taken name, an argument that does not exist or is required, or
 *   overrides too large for the operations that they apply to; `no_operations` if all are hidden
 * Source: docs/tools.md, "Overrides".
 */
export const applyOverrides = (
  compiled: readonly CompiledTool[],
  overrides: ToolOverrides = {},
): Overridden => {
  const keys = new Set<string>();
  const faults = collectFindings();
  const names = new Map<string, string>();
  const spend = spender(overrides);
  const everywhere = Object.hasOwn(overrides, EVERYWHERE) ? (overrides[EVERYWHERE] ?? {}) : {};
  const missing = new Set(Object.keys(everywhere.arguments ?? {}));
  for (const member of Object.keys(everywhere)) {
    if (member !== 'arguments') faults.add(() => ofOneTool(member));
  }
  if (Object.hasOwn(overrides, EVERYWHERE)) keys.add(EVERYWHERE);
  const tools = compiled.flatMap((tool) => {
    const found = overrideOf(tool, overrides);
    const general = argumentsOf(tool, everywhere);
    for (const name of Object.keys(general)) missing.delete(name);
    if (Object.keys(general).length > 0) spend(EVERYWHERE);
    for (const key of found?.keys ?? []) {
      keys.add(key);
      spend(key);
    }
    if (found?.override.hidden) return [];
    names.set(found?.override.name ?? tool.name, tool.name);
    const own = found?.override.arguments ?? {};
    const all = { ...general, ...own };
    if (!found && Object.keys(all).length === 0) return [tool];
    const override = { ...found?.override, arguments: all };
    return [
      overridden(tool, override, (make) => {
        faults.add(() => {
          const fault = make();
          const isGeneral = Object.keys(general).some(
            (name) =>
              !Object.hasOwn(own, name) && fault.where === `/arguments/${escapeToken(name)}`,
          );
          const key = isGeneral ? EVERYWHERE : (found?.keys[0] ?? '');
          return { ...fault, where: `${pointerTo('overrides', key)}${fault.where}` };
        });
      }),
    ];
  });

  for (const taken of takenNames(tools, compiled, overrides)) faults.add(() => taken);
  for (const one of loadedBeyond(tools, overrides)) faults.add(() => one);
  faults.refuse('invalid_request', 'Some overrides cannot be applied.');
  if (tools.length === 0) {
    throw new ApiRefusal('no_operations', 'The overrides hide every operation.', [
      { where: '/overrides', what: 'nothing is left', hint: 'Hide fewer operations.' },
    ]);
  }
  const strays = Object.keys(overrides).filter((key) => !keys.has(key));
  return { tools, names, warnings: [...strays.map(stray), ...[...missing].map(strayArgument)] };
};

/** Key for arguments of all operations. */
const EVERYWHERE = '*';

/** Arguments under `*` that this tool has. Walks the tool's arguments: for each tool, all entries would be too many. */
const argumentsOf = (
  { listed, operation }: CompiledTool,
  { arguments: said = {} }: ToolOverride,
) => {
  const { properties = {} } = listed.inputSchema as { readonly properties?: object };
  return Object.fromEntries(
    Object.keys({ ...properties, ...operation.constants }).flatMap((name) => {
      const override = Object.hasOwn(said, name) ? said[name] : undefined;
      return override ? [[name, override] as const] : [];
    }),
  );
};

/** Merges overrides by operationId and by method and path; the latter win. */
export const overrideOf = (
  { operation }: Pick<CompiledTool, 'operation'>,
  overrides: ToolOverrides,
) => {
  const { method, path, operationId } = operation;
  const keys = [operationId, `${method} ${path}`].filter(
    (key) => key !== undefined && Object.hasOwn(overrides, key),
  ) as readonly string[];
  if (keys.length === 0) return undefined;
  const override: ToolOverride = Object.assign({}, ...keys.map((key) => overrides[key]));
  return { keys, override };
};

/** Counts the size of applied overrides. @throws ApiRefusal beyond the limit */
const spender = (overrides: ToolOverrides): ((key: string) => void) => {
  const sizes = new Map<string, number>();
  let left = MAX_APPLIED;
  return (key) => {
    const size = sizes.get(key) ?? JSON.stringify(overrides[key]).length;
    sizes.set(key, size);
    left -= size;
    if (left < 0) throw tooMuchApplied(key, size);
  };
};

const tooMuchApplied = (key: string, size: number): ApiRefusal =>
  new ApiRefusal('invalid_request', 'The overrides are too large for all their operations.', {
    where: pointerTo('overrides', key),
    what: `takes ${size} characters for each operation that it is of, all overrides more than ${MAX_APPLIED} together`,
    hint:
      key === EVERYWHERE
        ? 'Shorten it, or fix the argument in overrides of those operations that need it.'
        : 'Several operations have this operationId: name those that are meant by method and path, as in `GET /pets`, or shorten it.',
  });

/** A tool's own settings, which win over the deployment's. */
export const ownSettings = (
  tool: Pick<CompiledTool, 'operation'>,
  { publication }: Pick<Deployment, 'publication'>,
): ToolOverride => overrideOf(tool, publication.overrides ?? {})?.override ?? {};

/** Token budget of answers: the tool's, else the deployment's. Undefined: none was set; null: unlimited. */
export const answerBudgetOf = (
  tool: Pick<CompiledTool, 'operation'>,
  deployment: Pick<Deployment, 'answerTokenBudget' | 'publication'>,
): number | null | undefined => {
  const { answerTokenBudget = deployment.answerTokenBudget } = ownSettings(tool, deployment);
  return answerTokenBudget;
};

const overridden = (
  tool: CompiledTool,
  override: ToolOverride,
  complain: Complain,
): CompiledTool => {
  const { name = tool.name, title, description, annotations = {} } = override;
  if (!TOOL_NAME.test(name)) {
    const hint = 'Use up to 64 of a-z, A-Z, 0-9, _ and -, not starting with a digit or -.';
    complain(() => ({ where: '/name', what: 'not a tool name', hint }));
  }
  const { name: _, title: described, ...listed } = tool.listed;
  const shown = title ?? described;
  const changed = overrideArguments({ ...tool, name }, listed.inputSchema, override, complain);
  return {
    ...changed.tool,
    listed: {
      name,
      ...(shown !== undefined && { title: shown }),
      ...listed,
      ...(description !== undefined && { description }),
      inputSchema: changed.inputSchema,
      annotations: { ...listed.annotations, ...(title !== undefined && { title }), ...annotations },
      ...(override.alwaysLoad && { _meta: ALWAYS_LOADED }),
    },
  };
};

/** Tools that clients load before any search. With more, deferring the others would save little. */
const MOST_LOADED = 3;

const loadedBeyond = (
  tools: readonly CompiledTool[],
  overrides: ToolOverrides,
): readonly Finding[] => {
  const loaded = tools.filter(({ listed }) => listed._meta !== undefined);
  return loaded.slice(MOST_LOADED).map((tool) => ({
    where: `${pointerTo('overrides', overrideOf(tool, overrides)?.keys[0] ?? '')}/always_load`,
    what: `the tool ${tool.name} would be one of ${loaded.length} that are there from the start`,
    hint: `Leave it to ${MOST_LOADED}: those that a model needs before it knows what to search for.`,
  }));
};

const takenNames = (
  tools: readonly CompiledTool[],
  compiled: readonly CompiledTool[],
  overrides: ToolOverrides,
): readonly Finding[] => {
  const counts = Map.groupBy(tools, ({ name }) => name);
  return compiled.flatMap((tool) => {
    const found = overrideOf(tool, overrides);
    const name = found?.override.name;
    if (!found || name === undefined || (counts.get(name)?.length ?? 0) < 2) return [];
    return {
      where: `${pointerTo('overrides', found.keys[0] ?? '')}/name`,
      what: 'taken by another tool',
      hint: 'Choose another name.',
    };
  });
};

const stray = (key: string): Finding => ({
  where: pointerTo('overrides', key),
  what: 'names no operation that is published; the override is kept',
  hint: 'Nothing has to be done, unless the operation has a new name.',
});

const strayArgument = (name: string): Finding => ({
  where: pointerTo('overrides', EVERYWHERE, 'arguments', name),
  what: 'no operation that is published has this argument; the override is kept',
  hint: 'Nothing has to be done, unless the argument has another name.',
});

const ofOneTool = (member: string): Finding => ({
  where: pointerTo('overrides', EVERYWHERE, member),
  what: 'cannot be said of all operations together',
  hint: 'Give `*` nothing but `arguments`, and say this of one operation.',
});
