import type { Deployment } from '../../deployments/rules/deployment.ts';
import type { ContentLimits, Placement } from './placement.ts';
import type { Resource, Prompt } from './contents.ts';
/** Where contents belong: whether anything can be completed stands with the deployment itself. */
export type ContentHome = Pick<Deployment, 'id' | 'slug'>;

/**
 * What a deployment holds of one kind, known by name. Names, uris and limits hold exactly, however many
 * write at once, and so does the number of those that have values for completion.
 */
export interface NamedContents<Content> {
  list(deploymentId: string): Promise<readonly Content[]>;
  find(deploymentId: string, name: string): Promise<Content | undefined>;
  create(home: ContentHome, content: Content, room: ContentLimits): Promise<Placement>;
  /** @param revisions - of what may be replaced; any if omitted. See `contentRevision` */
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
