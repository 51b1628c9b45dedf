import type { LimitValues } from '../../../limits/rules/limits.ts';
import type { CredentialNeed } from '../../../openapi/credential-needs.ts';
import { apiTexts, type ApiTexts } from '../../../openapi/api-texts.ts';
import { compileTools } from '../../../openapi/compile-tools.ts';
import type { ServerBase } from '../../../openapi/operation/servers.ts';
import type { Description, FoundOperation } from '../../../openapi/document.ts';
import { encodingOf } from '../../../openapi/intake/parse.ts';
import { describedOutputs } from '../../../openapi/output/outputs.ts';
import { readDescription } from '../../../openapi/intake/read-description.ts';
import {
  type OperationsLimit,
  type SelectedOperations,
  selectOperations,
} from '../../../openapi/intake/select-operations.ts';
import { applyOverrides, overrideOf } from '../../../deployments/rules/apply-overrides.ts';
import { needsWithLogin, secretTools, toolReport } from '../../rules/tool-report.ts';
import { checkFixed, structuredTools, unknownAnswerFields } from '../../rules/check-overrides.ts';
import { summarizeWarnings } from '../../rules/summarize-warnings.ts';
import type { FetchTerms } from '../../rules/fetch-terms.ts';
import type { Plan } from '../../../limits/rules/plan.ts';
import {
  type OperationChoice,
  type PublicationSettings,
  toolModeOf,
} from '../../../deployments/rules/publication.ts';
import { ApiRefusal, type Finding } from '../../../platform/rules/refusal/api-refusal.ts';
import { buildSearchIndex } from '../../../search/build-index.ts';
import type { SearchIndex } from '../../../search/search-index.ts';
import { type CompiledTool, type ToolIndex, toToolIndex } from '../../../openapi/tool-index.ts';
import type { ToolReport } from '../../../openapi/tool-note.ts';
import type { LimitsSettings } from '../../../limits/ports.ts';
import type { Upload } from '../../../deployments/rules/version-notes.ts';
import {
  type DescriptionSource,
  fetchDescription,
  type FetchDescriptionPorts,
  type FetchedFor,
  isUrlSource,
  type FetchedDescription,
  type ReceivedDescription,
} from './fetch-description.ts';
import type { TargetSettings } from '../../../target/ports.ts';
import type { ToolMode } from '../../../openapi/tool-mode.ts';
import { estimateTokens, toolTokens } from '../../../openapi/model-apis/token-estimate.ts';

export interface CompiledDescription {
  readonly text: string;
  readonly upload: Upload;
  readonly title: string;
  readonly apiTexts?: ApiTexts;
  readonly index: ToolIndex;
  /** In search mode only. */
  readonly searchIndex?: SearchIndex;
  readonly report: ToolReport;
  readonly apiBaseUrl: string;
  /** Base address as the description gives it. */
  readonly describedBaseUrl?: string;
  readonly warnings: readonly Finding[];
  readonly credentialNeeds: readonly CredentialNeed[];
  /** The settings as given, with the description's address. */
  readonly publication: PublicationSettings;
  /**
   * Whether the version may be stored in the table: the description has few enough schema keys.
   * Source: docs/decisions/storage.md, "Where versions are stored".
   */
  readonly inline: boolean;
}

export interface CompileTerms {
  /** Choice of operations of the previous version. */
  readonly former?: OperationChoice | undefined;
  readonly fetchedFor?: FetchedFor | undefined;
}

/** Compiles without storing. @throws ApiRefusal that says where the description is wrong and what to do */
export const compileDescription = async (
  ports: FetchDescriptionPorts,
  terms: FetchTerms,
  source: DescriptionSource,
  wanted: PublicationSettings,
  plan: Plan,
  { former, fetchedFor }: CompileTerms = {},
): Promise<CompiledDescription> => {
  const { settings } = ports;
  const read = await readSource(ports, terms, source, wanted, fetchedFor);
  return compileOperations(settings, read, chosenOperations(settings, read, plan, former));
};

export interface ReadSource {
  readonly description: Description;
  readonly upload: CompiledDescription['upload'];
  /** Warnings about the description's address. */
  readonly noticed: readonly Finding[];
  /** The settings as given, with the description's address. */
  readonly publication: PublicationSettings;
}

