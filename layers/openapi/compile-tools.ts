import type { ToolMode } from './tool-mode.ts';
import type { CredentialNeed } from './credential-needs.ts';
import { ApiRefusal, type Finding } from '../platform/rules/refusal/api-refusal.ts';
import type { CompiledTool } from './tool-index.ts';
import type { ToolNote } from './tool-note.ts';
import { type Description, type FoundOperation, target } from './document.ts';
import { queryLanguage } from './frameworks/query-languages.ts';
import { finding } from './intake/findings.ts';
import { FEWER_OPERATIONS, listBounds, toolFitter } from './fit/fit-tools.ts';
import { fitApart } from './fit/tell-apart.ts';
import { credentialNeeds, credentialParameters, unmeetable } from './operation/credential-needs.ts';
import { declaredKeys, keysAsParameters } from './operation/declared-keys.ts';
import { draftTool, type DraftTool } from './operation/draft-tool.ts';
import {
  describedBase,
  mostCommon,
  defaultsNotListed,
  noServer,
  plainServers,
  type ServerBase,
  serverFinder,
  serversUnread,
  unreachableServers,
} from './operation/servers.ts';
import { serversBeside, serversElsewhere } from './operation/server-places.ts';
import { listsOfOne } from './operation/lists.ts';
import { toolNames } from './operation/tool-names.ts';
import { toolTitles } from './operation/tool-titles.ts';
import { type OutputOptions, withOutputs } from './output/outputs.ts';
import { xmlOutliner } from './operation/xml-outline.ts';
import { type Schemas, schemaTranslator } from './schema/translate-schemas.ts';
import { isObject, type Json, member } from '../platform/rules/json/json.ts';
import { listOf } from '../platform/rules/json/members.ts';
import { pointerTo } from '../platform/rules/json/pointer.ts';

export interface CompileOptions {
  readonly serverBase?: ServerBase;
  /** How clients see the operations; decides the size limit of the list. */
  readonly toolMode?: ToolMode;
  /** Overrides the size limit of `toolMode`. */
  readonly maxListBytes?: number;
  /** Estimated tokens that each tool may take; absent: no limit. */
  readonly tokenBudget?: number | undefined;
  /** Selects tools with structured output; absent: none. */
  readonly hasOutput?: OutputOptions['isWanted'] | undefined;
}

export interface CompiledTools {
  readonly tools: readonly CompiledTool[];
  readonly warnings: readonly Finding[];
  /** Changes made for each tool, by tool name; shown to the owner. */
  readonly notes: ReadonlyMap<string, readonly ToolNote[]>;
  readonly credentialNeeds: readonly CredentialNeed[];
  /** The server to which most operations go. */
  readonly apiBaseUrl: string;
  /** Base URL according to the description alone; absent where it names none. See `describedBase`. */
  readonly describedBaseUrl?: string;
}

/** Limit for the arguments of all operations together: with references a small description can have very many. */
const MAX_ARGUMENTS = 200_000;
/** Limit for the characters of JSON read for all operations together: references can multiply them. */
const MAX_WEIGHT = 100_000_000;

/**
 * Compiles operations to tools that a router can list and call.
 * @param operations - chosen for publication
 * @throws ApiRefusal `no_server_url` if an operation has no address, `tool_list_too_large` if even the shortest texts
 *   are too long, `invalid_request` for an invalid base URL
 * Source: docs/tools.md, "From OpenAPI to tools".
 */
