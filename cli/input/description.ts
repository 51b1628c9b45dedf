import { type Ask, textFrom } from './ask.ts';
import type { Context } from '../command.ts';
import { DescriptionFault } from '../descriptions/description-fault.ts';
import { prepareDescription } from '../descriptions/prepare-description.ts';
import { EXIT, Failure, type Finding, usageFailure } from '../failure.ts';
import type { Json } from '../json.ts';
import { headersFrom } from './arguments.ts';

export const DESCRIPTION_OPTIONS = {
  root: { value: 'DIR', help: 'where the files lie that it refers to; if omitted, its own folder' },
  'fetch-refs': { help: 'fetch what it refers to by https as well' },
  'fetch-header': {
    value: 'NAME:TEXT',
    multiple: true,
    help: 'of a URL: a header that the service fetches it with, this once',
  },
  strict: {
    help: 'refuse violations of the OpenAPI specification, which otherwise are only reported',
  },
} as const;

export interface DescriptionChoices {
  readonly root: string | undefined;
  readonly 'fetch-refs': boolean;
  readonly strict: boolean;
  readonly 'fetch-header'?: readonly string[];
  /** Called with each file that the description refers to, before reading and even if missing. */
  readonly onFile?: (path: string) => void;
}

export interface GivenDescription {
  readonly json: Json;
  readonly bundled: readonly string[];
  readonly findings: readonly Finding[];
}

/** The service itself reads URLs. @throws Failure refused, with each place, and usage */
export const descriptionFrom = async (
  context: Pick<Context, 'ask' | 'output' | 'world'>,
  source: string,
  choices: DescriptionChoices,
): Promise<GivenDescription> => {
  if (/^https?:\/\//i.test(source)) {
    const { root, strict, 'fetch-refs': fetchRefs } = choices;
    if (root !== undefined || strict || fetchRefs) {
      throw usageFailure(
        '--root, --fetch-refs and --strict are for files: a URL is read by the service.',
      );
    }
    const headers = headersFrom('--fetch-header', choices['fetch-header'] ?? []);
    const json = { openapi_url: source, ...(headers && { openapi_headers: headers }) };
    return { json, bundled: [], findings: [] };
  }
  if ((choices['fetch-header'] ?? []).length > 0) {
    throw usageFailure('--fetch-header is for a URL.');
  }
  const { text, bundled, findings } = await preparedFrom(context, source, choices);
  if (bundled.length > 0) context.output.note(`Bundled into one: ${bundled.join(', ')}`);
  return { json: { openapi: text }, bundled, findings };
};

/** Violations of the OpenAPI specification. @throws Failure */
export const specificationFindings = async (
  context: Pick<Context, 'ask' | 'world'>,
  file: string,
): Promise<readonly Finding[]> => {
  const choices = { root: undefined, 'fetch-refs': false, strict: false };
  return (await preparedFrom(context, file, choices)).findings;
};

const preparedFrom = async (
  { ask, world }: { readonly ask: Ask; readonly world: Context['world'] },
  source: string,
  { root, strict, 'fetch-refs': fetchRefs, onFile }: DescriptionChoices,
) => {
  const text = await textFrom(ask, source);
  const file = source === '-' ? undefined : source;
  const { fetch } = world;
  return prepareDescription({ text, file }, { root, fetchRefs, strict, fetch, onFile }).catch(
    (error: unknown) => {
      if (!(error instanceof DescriptionFault)) throw error;
      const { message, findings } = error;
      throw new Failure(EXIT.refused, 'description_refused', message, { findings });
    },
  );
};
