import { parse } from 'yaml';
import { bundle } from '../../../cli/descriptions/bundle.ts';
import { DescriptionFault } from '../../../cli/descriptions/description-fault.ts';
import { expandedSize, MAX_EXPANDED_SIZE } from '../../../cli/descriptions/expanded-size.ts';
import { Problem } from '../api/problem.ts';
import { placeOf } from '../kit/plain-words.ts';
import { filesIn } from './archive.ts';
import type { GivenFile, TextFile } from './given-file.ts';

export interface OneDescription {
  /** Name of the main file, and the number of others that were bundled into it. */
  readonly name: string;
  readonly text: string;
}

/** Base URL of the files, for references among them. */
const ROOT = 'file:///';
const MAX_FILES = 1000;

/**
 * Makes one description of files that were chosen or dropped together, or are in an archive: the one that describes
 * an API, with what it refers to in the others.
 *
 * @throws Problem if none or several of them describe an API, and for references that lead nowhere
 *
 * Source: docs/several-files.md
 */
export const oneDescription = async (given: readonly GivenFile[]): Promise<OneDescription> => {
  const files = (await Promise.all(given.map(filesIn))).flat();
  const texts = new Map(
    files.filter(({ path }) => /\.(?:json|ya?ml)$/i.test(path)).map((file) => [urlOf(file), file]),
  );
  if (texts.size > MAX_FILES) throw unusable(`There are more than ${MAX_FILES} files.`);
  const documents = new GivenDocuments(
    [...texts].map(([url, { path, text }]) => [url, documentIn(path, text)] as const),
  );
  const main = mainOf(documents);
  try {
    const { description, documents: used } = bundle(main, documents);
    if (expandedSize(description) > MAX_EXPANDED_SIZE) {
      throw unusable('The YAML aliases of the description explode: use references instead.');
    }
    const others = used.length === 0 ? '' : ` with ${used.length} more`;
    return {
      name: documentName(main) + others,
      text: used.length === 0 ? (texts.get(main)?.text ?? '') : JSON.stringify(description),
    };
  } catch (error) {
    if (!(error instanceof DescriptionFault)) throw error;
    const findings = error.findings.map((one) => ({
      where: documentName(one.where),
      what: one.what,
      hint: one.hint,
    }));
    throw unusable(error.message, findings);
  }
};

/** A reference to a file that was not given is an error, not an address for the service to fetch. */
class GivenDocuments extends Map<string, unknown> {
  override has(url: string): boolean {
    return super.has(url) || url.startsWith(ROOT);
  }
  override get(url: string): unknown {
    return super.has(url) || !url.startsWith(ROOT)
      ? super.get(url)
      : new Error('there is no such file among them');
  }
}

/** A path with two slashes at its beginning would name a host in a URL. */
const urlOf = ({ path }: TextFile): string => {
  const parts = path.split('/').filter((part) => part !== '');
  return new URL(parts.map(encodeURIComponent).join('/'), ROOT).href;
};

const documentName = (url: string): string => {
  const [document = '', place] = url.split('#');
  const path = document.startsWith(ROOT)
    ? decodeURIComponent(document.slice(ROOT.length))
    : document;
  return place === undefined || place === ''
    ? path
    : `${path}, ${placeOf(decodeURIComponent(place))}`;
};

/** The parsed document, or the error, which matters only if something refers to the file. */
const documentIn = (path: string, text: string): unknown => {
  try {
    return path.toLowerCase().endsWith('.json')
      ? JSON.parse(text)
      : parse(text, { merge: true, uniqueKeys: false, logLevel: 'error' });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
};

const isDescription = (document: unknown): boolean =>
  typeof document === 'object' &&
  document !== null &&
  !(document instanceof Error) &&
  ('openapi' in document || 'swagger' in document);

/** The file that describes an API; of several, the one in the uppermost folder. */
const mainOf = (documents: ReadonlyMap<string, unknown>): string => {
  const found = [...documents].filter(([, document]) => isDescription(document));
  const depthOf = (url: string) => url.split('/').length;
  const least = Math.min(...found.map(([url]) => depthOf(url)));
  const [main, ...others] = found.map(([url]) => url).filter((url) => depthOf(url) === least);
  if (main === undefined) throw noDescription(documents);
  if (others.length > 0) {
    const names = [main, ...others].slice(0, 5).map(documentName).join(', ');
    throw unusable(`Several of the files describe an API: ${names}. Choose those of one API.`);
  }
  return main;
};

const noDescription = (documents: ReadonlyMap<string, unknown>): Problem => {
  const broken = [...documents].filter(([, document]) => document instanceof Error);
  return unusable(
    documents.size === 0
      ? 'There is no JSON or YAML file among them.'
      : 'None of the files describes an API: no “openapi” or “swagger” stands at the beginning of one.',
    broken.slice(0, 5).map(([url, error]) => ({
      where: '',
      what: `${documentName(url)} cannot be read: ${(error as Error).message.split('\n')[0] ?? ''}`,
      hint: '',
    })),
  );
};

const unusable = (detail: string, findings: Problem['findings'] = []): Problem =>
  new Problem({ status: 0, code: 'unusable_files', detail, findings });
