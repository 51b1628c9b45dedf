import {
  compileTools,
  type ServerBase,
  type Description,
  readDescription,
  selectOperations,
} from '../../domain/openapi/index.ts';
import { applyOverrides } from '../../domain/deployments/index.ts';
import type { PublicationSettings } from '../../domain/publication.ts';
import { ApiRefusal, type Finding } from '../../domain/refusal.ts';
import { NoAnswer } from '../../domain/target.ts';
import type { ToolIndex } from '../../domain/tool-index.ts';
import type { Ports } from '../../ports.ts';
import { checkFixed } from './check-fixed.ts';

export type CompileDescriptionPorts = Pick<Ports, 'settings' | 'web'>;

/** A description as it was sent, JSON or YAML; or where to get it. */
export type DescriptionSource = string | Uint8Array | { readonly url: string };

export interface CompiledDescription {
  readonly text: string;
  readonly title: string;
  readonly index: ToolIndex;
  readonly apiBaseUrl: string;
  readonly warnings: readonly Finding[];
  /** As given, and where the description came from. */
  readonly publication: PublicationSettings;
  /** Whether the number of schema keys lets the version stand in the table. Source: D31. */
  readonly inline: boolean;
}

/**
 * Makes tools of a description as its owner wants them, without storing anything.
 *
 * @throws ApiRefusal that says where the description is wrong and what to do
 */
export const compileDescription = async (
  { settings, web }: CompileDescriptionPorts,
  source: DescriptionSource,
  wanted: PublicationSettings,
): Promise<CompiledDescription> => {
  const { limits } = settings;
  const publication = isUrlSource(source) ? { ...wanted, sourceUrl: source.url } : wanted;
  const bytes = isUrlSource(source)
    ? await download(web, source.url, limits.openapi_max_bytes, limits.target_timeout_seconds)
    : source;

  const description = readDescription(bytes, {
    maxBytes: limits.openapi_max_bytes,
    maxDepth: limits.openapi_max_depth,
  });
  const operations = selectOperations(
    description,
    publication.operations ?? { include: [], exclude: [] },
    limits.endpoints_per_deployment,
  );
  const compiled = compileTools(description, operations, {
    serverBase: serverBase(publication),
  });
  const { index, warnings } = applyOverrides(compiled.index, publication.overrides);
  checkFixed(compiled.index, index);

  return {
    text: typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes),
    title: titleOf(description),
    index,
    apiBaseUrl: compiled.apiBaseUrl,
    warnings: capped([...warnings, ...description.warnings, ...compiled.warnings]),
    publication,
    inline: description.schemaKeys < limits.openapi_inline_schema_keys,
  };
};

/** They are stored with the version, and shown with the deployment. */
const MAX_WARNINGS = 200;

const capped = (warnings: readonly Finding[]): readonly Finding[] => {
  const more = warnings.length - MAX_WARNINGS;
  if (more <= 0) return warnings;
  const what = `there are ${more} more warnings`;
  return [
    ...warnings.slice(0, MAX_WARNINGS),
    { where: '', what, mend: 'Mend the ones listed first.' },
  ];
};

const serverBase = ({
  apiBaseUrl,
  sourceUrl,
  serverVariables,
}: PublicationSettings): ServerBase => ({
  ...(apiBaseUrl !== undefined && { apiBaseUrl }),
  ...(sourceUrl !== undefined && { openapiUrl: sourceUrl }),
  ...(serverVariables && { serverVariables }),
});

const isUrlSource = (source: DescriptionSource): source is { readonly url: string } =>
  typeof source === 'object' && 'url' in source;

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
