import type { EpochSeconds } from '../../platform/rules/time.ts';
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { Fault } from '../../platform/rules/fault.ts';
import {
  type ReplyPart,
  type StoredReplyPlace,
  MOST_PART_BYTES,
} from '../../tools/answer/result-continuation.ts';
import type { s3Files } from '../../platform/s3/files.ts';

type Files = Pick<ReturnType<typeof s3Files>, 'find' | 'put'>;

/** For all parts together. */
const STORE_MS = 5000;

const Metadata = z.object({
  form: z.enum(['text', 'bytes']),
  'kept-at': z.string().check(z.regex(/^\d{1,12}$/)),
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
});

/**
 * One file per part, in a bucket whose lifecycle deletes files after a day. The file name contains a hash of the
 * caller: knowing the rest of the name is not enough to read it.
 */
export const s3StoredReplies = (files: Files) => ({
  /** Gives up after five seconds, since a caller waits for the answer. @throws Fault */
  put: async (
    place: StoredReplyPlace,
    parts: readonly ReplyPart[],
    keptAt: EpochSeconds,
  ): Promise<void> => {
    const ended = new AbortController();
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(STORE_MS)]);
    const puts = parts.map(async (part, index) => {
      const bytes = bytesOf(part);
      const metadata = { form: part.form, 'kept-at': String(keptAt), sha256: sha256(bytes) };
      await files.put(keyOf(place, index + 1), bytes, { metadata, signal });
    });
    await Promise.all(puts).catch(async (error: unknown) => {
      ended.abort();
      await Promise.allSettled(puts);
      throw error;
    });
  },

  /**
   * The caller decides how long a part is served: the bucket deletes it a day later or more.
   * @param number - from 1, in the order of the answer
   * @throws Fault if the store is down or the part is not what was stored
   */
  find: async (
    place: StoredReplyPlace,
    number: number,
  ): Promise<{ readonly part: ReplyPart; readonly keptAt: EpochSeconds } | undefined> => {
    const found = await files.find(keyOf(place, number), MOST_PART_BYTES);
    if (!found) return undefined;
    const { bytes } = found;
    const read = z.safeParse(Metadata, found.metadata);
    if (!read.success || read.data.sha256 !== sha256(bytes)) {
      throw new Fault('s3', 'a part of an answer is not what was kept');
    }
    const { form, 'kept-at': keptAt } = read.data;
    const part: ReplyPart =
      form === 'text' ? { form, text: Buffer.from(bytes).toString() } : { form, bytes };
    return { part, keptAt: Number(keptAt) };
  },
});

/** Parts of answers that did not fit into results, stored for a while so that the caller can read them. */
export type StoredReplies = ReturnType<typeof s3StoredReplies>;

const keyOf = ({ deploymentId, caller, answerId }: StoredReplyPlace, number: number): string =>
  `${deploymentId}/${sha256(caller)}/${answerId}/${number}`;

const bytesOf = (part: ReplyPart): Uint8Array =>
  part.form === 'text' ? Buffer.from(part.text) : part.bytes;

const sha256 = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');
