import { inWords } from '../text/words.ts';
import type { Fetch } from '../world.ts';
import { DescriptionFault } from './description-fault.ts';
import { MAX_DOCUMENT_BYTES, type ReadDocument } from './file-reader.ts';

const TIMEOUT_SECONDS = 30;

/** Fetches documents over https, with nothing that says who asks. */
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
