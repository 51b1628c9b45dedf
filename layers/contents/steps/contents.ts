import type { Placement, ContentLimits } from '../rules/placement.ts';
import type { Deployment } from '../../servers/rules/deployment.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { LimitName } from '../../limits/rules/limits.ts';
import type { NamedContents } from '../rules/named-contents.ts';
import type { Ports } from '../../ports.ts';
import {
  noDeployment,
  type Owned,
  ownedDeployment,
} from '../../servers/steps/deployments/owned-deployment.ts';

export type ContentPorts = Pick<Ports, 'deploymentEditor' | 'settings'>;

/** What `If-Match` named. */
type Revisions = readonly string[] | undefined;

/** What one kind of contents is called, and its rules. */
export interface ContentKind<Content> {
  /** `resource` or `prompt`. */
  readonly what: string;
  readonly countLimit: LimitName;
  readonly bytesLimit?: LimitName;
  /** @throws ApiRefusal */
  check(content: Content): void;
}

/** The verbs of a kind of contents: a deployment of another owner, like an unknown name, is not found. */
export const contentsOf = <Content extends { readonly name: string }>(
  ports: ContentPorts,
  store: NamedContents<Content>,
  kind: ContentKind<Content>,
) => {
  const room = (): ContentLimits => ({
    maxCount: ports.settings.limits[kind.countLimit],
    maxBytes: kind.bytesLimit === undefined ? Infinity : ports.settings.limits[kind.bytesLimit],
  });

  const placed = (placement: Placement | 'missing' | 'stale', { name }: Content): void => {
    switch (placement) {
      case 'placed':
        return;
      case 'missing':
        throw missing(kind.what);
      case 'stale':
        throw stale(kind.what);
      case 'name_taken':
        throw taken('/name', `The deployment has a ${kind.what} named ${name} already.`);
      case 'uri_taken':
        throw taken('/uri', `Another ${kind.what} of the deployment has this uri.`);
      case 'too_many':
        throw full(kind.countLimit, `has ${room().maxCount} ${kind.what}s, the most it may have`);
      case 'no_deployment':
        throw noDeployment();
      case 'too_much':
        throw full(
          kind.bytesLimit ?? kind.countLimit,
          `may hold ${room().maxBytes} bytes in all of its ${kind.what}s`,
        );
    }
  };

  const found = async (owned: Owned, name: string): Promise<[Deployment, Content]> => {
    const deployment = await ownedDeployment(ports, owned);
    const content = await store.find(deployment.id, name);
    if (!content) throw missing(kind.what);
    return [deployment, content];
  };

  return {
    /** In the order of their names. */
    list: async (owned: Owned): Promise<readonly Content[]> =>
      store.list((await ownedDeployment(ports, owned)).id),

    /** @throws ApiRefusal not_found */
    find: async (owned: Owned, name: string): Promise<Content> => (await found(owned, name))[1],

    /** @throws ApiRefusal not_found, invalid_request, conflict, limit_reached */
    create: async (owned: Owned, content: Content): Promise<Content> => {
      const deployment = await ownedDeployment(ports, owned);
      kind.check(content);
      placed(await store.create(deployment, content, room()), content);
      return content;
    },

    /**
     * @param revisions - of what may be replaced; any if omitted
     * @throws ApiRefusal not_found, stale, invalid_request, conflict, limit_reached
     */
    replace: async (owned: Owned, content: Content, revisions: Revisions): Promise<Content> => {
      const [deployment] = await found(owned, content.name);
      kind.check(content);
      placed(await store.replace(deployment, content, room(), revisions), content);
      return content;
    },

    /** @throws ApiRefusal not_found, stale */
    remove: async (owned: Owned, name: string, revisions: Revisions): Promise<void> => {
      const deployment = await ownedDeployment(ports, owned);
      const outcome = await store.remove(deployment, name, revisions);
      if (outcome !== 'removed') throw outcome === 'stale' ? stale(kind.what) : missing(kind.what);
    },
  };
};

const missing = (what: string) =>
  new ApiRefusal('not_found', `The deployment has no ${what} of this name.`);

const stale = (what: string) =>
  new ApiRefusal('stale', `The ${what} was changed in the meantime: read it again.`);

const taken = (where: string, description: string) =>
  new ApiRefusal('conflict', description, [
    { where, what: 'taken', hint: 'Choose another, or replace the one that is there with PUT.' },
  ]);

const full = (limit: LimitName, what: string) =>
  new ApiRefusal(
    'limit_reached',
    `The deployment ${what} (limit ${limit}). Remove one first.`,
    [],
    limit,
    { limit },
  );