export const compileTools = (
  description: Description,
  operations: readonly FoundOperation[],
  options: CompileOptions = {},
): CompiledTools => {
  const {
    serverBase = {},
    toolMode = 'operations',
    maxListBytes,
    tokenBudget,
    hasOutput,
  } = options;
  const servers = serversOf(description, operations, serverBase);
  const described = describedBase(description, operations, serverBase);
  const schemas = schemaTranslator(description);
  const drafts = draftTools(description, operations, servers, schemas);

  const bounds = listBounds(toolMode, maxListBytes);
  const fit = toolFitter(schemas, { maxCharacters: bounds.maxBytes, tokenBudget });
  const { tools: fitted, level } = fitApart(drafts, fit, bounds);
  const { tools, warnings: withoutOutput } = hasOutput
    ? withOutputs(description, operations, fitted, { isWanted: hasOutput, tokenBudget, bounds })
    : { tools: fitted, warnings: [] };

  const keysOf = declaredKeys(description, credentialParameters(description));
  const apiBaseUrl = mostCommon(servers) ?? '';
  const needs = credentialNeeds(description, operations, apiBaseUrl, keysOf);
  const noticed = intakeNotes(description);
  const notesBefore = operations.map((operation, index) => [
    ...noticed(operation),
    ...(drafts[index]?.warnings ?? []).map(noteOf),
  ]);
  return {
    tools: tools.map(({ tool }) => tool),
    warnings: [
      ...plainServers(servers),
      ...unreachableServers(servers, serverBase),
      ...defaultsNotListed(description, operations, serverBase),
      ...serversBeside(description, operations, serverBase),
      ...serversElsewhere(description, operations, servers, serverBase),
      ...serversUnread(description),
      ...unmeetable(needs),
      ...keysAsParameters(operations, keysOf),
      ...drafts.flatMap(({ warnings }) => warnings),
      ...listsOfOne(description.root, drafts),
      ...tools.flatMap(({ warning }) => warning ?? []),
      ...withoutOutput,
      ...(schemas.cutCount() > 0 ? [tooComposed(schemas.cutCount())] : []),
      ...(level > 0 ? [shorterTexts(tools.length)] : []),
    ].map(showable),
    notes: new Map(
      tools.map(({ tool, notes }, index) => [
        tool.name,
        [...(notesBefore[index] ?? []), ...notes].map(showableNote),
      ]),
    ),
    credentialNeeds: needs,
    apiBaseUrl,
    ...(described !== undefined && { describedBaseUrl: described }),
  };
};

const serversOf = (
  description: Description,
  operations: readonly FoundOperation[],
  base: ServerBase,
): readonly string[] => {
  const serverOf = serverFinder(description, base);
  const servers = operations.map(serverOf);
  const withoutServer = operations.filter((_, index) => servers[index] === undefined);
  if (withoutServer.length > 0) throw noServer(description, withoutServer, operations.length, base);
  return servers.filter((server) => server !== undefined);
};

const draftTools = (
  description: Description,
  operations: readonly FoundOperation[],
  servers: readonly string[],
  schemas: Schemas,
): readonly DraftTool[] => {
  // Names are made among all operations of the description, so that publishing fewer changes none.
  const all = [...new Set([...description.operations, ...operations])];
  const names = toolNames(all);
  const titles = toolTitles(all, names);
  const language = queryLanguage(description.root);
  const context = {
    description,
    schemas,
    isCredential: credentialParameters(description),
    xmlOutline: xmlOutliner(schemas),
    ...(language && { language }),
  };
  const weightOf = operationWeigher(description);
  let argumentCount = 0;
  let weight = 0;
  return operations.map((operation, index) => {
    weight += weightOf(operation);
    if (weight > MAX_WEIGHT) throw tooMuchShared(operation);
    const name = names.get(operation) ?? '';
    const named = { name, title: titles.get(operation) };
    const draft = draftTool(context, operation, named, servers[index] ?? '');
    argumentCount += draft.args.length;
    if (argumentCount > MAX_ARGUMENTS) throw tooManyArguments(draft);
    return draft;
  });
};

/** Makes a finding safe to show: its texts contain names written by strangers. */
const showable = ({ where, what, hint }: Finding): Finding => finding(where, what, hint);

const showableNote = (note: ToolNote): ToolNote => {
  const { what, hint } = finding('', note.what, note.why);
  return { ...note, what, why: hint };
};

const tooManyArguments = ({ pointer }: DraftTool): ApiRefusal =>
  new ApiRefusal(
    'tool_list_too_large',
    `The operations have more than ${MAX_ARGUMENTS} arguments together.`,
    [finding(pointer, 'here they become too many', `${FEWER_OPERATIONS}.`)],
  );

