import type { ContentLimits, Placement } from '../rules/placement.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';
import { ApiRefusal, type Finding } from '../../platform/rules/refusal/api-refusal.ts';
import type { LimitName } from '../../limits/rules/limits.ts';
import type { NamedContents } from '../rules/named-contents.ts';
import type { ContentsPorts } from '../ports.ts';
import type { DeploymentsPorts } from '../../deployments/ports.ts';
import type { LimitsSettings } from '../../limits/ports.ts';
import {
  noDeployment,
  type Owned,
  ownedDeployment,
} from '../../deployments/steps/owned-deployment.ts';
import { checkValues, type GivenValues } from '../rules/check-values.ts';
import type { Prompt, Resource } from '../rules/contents.ts';
import { checkResource } from '../resources/check-resource.ts';
import { checkPrompt } from '../prompts/check-prompt.ts';
import { type RenderedPrompt, renderPrompt } from '../prompts/prompt.ts';
import { RpcRefusal } from '../../platform/rules/refusal/rpc-refusal.ts';

export type ContentPorts = Pick<DeploymentsPorts, 'deploymentEditor'> & {
  readonly settings: LimitsSettings;
};

type Revisions = readonly string[] | undefined;

export interface ContentKind<Content> {
  readonly what: string;
  readonly countLimit: LimitName;
  readonly bytesLimit?: LimitName;
  /** @throws ApiRefusal */
  check(content: Content): void;
}

/** Operations of owners on one kind of contents. A deployment of another owner is not found, like an unknown name. */
export const contentsOf = <Content extends { readonly name: string }>(
  ports: ContentPorts,
  store: NamedContents<Content>,
  kind: ContentKind<Content>,
) => {
  const contentLimits = (): ContentLimits => ({
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
        throw full(
          kind.countLimit,
          `has ${contentLimits().maxCount} ${kind.what}s, the most it may have`,
        );
      case 'no_deployment':
        throw noDeployment();
      case 'too_much':
        throw full(
          kind.bytesLimit ?? kind.countLimit,
          `may hold ${contentLimits().maxBytes} bytes in all of its ${kind.what}s`,
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
    check: (content: Content): void => kind.check(content),

    list: async (owned: Owned): Promise<readonly Content[]> =>
      store.list((await ownedDeployment(ports, owned)).id),

    /** @throws ApiRefusal not_found */
    find: async (owned: Owned, name: string): Promise<Content> => (await found(owned, name))[1],

    /** @throws ApiRefusal not_found, invalid_request, conflict, limit_reached */
    create: async (owned: Owned, content: Content): Promise<Content> => {
      const deployment = await ownedDeployment(ports, owned);
      kind.check(content);
      placed(await store.create(deployment, content, contentLimits()), content);
      return content;
    },

    /** @throws ApiRefusal not_found, stale, invalid_request, conflict, limit_reached */
    replace: async (owned: Owned, content: Content, revisions: Revisions): Promise<Content> => {
      const [deployment] = await found(owned, content.name);
      kind.check(content);
      placed(await store.replace(deployment, content, contentLimits(), revisions), content);
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

export type OwnedContents<Content extends { readonly name: string }> = ReturnType<
  typeof contentsOf<Content>
>;

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

/** Resources with the time of their last write. Source: docs/protocol.md, "Resources". */
export const ownResources = (ports: ContentPorts & Pick<ContentsPorts, 'clock' | 'resources'>) => {
  const resources = contentsOf<Resource>(ports, ports.resources, {
    what: 'resource',
    countLimit: 'resources_per_deployment',
    bytesLimit: 'resources_total_max_bytes',
    check: (resource) => {
      const { limits } = ports.settings;
      checkResource(resource, limits.resource_max_bytes);
      checkValues(variableValues(resource), limits);
    },
  });
  const { create, replace } = resources;
  const written = (resource: Resource) => ({ ...resource, updatedAt: ports.clock.now() });

  return {
    ...resources,

    create: ((owned, resource) => create(owned, written(resource))) satisfies typeof create,

    replace: ((owned, resource, revisions) =>
      replace(owned, written(resource), revisions)) satisfies typeof replace,
  };
};

const variableValues = ({ variables = [] }: Resource): readonly GivenValues[] =>
  variables.map(({ values }, index) => ({ at: ['variables', index, 'values'], values }));

/** Prompts, which can also be rendered for their owner. Source: docs/protocol.md, "Prompts". */
export const ownPrompts = (ports: ContentPorts & Pick<ContentsPorts, 'prompts'>) => {
  const check = (prompt: Prompt): void => {
    const { limits } = ports.settings;
    checkPrompt(prompt, limits.prompt_template_max_bytes);
    checkValues(argumentValues(prompt), limits);
  };
  const prompts = contentsOf<Prompt>(ports, ports.prompts, {
    what: 'prompt',
    countLimit: 'prompts_per_deployment',
    check,
  });

  return {
    ...prompts,

    /** Renders a prompt as for a client. @throws ApiRefusal not_found, invalid_request naming each wrong argument */
    render: async (owned: Owned, name: string, args: unknown): Promise<RenderedPrompt> =>
      rendered(await prompts.find(owned, name), args),

    /** Renders without storing. @throws ApiRefusal not_found, and whatever storing the prompt would be refused with */
    preview: async (owned: Owned, prompt: Prompt, args: unknown): Promise<RenderedPrompt> => {
      await ownedDeployment(ports, owned);
      check(prompt);
      return rendered(prompt, args);
    },
  };
};

const rendered = (prompt: Prompt, args: unknown): RenderedPrompt => {
  try {
    return renderPrompt(prompt, args);
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error;
    throw new ApiRefusal('invalid_request', error.description, findingsOf(error), error.why);
  }
};

const argumentValues = ({ arguments: declared }: Prompt): readonly GivenValues[] =>
  declared.map(({ values = [] }, index) => ({ at: ['arguments', index, 'values'], values }));

const findingsOf = ({ data }: RpcRefusal): readonly Finding[] => {
  const errors = (data?.['errors'] ?? []) as readonly { path: string; message: string }[];
  return errors.map(({ path, message }) => ({
    where: path,
    what: message,
    hint: 'Send a text for each argument that the prompt requires.',
  }));
};

/** A name cannot be changed. @throws ApiRefusal invalid_request */
export const checkSameName = (name: string, sent: string | undefined): void => {
  if (sent === undefined || sent === name) return;
  throw new ApiRefusal('invalid_request', 'A name cannot be changed.', {
    where: '/name',
    what: 'another name than that of the path',
    hint: 'Leave it out, or add a new one under this name and remove the old one.',
  });
};
