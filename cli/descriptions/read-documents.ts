import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeOf, decodedText, inWords, memberOf } from '../text/words.ts';
import type { Fetch } from '../world.ts';
import type { Documents } from './bundle.ts';
import { DescriptionFault } from './description-fault.ts';
import { withMergeKeys } from './merge-keys.ts';
import { swaggerParser } from './swagger-parser.ts';

/** Size limit of a whole description. */
const MAX_DOCUMENT_BYTES = 5_242_880;
const MAX_DOCUMENTS = 1000;
const TIMEOUT_SECONDS = 30;

/** Reads a document. @throws DescriptionFault whose message ends a sentence about it */
type ReadDocument = (url: string) => Promise<Uint8Array>;

interface Readers {
  readonly file: ReadDocument;
  /** Reader of URLs; undefined if they are not fetched. */
  readonly address: ReadDocument | undefined;
}

interface Asked {
  readonly url: string;
  readonly baseUrl?: string;
}

/**
 * Reads a description and what it refers to. References in examples are followed, too, which is harmless.
 * @returns documents or errors by URL
 */
export const readDocuments = async (
  main: string,
  text: string,
  readers: Readers,
): Promise<Documents> => {
  let count = 0;
  const read = async ({ url, baseUrl = '' }: Asked): Promise<string> => {
    if (url === main) return text;
    count += 1;
    if (count > MAX_DOCUMENTS) throw new DescriptionFault(`more than ${MAX_DOCUMENTS} documents`);
    const isFile = url.startsWith('file:');
    if (isFile && !baseUrl.startsWith('file:')) {
      throw new DescriptionFault('it is a file here, and what refers to it is not');
    }
    const reader = isFile ? readers.file : readers.address;
    if (!reader) throw new DescriptionFault('it is not fetched');
    return utf8(await reader(url));
  };
  const canRead = ({ url }: Asked): boolean =>
    url.startsWith('file:') || (readers.address !== undefined && /^https?:/.test(url));

  const { default: SwaggerParser } = await swaggerParser();
  const parser = new SwaggerParser();
  // The description is wrapped, since the parser refuses OpenAPI versions that it cannot check.
  const about = { openapi: '3.1.0', info: ABOUT, paths: {}, 'x-description': { $ref: main } };
  await parser
    .resolve(new URL('.', main).href, about, {
      continueOnError: true,
      parse: { text: false, binary: false },
      resolve: { file: false, http: false, documents: { order: 1, canRead, read } },
    } as object)
    .catch((error: unknown) => {
      const name = memberOf(error, 'name');
      if (name === 'RangeError') throw new DescriptionFault('The description is nested too deep.');
      // Unreadable documents are reported with the reference to them.
      if (name !== 'JSONParserErrorGroup') throw error;
    });
  const documents = Object.entries(parser.$refs.values());
  return new Map(
    documents
      .filter(([url]) => canRead({ url }))
      .map(([url, document]) => [
        url,
        document instanceof Error || url.endsWith('.json') ? document : withMergeKeys(document),
      ]),
  );
};

const ABOUT = { title: 'A description of several documents', version: '1' };

const utf8 = (bytes: Uint8Array): string => {
  const text = decodedText(bytes);
  if (text === undefined) throw new DescriptionFault('it is no UTF-8 text');
  return text;
};

/** Descriptions of somebody else must not carry off other files of this machine. @throws DescriptionFault */
export const filesBelow = async (
  root: string,
  onFile?: (path: string) => void,
): Promise<ReadDocument> => {
  const folder = await realpath(root).catch((error: unknown) => {
    throw new DescriptionFault(`The folder ${root} cannot be read: ${inWords(error)}.`);
  });
  return async (url) => {
    const path = pathOf(url);
    if (!isBelow(resolve(root), path)) {
      throw new DescriptionFault(`it lies outside of ${root}; --root names a folder around both`);
    }
    onFile?.(path);
    const file = await realpath(path).catch(unreadable);
    // All links are resolved here, and O_NOFOLLOW opens exactly the checked file.
    if (!isBelow(folder, file)) throw new DescriptionFault(`a link leads out of ${root}`);
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW).catch(unreadable);
    try {
      const facts = await handle.stat();
      if (!facts.isFile()) throw new DescriptionFault('it is no file');
      if (facts.size > MAX_DOCUMENT_BYTES) throw new DescriptionFault('it is larger than 5 MB');
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  };
};

const pathOf = (url: string): string => {
  try {
    return fileURLToPath(url);
  } catch {
    throw new DescriptionFault('it is no path to a file');
  }
};

const isBelow = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};

const unreadable = (error: unknown): never => {
  throw new DescriptionFault(
    codeOf(error) === 'ENOENT' ? 'there is no such file' : `it cannot be read (${inWords(error)})`,
  );
};

/** Fetches over https, without cookies or credentials. */
export const addresses =
  (fetch: Fetch): ReadDocument =>
  async (url) => {
    if (!url.startsWith('https:')) throw new DescriptionFault('only https is fetched');
    const signal = AbortSignal.timeout(TIMEOUT_SECONDS * 1000);
    const request = { signal, redirect: 'error', credentials: 'omit' } as const;
    const answer = await fetch(url, request).catch((error: unknown) => {
      const isLate = signal.aborted;
      throw new DescriptionFault(
        isLate ? `no answer within ${TIMEOUT_SECONDS} s` : `it is not answered (${inWords(error)})`,
      );
    });
    if (answer.status !== 200) throw new DescriptionFault(`it answers HTTP ${answer.status}`);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of answer.body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > MAX_DOCUMENT_BYTES) throw new DescriptionFault('it is larger than 5 MB');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  };
