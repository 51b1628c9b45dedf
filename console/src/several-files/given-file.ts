export interface GivenFile {
  /** Path below the given folder; the file's name without one. */
  readonly path: string;
  readonly blob: Blob;
}

export interface TextFile {
  readonly path: string;
  readonly text: string;
}
