import type { Prompts, Resources } from './rules/named-contents.ts';

/** What `contents` lends to whoever asks for it by name. */
export interface ContentsPorts {
  readonly resources: Resources;
  readonly prompts: Prompts;
}
