import type { Deployment } from '../../domain/deployment.ts';
import type { Ports } from '../../ports.ts';
import { listByMode } from './tool-modes.ts';

/** A tool as `tools/list` shows it. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema, an object's. */
  readonly inputSchema: unknown;
  readonly annotations?: { readonly title?: string };
}

/** The tools of a deployment, for people to read. */
export const listTools = async (
  ports: Pick<Ports, 'searchIndexes' | 'toolIndexes'>,
  deployment: Deployment,
): Promise<readonly ListedTool[]> => {
  const { tools }: { tools: readonly ListedTool[] } = JSON.parse(
    await listByMode(ports, deployment),
  );
  return tools;
};
