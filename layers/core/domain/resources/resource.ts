import type { Resource } from '../deployments/deployment.ts';
import { RpcRefusal } from '../refusal.ts';
import { fill } from './fill.ts';
import { matchTemplate } from './match-template.ts';
import { isTemplate } from './uri-template.ts';

interface Described {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType: string;
}

/** An item of `resources/list`. What the owner left out is absent. */
export interface ListedResource extends Described {
  readonly uri: string;
}

/** An item of `resources/templates/list`. */
export interface ListedResourceTemplate extends Described {
  readonly uriTemplate: string;
}

/** An entry of `contents` in the result of `resources/read`. */
export type ResourceContents =
  | { readonly uri: string; readonly mimeType: string; readonly text: string }
  | { readonly uri: string; readonly mimeType: string; readonly blob: string };

export const listResources = (resources: readonly Resource[]): ListedResource[] =>
  resources
    .filter(({ uri }) => !isTemplate(uri))
    .map((resource) => ({ uri: resource.uri, ...described(resource) }));

export const listResourceTemplates = (resources: readonly Resource[]): ListedResourceTemplate[] =>
  resources
    .filter(({ uri }) => isTemplate(uri))
    .map((resource) => ({ uriTemplate: resource.uri, ...described(resource) }));

/**
 * Answers `resources/read`: the resource of just that uri, otherwise the first template that matches, with the
 * variables filled into its text.
 *
 * @param uri - `params.uri` as it was sent
 * @throws RpcRefusal `invalid_params` if it is no string, `resource_not_found` with `data.uri`
 * Source: docs/protocol.md, "Resources".
 */
export const readResource = (resources: readonly Resource[], uri: unknown): ResourceContents => {
  if (typeof uri !== 'string') {
    const errors = [
      { path: '/uri', message: uri === undefined ? 'is required' : 'must be a string' },
    ];
    throw new RpcRefusal('invalid_params', 'resources/read needs a uri, a string.', { errors });
  }
  const exact = resources.find((resource) => resource.uri === uri && !isTemplate(uri));
  if (exact) return contents(exact, uri, exact.content);

  for (const resource of resources) {
    const variables = isTemplate(resource.uri) ? matchTemplate(resource.uri, uri) : undefined;
    if (variables) return contents(resource, uri, fill(resource.content, variables));
  }
  throw unknownResource(uri);
};

/** Source: docs/protocol.md, "Resources". */
export const unknownResource = (uri: string): RpcRefusal =>
  new RpcRefusal('resource_not_found', 'There is no resource with this uri.', { uri });

const contents = (resource: Resource, uri: string, content: string): ResourceContents => {
  const mimeType = mimeTypeOf(resource);
  return resource.encoding === 'base64'
    ? { uri, mimeType, blob: resource.content }
    : { uri, mimeType, text: content };
};

const described = (resource: Resource): Described => ({
  name: resource.name,
  ...(resource.title !== undefined && { title: resource.title }),
  ...(resource.description !== undefined && { description: resource.description }),
  mimeType: mimeTypeOf(resource),
});

const mimeTypeOf = ({ mimeType, encoding }: Resource): string =>
  mimeType ?? (encoding === 'base64' ? 'application/octet-stream' : 'text/plain');
