/** Search index of a deployment in search mode, one per version, written as JSON at publication. */
export interface SearchIndex {
  readonly format: 1;
  /** In the order of the description, by which the ranked index numbers them. */
  readonly operations: readonly SearchedOperation[];
  readonly isReadOnly: boolean;
  /** JSON text of MiniSearch, parsed at the first search. */
  readonly ranked: string;
}

export interface SearchedOperation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** Tags; where no operation of the API has any, the first part of the path. */
  readonly areas: readonly string[];
}
