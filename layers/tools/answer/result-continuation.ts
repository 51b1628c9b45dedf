import type { EpochSeconds } from '../../platform/rules/time.ts';

/** A piece of an answer that is too long for one result, kept so that its caller can read on. */
export type ReplyPart =
  | { readonly form: 'text'; readonly text: string }
  | { readonly form: 'bytes'; readonly bytes: Uint8Array };

/** Of one part: as text in UTF-8, or as bytes, of which base64 still fits one result. */
export const MOST_PART_BYTES = 4 * 1024 * 1024;

/** Where the parts of one answer are kept. */
export interface StoredReplyPlace {
  readonly deploymentId: string;
  /** Who asked for the answer: nobody else finds it. */
  readonly caller: string;
  /** Random: 64 hexadecimal digits. */
  readonly answerId: string;
}

/** How the parts of an answer are asked for, and until when there is something to be had. */
export interface StoredReplyKey {
  /** In the order of the answer. */
  readonly uris: readonly string[];
  readonly until: EpochSeconds;
}

/** Of the uris of parts, and of nothing else: owners' resources may have any other. */
export const REPLY_PART_SCHEME = 'kept-answer';

const PART = new RegExp(`^${REPLY_PART_SCHEME}://([0-9a-f]{64})/([1-9][0-9]{0,3})$`);

/** @param number - of the part, from 1 */
export const replyPartUri = (answerId: string, number: number): string =>
  `${REPLY_PART_SCHEME}://${answerId}/${number}`;

export interface PartName {
  readonly answerId: string;
  readonly number: number;
}

/** @returns undefined for whatever `partUri` does not make */
export const readReplyPartUri = (uri: string): PartName | undefined => {
  const [, answerId, number] = PART.exec(uri) ?? [];
  return answerId === undefined ? undefined : { answerId, number: Number(number) };
};

/** Whether a uri is of the parts' scheme, as the name of a part or not. */
export const hasReplyPartScheme = (uri: string): boolean =>
  uri.slice(0, REPLY_PART_SCHEME.length + 1).toLowerCase() === `${REPLY_PART_SCHEME}:`;
