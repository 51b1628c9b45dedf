import type { Deployment } from '../domain/deployment.ts';
import type { Page, PageQuery } from './management.ts';

/** The read side of deployments. */
export interface Deployments {
  /** May be up to 15 s old. `undefined`: no such slug. */
  find(slug: string): Promise<Deployment | undefined>;
  /** Whether `find` would answer from memory, so that nothing has to be done while it reads. */
  knows(slug: string): boolean;
  /** For a person to choose from: paused ones too, the newest first. May lag behind a moment; `find` decides. */
  listByOwner(ownerId: string): Promise<readonly Deployment[]>;
}

/** The write side, as the management function has it. Reads are strongly consistent. */
export interface DeploymentEditor {
  read(slug: string): Promise<Deployment | undefined>;
  /** @returns false if the slug is taken */
  create(deployment: Deployment): Promise<boolean>;
  /** Writes if the stored item still has `revision - 1`. @returns false if it was changed meanwhile */
  replace(deployment: Deployment): Promise<boolean>;
  /** Does nothing if the slug is free, or is another deployment's by now. */
  remove(deployment: Pick<Deployment, 'id' | 'slug'>): Promise<void>;
  /** The newest first, those that are being removed too. May lag behind a moment. */
  listByOwner(ownerId: string, page: PageQuery): Promise<Page<Deployment>>;
  /** Every deployment, in no order: for the sweep. */
  all(): AsyncIterable<Deployment>;
}
