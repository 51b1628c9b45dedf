export interface GalleryEntry {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly baseUrl: string;
  readonly documentationUrl: string;
  readonly credential: GalleryCredential;
  /** OpenAPI 3.1, YAML. */
  readonly openapi: string;
}

/** Whether the API needs a credential. `help` says where to get one and how to set it. */
type GalleryCredential =
  | { readonly need: 'none' }
  | { readonly need: 'optional' | 'required'; readonly help: string };
