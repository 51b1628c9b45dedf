import type { Placement, Room } from '../domain/resources/placement.ts';
import type { Prompt, Resource } from '../domain/deployments/deployment.ts';

/**
 * What a deployment holds of one kind, known by name. Names, uris and limits hold exactly, however many
 * write at once.
 */
export interface NamedContents<Content> {
  list(deploymentId: string): Promise<readonly Content[]>;
  find(deploymentId: string, name: string): Promise<Content | undefined>;
  create(deploymentId: string, content: Content, room: Room): Promise<Placement>;
  /** @param revisions - of what may be replaced; any if omitted. See `contentRevision` */
  replace(
    deploymentId: string,
    content: Content,
    room: Room,
    revisions?: readonly string[],
  ): Promise<Placement | 'missing' | 'stale'>;
  remove(
    deploymentId: string,
    name: string,
    revisions?: readonly string[],
  ): Promise<'removed' | 'missing' | 'stale'>;
}

export type Resources = NamedContents<Resource>;
export type Prompts = NamedContents<Prompt>;
