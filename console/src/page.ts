import type { ComponentType } from 'preact';

export interface PageProps {
  /** The places of the page's path. */
  readonly params: Readonly<Record<string, string>>;
}

/** What the file of a page exports. */
export interface PageModule {
  readonly Page: ComponentType<PageProps>;
}
