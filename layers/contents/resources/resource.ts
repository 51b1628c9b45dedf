import type { Resource } from '../rules/contents.ts';
import type { ProtocolVersion } from '../../platform/rules/protocol-versions.ts';
import { RpcRefusal } from '../../platform/rules/refusal/rpc-refusal.ts';
import { timeOf } from '../../platform/rules/time.ts';
import { matchTemplate } from './match-template.ts';
import { isTemplate } from './uri-template.ts';

export type ResourceContents =
  | { readonly uri: string; readonly mimeType: string; readonly text: string }
  | { readonly uri: string; readonly mimeType: string; readonly blob: string };

/** From this version on, the service adds sizes and times; earlier clients see only what the owner wrote. */
const FIRST_TO_MEASURE: ProtocolVersion = '2025-06-18';

export const listResources = (resources: readonly Resource[], version: ProtocolVersion) =>
  resources
    .filter(({ uri }) => !isTemplate(uri))
    .map((resource) => ({
      uri: resource.uri,
      ...described(resource, version),
      ...(version >= FIRST_TO_MEASURE && { size: sizeOf(resource) }),
    }));

export const listResourceTemplates = (resources: readonly Resource[], version: ProtocolVersion) =>
  resources
    .filter(({ uri }) => isTemplate(uri))
    .map((resource) => ({ uriTemplate: resource.uri, ...described(resource, version) }));

/**
 * Answers `resources/read`: the resource with exactly this uri, otherwise the first template that matches, with the
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
export const unknownResource = (
  uri: string,
  text = 'There is no resource with this uri.',
): RpcRefusal => new RpcRefusal('resource_not_found', text, { uri });

const contents = (resource: Resource, uri: string, content: string): ResourceContents => {
  const mimeType = mimeTypeOf(resource);
  return resource.encoding === 'base64'
    ? { uri, mimeType, blob: resource.content }
    : { uri, mimeType, text: content };
};

const described = (resource: Resource, version: ProtocolVersion) => ({
  name: resource.name,
  ...(resource.title !== undefined && { title: resource.title }),
  ...(resource.description !== undefined && { description: resource.description }),
  mimeType: mimeTypeOf(resource),
  ...annotated(resource, version),
});

/** Source: `Annotations` in the schemas of MCP 2025-03-26 and 2025-06-18 (`lastModified`). */
const annotated = ({ audience, priority, updatedAt }: Resource, version: ProtocolVersion) => {
  const annotations = {
    ...(audience && { audience }),
    ...(priority !== undefined && { priority }),
    ...(updatedAt !== undefined &&
      version >= FIRST_TO_MEASURE && { lastModified: timeOf(updatedAt) }),
  };
  return Object.keys(annotations).length > 0 ? { annotations } : {};
};

const sizeOf = ({ content, encoding }: Resource): number =>
  Buffer.byteLength(content, encoding === 'base64' ? 'base64' : 'utf8');

const mimeTypeOf = ({ mimeType, encoding }: Resource): string =>
  mimeType ?? (encoding === 'base64' ? 'application/octet-stream' : 'text/plain');

/** Characters that filled-in values may add to a document. */
export const MAX_FILLED_CHARACTERS = 1_048_576;

/**
 * Fills the variables of a URI template into the content: `{{name}}` becomes the value. Other names in double braces
 * stay as they are, since a document may be about templates. Values are never read as template.
 *
 * @throws RpcRefusal `invalid_params` beyond `MAX_FILLED_CHARACTERS`
 * Source: docs/protocol.md, "Resources".
 */
export const fill = (content: string, variables: Readonly<Record<string, string>>): string => {
  let left = MAX_FILLED_CHARACTERS;
  return content.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (place, name: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value === undefined) return place;
    left -= value.length;
    if (left < 0) throw new RpcRefusal('invalid_params', 'The filled-in document is too long.');
    return value;
  });
};