/** Drops the address of a description that was sent itself. @param source - undefined if the description stays */
export const publishedFrom = (
  publication: PublicationSettings,
  source: DescriptionSource | undefined,
): PublicationSettings => {
  if (source === undefined || isUrlSource(source)) return publication;
  const { sourceUrl: _, ...sent } = publication;
  return sent;
};

/** @throws ApiRefusal that says where the description is wrong and what to do */
export const readSource = async (
  ports: FetchDescriptionPorts,
  terms: FetchTerms,
  source: DescriptionSource,
  wanted: PublicationSettings,
  fetchedFor?: FetchedFor,
): Promise<ReadSource> => {
  const { limits } = ports.settings;
  const publication = isUrlSource(source) ? { ...wanted, sourceUrl: source.url } : wanted;
  const received: ReceivedDescription & Pick<FetchedDescription, 'fuller'> = isUrlSource(source)
    ? await fetchDescription(ports, terms, source, fetchedFor)
    : source;
  const { sent, mediaType, encoding = encodingOf(sent), fuller } = received;
  const read = (text: string | Uint8Array) =>
    readDescription(
      text,
      { maxBytes: limits.openapi_max_bytes, maxDepth: limits.openapi_max_depth },
      publication.overlays,
    );
  const description = read(sent);
  const noticed = fuller ? lessWithoutCredential(description, () => read(fuller)) : [];
  return {
    description,
    upload: { mediaType: mediaType ?? mediaTypeOf(description), encoding },
    noticed,
    publication,
  };
};

/** @throws ApiRefusal if no tools can be compiled */
export const compileOperations = (
  { limits, reachesLoopback }: LimitsSettings & Pick<TargetSettings, 'reachesLoopback'>,
  { description, upload, noticed, publication }: ReadSource,
  { operations, warnings: selectionWarnings }: SelectedOperations,
): CompiledDescription => {
  const compiled = compileTools(description, operations, {
    serverBase: { ...serverBase(publication), reachesLoopback: reachesLoopback === true },
    toolMode: toolModeOf(publication),
    tokenBudget: tokenBudget(publication, limits),
    hasOutput: structuredTools(publication),
  });
  const { tools, names, warnings } = applyOverrides(compiled.tools, publication.overrides);
  checkFixed(compiled.tools, tools, publication.overrides);
  const texts = apiTexts(description, operations);
  const { describedBaseUrl } = compiled;
  const report = toolReport(tools, names, compiled.notes);

  return {
    text: description.text,
    upload,
    title: titleOf(description),
    ...(texts && { apiTexts: texts }),
    index: toToolIndex(tools),
    ...(publication.toolMode === 'search' && {
      searchIndex: searchIndexOf(tools, operations, publication),
    }),
    report,
    apiBaseUrl: compiled.apiBaseUrl,
    ...(describedBaseUrl !== undefined && { describedBaseUrl }),
    warnings: summarizeWarnings([
      ...noticed,
      ...secretTools(report, tools),
      ...selectionWarnings,
      ...warnings,
      ...structuredOutputCost(tools),
      ...unknownAnswerFields(
        tools,
        publication.overrides,
        describedOutputs(description, operations),
      ),
      ...description.warnings,
      ...compiled.warnings,
    ]),
    credentialNeeds: needsWithLogin(compiled.credentialNeeds, report, tools),
    publication,
    inline: description.schemaKeys < limits.openapi_inline_schema_keys,
  };
};

/** The owner's budget, else the service's; undefined: unlimited. */
const tokenBudget = (
  { toolTokenBudget }: PublicationSettings,
  { tool_token_budget }: LimitValues,
): number | undefined =>
  toolTokenBudget === undefined ? tool_token_budget : (toolTokenBudget ?? undefined);

/** Index of tools with tags and keywords, which the tools themselves do not have. */
const searchIndexOf = (
  tools: readonly CompiledTool[],
  operations: readonly FoundOperation[],
  { overrides = {} }: PublicationSettings,
): SearchIndex => {
  // Parameters may have moved the query out of the tool's path.
  const addressOf = ({ method, path }: { readonly method: string; readonly path: string }) =>
    `${method} ${path.split(/[?#]/, 1).join()}`;
  const tags = new Map<string, readonly string[]>([
    ...operations.map((one) => [addressOf(one), one.tags] as const),
    ...operations.map(({ method, path, tags: its }) => [`${method} ${path}`, its] as const),
  ]);
  return buildSearchIndex(
    tools.map((tool) => {
      const { method, path } = tool.operation;
      const keywords = overrideOf(tool, overrides)?.override.keywords ?? [];
      const its = tags.get(`${method} ${path}`) ?? tags.get(addressOf({ method, path }));
      return { tool, tags: its ?? [], keywords };
    }),
  );
};

