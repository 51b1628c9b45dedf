import {
  compileTools,
  type Description,
  readDescription,
  selectOperations,
} from '../../domain/openapi/index.ts';
import { ApiRefusal, type Finding } from '../../domain/refusal.ts';
import { NoAnswer } from '../../domain/target.ts';
import type { ToolIndex } from '../../domain/tool-index.ts';
import type { Ports } from '../../ports.ts';

export type CompileDescriptionPorts = Pick<Ports, 'settings' | 'web'>;

export interface DescriptionSource {
  /** The description as it was sent, JSON or YAML; or where to get it. */
  readonly openapi: string | Uint8Array | { readonly url: string };
  readonly apiBaseUrl?: string | undefined;
  readonly serverVariables?: Readonly<Record<string, string>> | undefined;
  /** Each entry `tag:NAME`, `METHOD /path` or an operationId. Source: D41. */
  readonly operations?:
    { readonly include: readonly string[]; readonly exclude: readonly string[] } | undefined;
}

export interface CompiledDescription {
  readonly text: string;
  readonly title: string;
  readonly index: ToolIndex;
  readonly apiBaseUrl: string;
  readonly warnings: readonly Finding[];
  /** Whether the number of schema keys lets the version stand in the table. Source: D31. */
  readonly inline: boolean;
}

/**
 * Makes tools of a description, without storing anything.
 *
 * @throws ApiRefusal that says where the description is wrong and what to do
 */
export const compileDescription = async (
  { settings, web }: CompileDescriptionPorts,
  source: DescriptionSource,
): Promise<CompiledDescription> => {
  const { limits } = settings;
  const { openapi } = source;
  const url = isUrlSource(openapi) ? openapi.url : undefined;
  const bytes = isUrlSource(openapi)
    ? await download(web, openapi.url, limits.openapi_max_bytes, limits.target_timeout_seconds)
    : openapi;

  const description = readDescription(bytes, {
    maxBytes: limits.openapi_max_bytes,
    maxDepth: limits.openapi_max_depth,
  });
  const operations = selectOperations(
    description,
    source.operations ?? { include: [], exclude: [] },
    limits.endpoints_per_deployment,
  );
  const compiled = compileTools(description, operations, {
    serverBase: {
      ...(source.apiBaseUrl === undefined ? {} : { apiBaseUrl: source.apiBaseUrl }),
      ...(url === undefined ? {} : { openapiUrl: url }),
      ...(source.serverVariables === undefined ? {} : { serverVariables: source.serverVariables }),
    },
  });

  return {
    text: typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes),
    title: titleOf(description),
    index: compiled.index,
    apiBaseUrl: compiled.apiBaseUrl,
    warnings: [...description.warnings, ...compiled.warnings],
    inline: description.schemaKeys < limits.openapi_inline_schema_keys,
  };
};

const isUrlSource = (openapi: DescriptionSource['openapi']): openapi is { readonly url: string } =>
  typeof openapi === 'object' && 'url' in openapi;

const download = async (
  web: Ports['web'],
  url: string,
  maxBytes: number,
  timeoutSeconds: number,
): Promise<Uint8Array> => {
  const answer = await web.fetch(url, { maxBytes, timeoutSeconds }).catch((error: unknown) => {
    if (!(error instanceof NoAnswer)) throw error;
    throw error.reason === 'too_large'
      ? new ApiRefusal('description_too_large', `The description is larger than ${maxBytes} bytes.`)
      : unreachable(`nobody answered (${error.reason})`);
  });
  if (answer.status !== 200) throw unreachable(`it answered HTTP ${answer.status}`);
  return answer.body;
};

const unreachable = (what: string): ApiRefusal =>
  new ApiRefusal('description_unreachable', 'The description could not be fetched.', [
    {
      where: '/openapi_url',
      what,
      mend: 'Check that the address is public, uses https and answers 200, or send the description itself.',
    },
  ]);

const titleOf = ({ root }: Description): string => {
  const info = root['info'];
  const title = typeof info === 'object' && info !== null && 'title' in info ? info['title'] : '';
  return typeof title === 'string' ? title.trim().slice(0, 200) : '';
};
