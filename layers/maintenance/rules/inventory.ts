/** A row of a deployment or owner; `after` is the cursor that continues behind it. */
export type StoredRow = { readonly after: string } & (
  | { readonly kind: 'deployment'; readonly slug: string }
  | { readonly kind: 'owner'; readonly ownerId: string }
);

export interface Inventory {
  readonly parts: readonly InventoryPart[];
  /** Names of resources whose URI index item is missing. */
  readonly notFoundByUri: readonly string[];
  /** Names in URI index items to which no resource of that name and URI belongs. */
  readonly uriWithoutResource: readonly string[];
  readonly resources: Counted;
  readonly prompts: Counted;
}

/** Stored part of a deployment's version. */
export interface InventoryPart {
  readonly version: number;
  /** Part as named in the item's key, such as `INDEX`. */
  readonly part: string;
  /** File that holds the part, if the item does not, and whether it exists. */
  readonly file?: { readonly key: string; readonly isThere: boolean };
}

export interface Counted {
  readonly stored: number;
  /** Number according to the item with totals. */
  readonly counted: number;
}
