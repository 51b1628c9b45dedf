export interface GivenFile {
  /** Path below the given folder, or the file's name. */
  readonly path: string;
  readonly blob: Blob;
}

export interface TextFile {
  readonly path: string;
  readonly text: string;
}
