import type { Prompts, Resources } from './rules/named-contents.ts';

export interface ContentsPorts {
  readonly resources: Resources;
  readonly prompts: Prompts;
}
