/**
 * Formats of stored data, and the releases that know them. Two releases share data during a release and its rollback,
 * so a release writes only what the one before reads. Source: docs/releases.md, "A change of stored data".
 */

/** In order; the last one is this release. */
export const releases: readonly string[] = ['0.1.0'];

export interface DataFormat {
  /** Counted from 1; a recorded set of items for each is in `test/stored`. */
  readonly number: number;
  /** What differs from the format before, for people. */
  readonly what: string;
  /** First release that reads it; every later one does, too. */
  readonly readSince: string;
  /** First release that writes it, later than `readSince` but for the first format; none yet if omitted. */
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
