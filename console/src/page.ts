import type { ComponentType } from 'preact';

export interface PageProps {
  /** Values of the `{…}` in the page's path. */
  readonly params: Readonly<Record<string, string>>;
}

export interface PageModule {
  readonly Page: ComponentType<PageProps>;
}
