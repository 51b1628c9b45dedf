import { decodedText } from '../../cli/text/words.ts';
import { member } from '../../layers/platform/rules/json/json.ts';
import { readFile } from 'node:fs/promises';
import type { WantedPublication } from './options.ts';
import type { Service } from './service.ts';
import { inWords, StartRefused } from './start-refused.ts';

export interface Finding {
  readonly where: string;
  readonly what: string;
  readonly hint: string;
}

export interface Announceable {
  readonly slug: string;
  readonly toolCount: number;
  readonly mcpUrl: string;
  readonly authMethod: WantedPublication['authMethod'];
}

export interface Published {
  readonly deployment: Announceable & {
    readonly version: number;
    readonly toolMode: 'operations' | 'search';
    readonly apiBaseUrl: string;
  };
  readonly created: boolean;
  /** False if exactly this was published before. */
  readonly changed: boolean;
  readonly warnings: readonly Finding[];
}

export interface Refused {
  readonly code: string;
  readonly description: string;
  readonly findings: readonly Finding[];
}

/** The text of a description, or the address where the service reads it. */
export type DescriptionSource = { readonly openapi: string } | { readonly openapiUrl: string };

/** @throws StartRefused if the file cannot be read */
export const readSource = async ({ source }: WantedPublication): Promise<DescriptionSource> =>
  'url' in source ? { openapiUrl: source.url } : { openapi: await readText(source.file) };

/** @throws StartRefused if it cannot be read, or is no text */
export const readText = async (file: string | URL): Promise<string> => {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new StartRefused(`The description ${file} cannot be read: ${inWords(error)}.`);
  });
  const text = decodedText(bytes);
  if (text === undefined) {
    throw new StartRefused(
      `The description ${file} cannot be read: it is not UTF-8 text. Save it as UTF-8.`,
    );
  }
  return text;
};

/** Publishes what the command line names. @throws StartRefused with every finding of a refusal */
export const publishWanted = async (
  service: Service,
  ownerId: string,
  { include, exclude, source: named, slug, authMethod, apiBaseUrl, toolMode }: WantedPublication,
  source: DescriptionSource,
): Promise<Published> => {
  const answer = (await service.invoke('management', {
    operator: 'publish',
    ownerId,
    // The owner that the first start creates is on plan `pro`.
    ownerPlan: 'pro',
    slug,
    authMethod,
    apiBaseUrl,
    toolMode,
    operations: include.length + exclude.length > 0 ? { include, exclude } : undefined,
    ...source,
  })) as (Published & { readonly ok: true }) | (Refused & { readonly ok: false });
  if (answer.ok) return answer;
  throw notPublished('url' in named ? named.url : named.file, answer);
};

export const notPublished = (
  name: string,
  { code, description, findings }: Refused,
): StartRefused => {
  const hint = member(HINTS, code);
  const lines = [
    `The description ${name} was not published: ${description}`,
    ...findings.map(findingText),
    ...(hint === undefined ? [] : [hint]),
  ];
  return new StartRefused(lines.join('\n'));
};

/** One finding as an indented line. It may quote the description, which must not command the terminal. */
export const findingText = ({ where, what, hint }: Finding): string => {
  const place = where === '' ? '' : `at ${where}: `;
  const sentence = /[.!?]$/.test(what) ? what : `${what}.`;
  return `  ${place}${sentence} ${hint}`.trimEnd().replaceAll(/\p{Cc}/gu, ' ');
};

/** Advice for this command line, by the code of the refusal. */
const HINTS: Readonly<Record<string, string>> = {
  slug_taken: 'Choose another name with --slug NAME.',
  too_many_operations:
    'Choose operations with --include and --exclude, or take all of them with --tool-mode search, or raise endpoints_per_deployment in HOSTED_MCP_LIMITS.',
};
