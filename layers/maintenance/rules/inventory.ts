/** Which row it is; `after` is where a list goes on behind it. */
export type StoredRow = { readonly after: string } & (
  | { readonly kind: 'deployment'; readonly slug: string }
  | { readonly kind: 'owner'; readonly ownerId: string }
);

export interface Inventory {
  readonly parts: readonly InventoryPart[];
  /** Names of resources that nobody finds by their uri. */
  readonly notFoundByUri: readonly string[];
  /** Names of resources for which uris are kept that they do not have. */
  readonly uriWithoutResource: readonly string[];
  readonly resources: Counted;
  readonly prompts: Counted;
}

/** A part of a version, as its row has it. */
export interface InventoryPart {
  readonly version: number;
  /** As in the row's key: `INDEX`. */
  readonly part: string;
  /** The file that holds it, where the row does not, and whether that is there. */
  readonly file?: { readonly key: string; readonly isThere: boolean };
}

export interface Counted {
  readonly stored: number;
  /** In the item of the totals. */
  readonly counted: number;
}
