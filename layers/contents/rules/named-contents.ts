import type { Deployment } from '../../deployments/rules/deployment.ts';
import type { ContentLimits, Placement } from './placement.ts';
import type { Resource, Prompt } from './contents.ts';
/** The deployment of contents. Its own item counts those that have completion values. */
export type ContentHome = Pick<Deployment, 'id' | 'slug'>;

/** Contents of one kind by name. Unique names and uris, limits and counts hold under concurrent writes. */
export interface NamedContents<Content> {
  list(deploymentId: string): Promise<readonly Content[]>;
  find(deploymentId: string, name: string): Promise<Content | undefined>;
  create(home: ContentHome, content: Content, room: ContentLimits): Promise<Placement>;
  /** @param revisions - that may be replaced, as `contentRevision` gives them; any if omitted */
  replace(
    home: ContentHome,
    content: Content,
    room: ContentLimits,
    revisions?: readonly string[],
  ): Promise<Placement | 'missing' | 'stale'>;
  remove(
    home: ContentHome,
    name: string,
    revisions?: readonly string[],
  ): Promise<'removed' | 'missing' | 'stale'>;
}

export interface Resources extends NamedContents<Resource> {
  findByUri(deploymentId: string, uri: string): Promise<Resource | undefined>;
}

export type Prompts = NamedContents<Prompt>;
