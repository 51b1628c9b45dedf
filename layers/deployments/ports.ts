import type { PlatformPorts } from '../platform/ports.ts';
import type { SearchIndexes, ToolIndexes, ToolReports } from './rules/versions.ts';
import type { DeploymentEditor, Deployments } from './store/deployment-store.ts';
import type { UnfinishedRemovals } from './store/removals.ts';
import type { Invitations } from './store/invitations.ts';
import type { Refreshes } from './store/versions/refreshes.ts';
import type { Versions } from './store/versions/versions.ts';

export interface DeploymentsPorts extends PlatformPorts {
  readonly deployments: Deployments;
  readonly deploymentEditor: DeploymentEditor;
  readonly toolIndexes: ToolIndexes;
  readonly searchIndexes: SearchIndexes;
  readonly toolReports: ToolReports;
  readonly versions: Versions;
  readonly unfinishedRemovals: UnfinishedRemovals;
  readonly refreshes: Refreshes;
  readonly invitations: Invitations;
}