const tooMuchShared = ({ pointer }: FoundOperation): ApiRefusal =>
  new ApiRefusal(
    'tool_list_too_large',
    `What the operations refer to takes more than ${MAX_WEIGHT} characters, counted for each of them.`,
    [finding(pointer, 'here it becomes too much', `${FEWER_OPERATIONS}.`)],
  );

const tooComposed = (count: number): Finding => ({
  where: '',
  what: `${count} schemas have more than 500 alternatives or are composed more than 100 levels deep; any value is taken in their place`,
  hint: 'Compose them of less, if calls should be checked.',
});

const shorterTexts = (count: number): Finding => ({
  where: '',
  what: `the texts of the ${count} tools are shortened to keep their list small`,
  hint: 'Choose fewer operations to keep more of the texts.',
});

/** Measures an operation in characters of JSON, with all schemas it refers to, however many others share them. */
const operationWeigher = ({
  root,
}: Pick<Description, 'root'>): ((operation: FoundOperation) => number) => {
  const sizeOf = once((node) => JSON.stringify(node).length);
  const schemaIn = (node: Json): number => {
    const schema = isObject(node) ? member(node, 'schema') : undefined;
    return schema === undefined ? 0 : sizeOf(target(root, schema));
  };
  const weightOf = once((node) => {
    const content = isObject(node) ? member(node, 'content') : undefined;
    const types = isObject(content) ? Object.values(content) : [];
    return [node, ...types].reduce<number>((sum, one) => sum + schemaIn(one), sizeOf(node));
  });
  const weightOfAll = once((parameters) =>
    listOf(parameters).reduce<number>(
      (sum, parameter) => sum + weightOf(target(root, parameter)),
      0,
    ),
  );
  return ({ operation, pathItem }) =>
    sizeOf(operation) +
    weightOf(target(root, member(operation, 'requestBody') ?? null)) +
    weightOfAll(member(operation, 'parameters')) +
    weightOfAll(member(pathItem, 'parameters'));
};

/** Caches a measure by object, since many references lead to one; 0 for scalars. */
const once = (measure: (node: Json) => number): ((node: Json | undefined) => number) => {
  const known = new WeakMap<object, number>();
  return (node) => {
    if (typeof node !== 'object' || node === null) return 0;
    const before = known.get(node);
    if (before !== undefined) return before;
    const measured = measure(node);
    known.set(node, measured);
    return measured;
  };
};

/** Longest pointer that is looked up: `/components/pathItems/Pets/get`. */
const MOST_KEYS = 4;

/** Warnings of intake about one operation or its path, which a `$ref` may place elsewhere. */
const intakeNotes = ({
  root,
  warnings,
}: Description): ((found: FoundOperation) => readonly ToolNote[]) => {
  const within = new Map<string, Finding[]>();
  for (const warning of warnings) {
    const keys = warning.where.split('/').slice(1, 1 + MOST_KEYS);
    for (let count = 1; count <= keys.length; count += 1) {
      const pointerAbove = `/${keys.slice(0, count).join('/')}`;
      const known = within.get(pointerAbove);
      if (known) known.push(warning);
      else within.set(pointerAbove, [warning]);
    }
  }
  const paths = member(root, 'paths');
  return ({ method, path, pointer }) => {
    const pathItem = isObject(paths) ? member(paths, path) : undefined;
    const ref = isObject(pathItem) ? member(pathItem, '$ref') : undefined;
    const items = [pointerTo('paths', path), ...(typeof ref === 'string' ? [ref.slice(1)] : [])];
    const pointers = new Set([
      pointer,
      ...items.flatMap((item) => [`${item}/${method.toLowerCase()}`, `${item}/parameters`]),
    ]);
    return [...pointers].flatMap((one) => within.get(one) ?? []).map(noteOf);
  };
};

const noteOf = ({ what, hint }: Finding): ToolNote => ({ what, why: hint });
