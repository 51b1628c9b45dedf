/**
 * What publication leaves behind for a deployment in search mode, beside the tools: what there is to
 * find, and the ranked index of its words. Written and read by `layers/search`; stored as JSON, one per
 * version.
 */
export interface SearchIndex {
  readonly format: 1;
  /** In the description's order; the ranked index numbers them so. */
  readonly operations: readonly SearchedOperation[];
  /** Whether no operation changes anything. */
  readonly isReadOnly: boolean;
  /** JSON text of the library's own form, read when somebody searches. */
  readonly ranked: string;
}

export interface SearchedOperation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** One line. */
  readonly summary: string;
  /** Its tags; where no operation has any, where its path begins. */
  readonly areas: readonly string[];
}
