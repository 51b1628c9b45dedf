/** A file as a person gave it. */
export interface GivenFile {
  /** Below the folder that was given, with `/` between its parts; its name where it came alone. */
  readonly path: string;
  readonly blob: Blob;
}

/** A file whose text is known. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
}
