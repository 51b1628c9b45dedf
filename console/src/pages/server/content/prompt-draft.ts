import type { AnswerOf } from '../../../api/operation.ts';

export type Prompt = AnswerOf<'GET /deployments/{slug}/prompts/{name}'>;

/** An argument with all its members: those that this page does not show are sent back unchanged. */
export type PromptArgument = Omit<Prompt['arguments'][number], 'description'> & {
  readonly description: string;
};

export interface PromptDraft {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly template: string;
  readonly arguments: readonly PromptArgument[];
}

export const NO_PROMPT: PromptDraft = {
  name: '',
  title: '',
  description: '',
  template: '',
  arguments: [],
};

export const draftOf = (prompt: Prompt): PromptDraft => ({
  name: prompt.name,
  title: prompt.title ?? '',
  description: prompt.description ?? '',
  template: prompt.template,
  arguments: prompt.arguments.map((one) => ({ ...one, description: one.description ?? '' })),
});

export const sentPrompt = (draft: PromptDraft) => ({
  title: draft.title || undefined,
  description: draft.description || undefined,
  template: draft.template,
  arguments: draft.arguments.map((one) => ({ ...one, description: one.description || undefined })),
});
