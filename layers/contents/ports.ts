import type { Prompts, Resources } from './rules/named-contents.ts';

/** Stores and clients of `contents`, by the names under which steps take them. */
export interface ContentsPorts {
  readonly resources: Resources;
  readonly prompts: Prompts;
}
