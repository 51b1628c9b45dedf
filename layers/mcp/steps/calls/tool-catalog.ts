import { withoutLogins } from '../../../credentials/rules/deployment-credential.ts';
import type { IndexedTool, ToolIndex } from '../../../openapi/tool-index.ts';
import { Fault } from '../../../platform/rules/fault.ts';
import {
  hasStructuredContent,
  type ProtocolVersion,
} from '../../../platform/rules/protocol-versions.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import { type ToolWithPresets, presetsKey, withPresets } from './preset-arguments.ts';
import { type PreparedTool, prepareTool } from '../../../tools/prepare-tool.ts';

interface ToolCatalog {
  /** JSON text, the whole result of `tools/list`. */
  listing(version: ProtocolVersion): string;
  find(name: string): PreparedTool | undefined;
  /** The tool as published, without arguments that settings of the server provide. */
  show(name: string): IndexedTool | undefined;
}

/** A memo that lives as long as the index, which never changes and is cached by its store. */
const catalogs = new WeakMap<ToolIndex, { readonly settings: string; catalog: ToolCatalog }>();

/** @throws Fault if the version has no index, which publication rules out */
export const toolCatalog = async (
  { toolIndexes }: Pick<DeploymentsPorts, 'toolIndexes'>,
  deployment: Deployment,
): Promise<ToolCatalog> => {
  const { id, version } = deployment;
  const found = await toolIndexes.find(id, version);
  if (!found) throw new Fault('dynamodb', 'a served version has no tool index');
  const index = withoutLogins(found, deployment);
  const settings = presetsKey(deployment);
  const known = catalogs.get(index);
  if (known?.settings === settings) return known.catalog;
  const catalog = catalogOf(
    index.tools.map((tool) =>
      settings === '' ? { tool, presets: NOTHING } : withPresets(tool, deployment),
    ),
  );
  catalogs.set(index, { settings, catalog });
  return catalog;
};

const NOTHING: ReadonlySet<string> = new Set();

const catalogOf = (all: readonly ToolWithPresets[]): ToolCatalog => {
  const tools = all.map(({ tool }) => tool);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const presetsOf = new Map(all.map(({ tool, presets }) => [tool.name, presets]));
  const prepared = new Map<string, PreparedTool>();
  const prepare = (name: string): PreparedTool | undefined => {
    const tool = byName.get(name);
    if (!tool) return undefined;
    const ready = prepareTool(tool, presetsOf.get(name));
    prepared.set(name, ready);
    return ready;
  };
  const listing = listOf(tools.map(({ listed }) => listed));
  const hasOutput = tools.some(({ output }) => output);
  let structured: string | undefined;
  return {
    listing: (version) =>
      hasOutput && hasStructuredContent(version)
        ? (structured ??= listOf(tools.map(listedWithOutput)))
        : listing,
    find: (name) => prepared.get(name) ?? prepare(name),
    show: (name) => byName.get(name),
  };
};

const listOf = (tools: readonly string[]): string => `{"tools":[${tools.join(',')}]}`;

const listedWithOutput = ({ listed, output }: IndexedTool): string =>
  output ? `${listed.slice(0, -1)},"outputSchema":${output.schema}}` : listed;
