import type { ReplyPart, StoredReplyPlace } from '../tools/answer/result-continuation.ts';
import type { EpochSeconds } from '../platform/rules/time.ts';

/** What did not fit into results, kept for a while so that its caller can read on. */
export interface StoredReplies {
  /**
   * Keeps the parts of one answer. It does so soon or not at all: somebody waits for the answer.
   *
   * @throws Fault
   */
  put(place: StoredReplyPlace, parts: readonly ReplyPart[], keptAt: EpochSeconds): Promise<void>;
  /**
   * How long a part is served is for the caller to say: the store removes it a day later or more.
   *
   * @param number - from 1, in the order of the answer
   * @throws Fault if the store is down or the part is not what was kept
   */
  find(place: StoredReplyPlace, number: number): Promise<FoundPart | undefined>;
}

interface FoundPart {
  readonly part: ReplyPart;
  readonly keptAt: EpochSeconds;
}
