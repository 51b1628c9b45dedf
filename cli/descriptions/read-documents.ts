import { memberOf } from '../text/words.ts';
import type { Documents } from './bundle.ts';
import { DescriptionFault } from './description-fault.ts';
import type { ReadDocument } from './file-reader.ts';
import { withMergeKeys } from './merge-keys.ts';
import { swaggerParser } from './swagger-parser.ts';

/** Of one description, whatever they are. */
const MAX_DOCUMENTS = 1000;

export interface Readers {
  readonly file: ReadDocument;
  /** Undefined where addresses are not fetched. */
  readonly address: ReadDocument | undefined;
}

interface Asked {
  readonly url: string;
  /** Where the reference stands. */
  readonly baseUrl?: string;
}

/**
 * Reads a description and the documents that it refers to, by way of others too. References in examples
 * are followed as well, although they mean nothing: what comes of it is nobody's concern.
 *
 * @param main - the address of the description
 * @param text - the description
 * @returns each document by its address, or why it cannot be used
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
  // A document about the description: the parser refuses versions of OpenAPI that it cannot check.
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
      // What cannot be read is told with the reference to it.
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
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new DescriptionFault('it is no UTF-8 text');
  }
};
