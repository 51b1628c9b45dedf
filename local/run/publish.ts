import { readFile } from 'node:fs/promises';
import { SAMPLE_DESCRIPTION } from '../sample/index.ts';
import type { WantedPublication } from './options.ts';
import type { Service } from './service.ts';
import { inWords, StartRefused } from './start-refused.ts';

export interface Finding {
  readonly where: string;
  readonly what: string;
  readonly hint: string;
}

export interface Published {
  readonly deployment: {
    readonly slug: string;
    readonly version: number;
    readonly toolCount: number;
    readonly toolMode: 'operations' | 'search';
    readonly mcpUrl: string;
    readonly authMethod: WantedPublication['authMethod'];
    readonly apiBaseUrl: string;
  };
  readonly created: boolean;
  /** False if exactly this was published already. */
  readonly changed: boolean;
  readonly warnings: readonly Finding[];
}

interface Refused {
  readonly ok: false;
  readonly code: string;
  readonly description: string;
  readonly findings: readonly Finding[];
}

/** The text of a description, or where the service gets it. */
export type DescriptionSource = { readonly openapi: string } | { readonly openapiUrl: string };

/** @throws StartRefused if the file cannot be read */
export const readSource = async ({ source }: WantedPublication): Promise<DescriptionSource> =>
  'url' in source ? { openapiUrl: source.url } : { openapi: await readText(source.file) };

const readText = async (file: string | URL): Promise<string> => {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new StartRefused(`The description ${file} cannot be read: ${inWords(error)}.`);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new StartRefused(`The description ${file} cannot be read: it is no UTF-8 text.`);
  }
};

/** Publishes what the command line names. @throws StartRefused with every finding of a refusal */
export const publishWanted = (
  service: Service,
  ownerId: string,
  wanted: WantedPublication,
  source: DescriptionSource,
): Promise<Published> => {
  const { slug, authMethod, apiBaseUrl, include, exclude, toolMode } = wanted;
  const name = 'url' in wanted.source ? wanted.source.url : wanted.source.file;
  const operations = include.length + exclude.length > 0 ? { include, exclude } : undefined;
  return publish(service, ownerId, name, {
    slug,
    authMethod,
    apiBaseUrl,
    operations,
    toolMode,
    ...source,
  });
};

/** Nobody's account: the sample takes no name from the owner, nor a place among their deployments. */
const SAMPLE_OWNER = 'sample';

/** Publishes the sample, unless exactly it is there already. */
export const publishSample = async (service: Service): Promise<Published> =>
  publish(service, SAMPLE_OWNER, 'of the sample', {
    slug: 'sample',
    authMethod: 'none',
    apiBaseUrl: service.sampleApiUrl,
    openapi: await readText(SAMPLE_DESCRIPTION),
  });

const publish = async (
  service: Service,
  ownerId: string,
  name: string,
  wanted: object,
): Promise<Published> => {
  // The owner that the first start creates is on plan `pro`.
  const command = { operator: 'publish', ownerId, ownerPlan: 'pro', ...wanted };
  const answer = (await service.invoke('management', command)) as
    (Published & { readonly ok: true }) | Refused;
  if (answer.ok) return answer;
  throw new StartRefused(refusalText(name, answer));
};

const refusalText = (name: string, { code, description, findings }: Refused): string => {
  const hint = HINTS[code];
  return [
    `The description ${name} was not published: ${description}`,
    ...findings.map(findingText),
    ...(hint === undefined ? [] : [hint]),
  ].join('\n');
};

/** One finding as an indented line. It may quote the description, which must not command the terminal. */
export const findingText = ({ where, what, hint }: Finding): string => {
  const place = where === '' ? '' : `at ${where}: `;
  const sentence = /[.!?]$/.test(what) ? what : `${what}.`;
  return `  ${place}${sentence} ${hint}`.trimEnd().replaceAll(/\p{Cc}/gu, ' ');
};

/** What to do on this command line. */
const HINTS: Readonly<Record<string, string>> = {
  slug_taken: 'Choose another name with --slug NAME.',
  too_many_operations:
    'Choose operations with --include and --exclude, or take all of them with --tool-mode search, or raise endpoints_per_deployment in HOSTED_MCP_LIMITS.',
};
