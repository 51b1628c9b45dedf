import { DescriptionFault } from '../../cli/descriptions/description-fault.ts';
import { prepareDescription } from '../../cli/descriptions/prepare-description.ts';
import { descriptionWarnings } from '../../cli/text/description-warnings.ts';
import type { WantedPublication } from './options.ts';
import {
  type DescriptionSource,
  type Finding,
  findingText,
  type Published,
  publishWanted,
} from './publish.ts';
import type { Service } from './service.ts';
import { StartRefused } from './start-refused.ts';

export interface PreparedSource {
  readonly source: DescriptionSource;
  /** Files and addresses that were bundled with the description. */
  readonly bundled: readonly string[];
  readonly findings: readonly Finding[];
}

/**
 * Makes one document of a description that refers to files beside it, as the command line does. A description at an
 * address is read by the service.
 * @throws StartRefused with each reference that leads nowhere, and with what `--strict` refuses
 */
export const prepareSource = async (
  { source: wanted, root, fetchRefs = false, strict = false }: WantedPublication,
  source: DescriptionSource,
): Promise<PreparedSource> => {
  if ('url' in wanted || !('openapi' in source)) return { source, bundled: [], findings: [] };
  const { file } = wanted;
  try {
    const how = { root, fetchRefs, strict, fetch };
    const prepared = await prepareDescription({ text: source.openapi, file }, how);
    const { text, bundled, findings } = prepared;
    return { source: { openapi: text }, bundled: bundled.map(plain), findings };
  } catch (error) {
    if (!(error instanceof DescriptionFault)) throw error;
    const findings = error.findings.map(findingText);
    throw new StartRefused([`The description ${file}: ${error.message}`, ...findings].join('\n'));
  }
};

/** Publishes it, with violations of the OpenAPI specification among the warnings. @throws StartRefused */
export const publishPrepared = async (
  service: Service,
  ownerId: string,
  wanted: WantedPublication,
  { source, findings }: PreparedSource,
): Promise<Published> => {
  const published = await publishWanted(service, ownerId, wanted, source);
  return { ...published, warnings: descriptionWarnings(published.warnings, findings) };
};

/** Removes control characters: a name may come from a stranger, and must not command the terminal. */
const plain = (name: string): string => name.replaceAll(/\p{Cc}/gu, ' ');
