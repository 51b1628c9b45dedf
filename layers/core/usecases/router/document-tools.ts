import type { Deployment } from '../../domain/deployment.ts';
import type { ToolNote } from '../../domain/tool-note.ts';
import type { Ports } from '../../ports.ts';
import { listByMode } from './tool-modes.ts';

/** A tool as `tools/list` shows it, and what was done to make it. */
export interface DocumentedTool {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema, an object's. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations?: { readonly title?: string };
  readonly notes: readonly ToolNote[];
}

/** The tools of a deployment, for people to read. */
export const documentTools = async (
  ports: Pick<Ports, 'searchIndexes' | 'toolIndexes' | 'toolReports'>,
  deployment: Deployment,
): Promise<readonly DocumentedTool[]> => {
  const [listing, report] = await Promise.all([
    listByMode(ports, deployment),
    ports.toolReports.find(deployment.id, deployment.version),
  ]);
  const noted = new Map(report?.tools.map(({ name, notes }) => [name, notes]));
  const { tools } = JSON.parse(listing) as {
    readonly tools: readonly Omit<DocumentedTool, 'notes'>[];
  };
  return tools.map((tool) => ({ ...tool, notes: noted.get(tool.name) ?? [] }));
};
