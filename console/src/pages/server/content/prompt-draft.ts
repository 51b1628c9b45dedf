import type { AnswerOf } from '../../../api/operation.ts';

export type Prompt = AnswerOf<'GET /deployments/{slug}/prompts/{name}'>;

/** One of its arguments, with what this page does not show and keeps as it is. */
export type PromptArgument = Omit<Prompt['arguments'][number], 'description'> & {
  readonly description: string;
};

/** A prompt as fields hold it. */
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

/** As it is sent, but for its name. */
export const sentPrompt = (draft: PromptDraft) => ({
  title: draft.title || undefined,
  description: draft.description || undefined,
  template: draft.template,
  arguments: draft.arguments.map((one) => ({ ...one, description: one.description || undefined })),
});
