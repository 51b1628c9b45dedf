/** A ready description of a public API, written for this service: small, with what a person needs to know of it. */
export interface GalleryEntry {
  readonly id: string;
  readonly name: string;
  /** What it is good for, in one sentence. */
  readonly description: string;
  readonly baseUrl: string;
  readonly documentationUrl: string;
  readonly credential: GalleryCredential;
  /** OpenAPI 3.1, YAML. */
  readonly openapi: string;
}

/** What the API wants of whoever calls it. `help` says where to get it and how to set it. */
type GalleryCredential =
  | { readonly need: 'none' }
  | { readonly need: 'optional' | 'required'; readonly help: string };
