/** Two releases share stored data, so each writes only formats that the one before reads (docs/releases.md). */

/** Releases in order; the last one is this release. */
export const releases: readonly string[] = ['0.1.0'];

export interface DataFormat {
  /** Formats are counted from 1; a recorded set of items for each is in `test/stored`. */
  readonly number: number;
  readonly what: string;
  /** First release that reads the format; every later one does, too. */
  readonly readSince: string;
  /** First release that writes the format, later than `readSince` but for the first; none yet if omitted. */
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