const serverBase = ({
  apiBaseUrl,
  sourceUrl,
  serverVariables,
}: PublicationSettings): ServerBase => ({
  ...(apiBaseUrl !== undefined && { apiBaseUrl }),
  ...(sourceUrl !== undefined && { openapiUrl: sourceUrl }),
  ...(serverVariables && { serverVariables }),
});

/** Warns if the address describes more operations to callers with the credential. */
const lessWithoutCredential = (
  description: Description,
  readFuller: () => Description,
): readonly Finding[] => {
  const operations = description.operations.length;
  const more = operationsOf(readFuller);
  if (more === undefined || more <= operations) return [];
  return [
    {
      where: '/openapi_url',
      what: `describes ${more} operations to whom shows the credential, and ${operations} to anybody`,
      hint: 'Have it fetched with the credential (`fetch_with`, `--fetch-with credential`) if they are meant.',
    },
  ];
};

/** Number of operations; undefined if the text is no description. */
const operationsOf = (readFuller: () => Description): number | undefined => {
  try {
    return readFuller().operations.length;
  } catch (error) {
    if (error instanceof ApiRefusal) return undefined;
    throw error;
  }
};

const mediaTypeOf = ({ text }: Description): string =>
  text.trimStart().startsWith('{') ? 'application/json' : 'application/yaml';

export const titleOf = ({ root }: Description): string => {
  const info = root['info'];
  const title = typeof info === 'object' && info !== null && 'title' in info ? info['title'] : '';
  return typeof title === 'string' ? title.trim().slice(0, 200) : '';
};

/**
 * Operations that the owner chose.
 *
 * @param former - choice of the previous version, whose names may no longer exist
 * @param most - limit in place of the plan's
 * @throws ApiRefusal for an invalid choice, or too many operations
 */
export const chosenOperations = (
  { limits }: LimitsSettings,
  {
    description,
    publication,
  }: { readonly description: Description; readonly publication: PublicationSettings },
  plan: Plan,
  former: OperationChoice | undefined,
  most?: OperationsLimit,
): SelectedOperations =>
  selectOperations(
    description,
    publication.operations ?? { include: [], exclude: [] },
    most ?? operationsLimit(limits, toolModeOf(publication), plan),
    former,
  );

/**
 * Limit on operations. In search mode the deployment counts as one endpoint, and the plan limits the operations behind
 * it.
 *
 * @throws ApiRefusal limit_reached if the plan forbids the mode
 * Source: docs/decisions/descriptions.md, "Choosing operations"; docs/search-mode.md, "What changes".
 */
const operationsLimit = (limits: LimitValues, mode: ToolMode, plan: Plan): OperationsLimit => {
  const limit = `${plan}_searchable_operations` as const;
  const searchable = limits[limit];
  if (mode === 'operations') {
    const name = 'endpoints_per_deployment';
    return { max: limits[name], limit: name, searchable };
  }
  if (searchable > 0) return { max: searchable, limit, searchable: 0 };
  throw new ApiRefusal(
    'limit_reached',
    `The plan ${plan} does not allow the tool mode search (limit ${limit}).`,
    [{ where: '/tool_mode', what: 'not allowed', hint: 'Leave it out, and choose operations.' }],
    'search mode',
    { limit },
  );
};

/** Tokens below which there is no warning. */
const WORTH_SAYING = 1000;

/** Warns of large output schemas, which clients may pass to models. Source: docs/tools.md, "Structured output". */
export const structuredOutputCost = (tools: readonly CompiledTool[]): readonly Finding[] => {
  const tokensOf = (of: (tool: CompiledTool) => number): number =>
    tools.reduce((sum, tool) => sum + of(tool), 0);
  const more = tokensOf(({ output }) => (output ? estimateTokens(output.schema) : 0));
  if (more < WORTH_SAYING) return [];
  const before = tokensOf(({ listed }) => toolTokens(listed));
  return [
    {
      where: '/structured_output',
      what: `output schemas take about ${more} tokens beside the ${before} of the tools`,
      hint: 'Nothing has to be done. Where clients show models the output schemas too, choose it for single tools only, by overrides.',
    },
  ];
};
