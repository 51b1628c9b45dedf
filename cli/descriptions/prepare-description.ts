import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Finding } from '../failure.ts';
import { isJson } from '../json.ts';
import type { Fetch } from '../world.ts';
import { bundle } from './bundle.ts';
import { checkOpenApi } from './check-openapi.ts';
import { DescriptionFault } from './description-fault.ts';
import { expandedSize, MAX_EXPANDED_SIZE } from './expanded-size.ts';
import { addresses, filesBelow, readDocuments } from './read-documents.ts';

export interface Description {
  readonly text: string;
  /** Path of the description; undefined for standard input. */
  readonly file: string | undefined;
}

export interface Preparation {
  /** Folder that limits references; the description's own if omitted. */
  readonly root?: string | undefined;
  readonly fetchRefs: boolean;
  readonly strict: boolean;
  readonly fetch: Fetch;
  /** Called with each file that the description refers to, before reading and even if missing. */
  readonly onFile?: ((path: string) => void) | undefined;
}

export interface PreparedDescription {
  /** Text, unchanged if it is one document: the service reports its lines and columns. */
  readonly text: string;
  readonly bundled: readonly string[];
  readonly findings: readonly Finding[];
}

/** @throws DescriptionFault for a reference that leads nowhere, and for what `strict` refuses */
export const prepareDescription = async (
  description: Description,
  preparation: Preparation,
): Promise<PreparedDescription> => {
  const { text, bundled } = await bundledText(description, preparation);
  const { findings, unchecked } = await checkOpenApi(text);
  if (preparation.strict && unchecked !== undefined) {
    throw new DescriptionFault(`The description is not served with --strict: ${unchecked}.`);
  }
  if (preparation.strict && findings.length > 0) {
    throw new DescriptionFault('The description violates the OpenAPI specification.', findings);
  }
  return { text, bundled, findings };
};

const bundledText = async (
  { text, file }: Description,
  { root, fetchRefs, fetch, onFile }: Preparation,
): Promise<Pick<PreparedDescription, 'text' | 'bundled'>> => {
  const alone = { text, bundled: [] };
  const folder = root ?? (file === undefined ? undefined : dirname(file));
  if (folder === undefined || !(fetchRefs ? TO_OTHERS : TO_FILES).test(text)) return alone;
  // Standard input gets a name in the folder that no file has.
  const main = pathToFileURL(file === undefined ? resolve(folder, '-') : resolve(file)).href;
  const readers = {
    file: await filesBelow(folder, onFile),
    address: fetchRefs ? addresses(fetch) : undefined,
  };
  const documents = await readDocuments(main, text, readers);
  // An unreadable description goes to the service, which reports the line.
  if (!isJson(documents.get(main)) || documents.get(main) instanceof Error) return alone;
  try {
    const { description, documents: used } = bundle(main, documents);
    if (used.length === 0) return alone;
    return { text: jsonText(description), bundled: used.map((url) => fileName(url, folder)) };
  } catch (error) {
    if (!(error instanceof DescriptionFault)) throw error;
    throw new DescriptionFault(
      error.message,
      error.findings.map((one) => ({ ...one, where: fileName(one.where, folder) })),
    );
  }
};

/** References to files in JSON or YAML; false positives are harmless. */
const TO_FILES = /\$ref['"]?\s*:\s*['"]?(?!['"#\s]|https?:)/i;
/** References to files and URLs. */
const TO_OTHERS = /\$ref['"]?\s*:\s*['"]?(?!['"#\s])/i;

/** A URL, or a place in it, as a path relative to the folder. */
const fileName = (url: string, folder: string): string => {
  const at = url.indexOf('#');
  const [document, place] = at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at)];
  const name = document.startsWith('file:')
    ? relative(resolve(folder), fileURLToPath(document))
    : document;
  return name + (place === '#' ? '' : place);
};

/** @throws DescriptionFault if YAML aliases make it explode */
const jsonText = (description: unknown): string => {
  if (expandedSize(description) <= MAX_EXPANDED_SIZE) return JSON.stringify(description);
  throw new DescriptionFault('The YAML aliases of the description explode: use `$ref` instead.');
};
