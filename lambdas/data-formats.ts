/**
 * Forms of what is stored, and releases that know them: data only. Two releases work on the same data while
 * one takes over from the other, and when it has to give back. So a release writes only what the one before
 * reads. Source: docs/releases.md, "A change of stored data".
 */

/** Releases in their order; the last one is this. */
export const releases: readonly string[] = ['0.1.0'];

export interface DataFormat {
  /** Counted from 1; a recorded set of items for each is in `test/stored`. */
  readonly number: number;
  /** What is stored otherwise than before, for people. */
  readonly what: string;
  /** The first release that reads it, and every later one does. */
  readonly readSince: string;
  /** The first release that writes it, a later one than reads it but for the first format; none yet if omitted. */
  readonly writtenSince?: string;
}

export const dataFormats: readonly DataFormat[] = [
  {
    number: 1,
    what: 'what docs/storage.md describes',
    readSince: '0.1.0',
    writtenSince: '0.1.0',
  },
];
