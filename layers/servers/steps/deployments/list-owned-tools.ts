import { chosenNotes } from '../../rules/tool-report.ts';
import { Fault } from '../../../platform/rules/fault.ts';
import type { IndexedTool, ToolIndex } from '../../../openapi/tool-index.ts';
import type { ToolNote, ToolReport } from '../../../openapi/tool-note.ts';
import type { Ports } from '../../../ports.ts';
import { type Owned, ownedDeployment } from './owned-deployment.ts';

export type ListOwnedToolsPorts = Pick<Ports, 'deploymentEditor' | 'toolIndexes' | 'toolReports'>;

export interface OwnedTool {
  readonly tool: IndexedTool;
  /** What was renamed, shortened, left out, hidden or fixed. */
  readonly notes: readonly ToolNote[];
}

/**
 * The tools of the version that is served.
 *
 * @throws ApiRefusal not_found
 */
export const listOwnedTools = async (
  ports: ListOwnedToolsPorts,
  owned: Owned,
): Promise<readonly OwnedTool[]> => {
  const { id, version } = await ownedDeployment(ports, owned);
  const [index, report] = await Promise.all([
    ports.toolIndexes.find(id, version),
    ports.toolReports.find(id, version),
  ]);
  if (!index) throw new Fault('dynamodb', 'a served version has no tool index');
  return withNotes(index, report);
};

/** Tools with what their owner is told of them. */
export const withNotes = (
  { tools }: ToolIndex,
  report: ToolReport | undefined,
): readonly OwnedTool[] => {
  const noted = new Map(report?.tools.map(({ name, notes }) => [name, notes]));
  return tools.map((tool) => ({
    tool,
    notes: [...(noted.get(tool.name) ?? []), ...chosenNotes(tool)],
  }));
};
