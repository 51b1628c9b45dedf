import { useEffect, useState } from 'preact/hooks';
import { call } from '../../../api/call.ts';
import { asProblem, type Problem } from '../../../api/problem.ts';
import { useDraft } from '../../../state/draft.ts';
import type { PromptDraft } from './prompt-draft.ts';

export interface LivePreview {
  /** What is filled in to try it, by argument. */
  readonly values: Readonly<Record<string, string>>;
  readonly fill: (name: string, value: string) => void;
  /** What a client would get; the last that could be rendered, until the next one comes. */
  readonly texts: readonly string[] | undefined;
  /** Why what stands there now cannot be rendered. */
  readonly problem: Problem | undefined;
}

interface Outcome {
  readonly texts?: readonly string[] | undefined;
  readonly problem?: Problem | undefined;
}

/** Long enough that nobody who types is interrupted, nor asks more often than the service lets them. */
const PAUSE_MS = 500;

/** What the service makes of a prompt that is being written, stored or not, as soon as typing rests. */
export const useLivePreview = (slug: string, prompt: PromptDraft): LivePreview => {
  const [{ values }, change] = useDraft<Pick<LivePreview, 'values'>>(
    `preview:${slug}:${prompt.name}`,
    { values: {} },
  );
  const [outcome, setOutcome] = useState<Outcome>({});
  const wanted = JSON.stringify(previewOf(prompt, values));

  useEffect(() => {
    if (prompt.template === '') {
      setOutcome({});
      return;
    }
    let isLatest = true;
    const settle = (next: (before: Outcome) => Outcome) => isLatest && setOutcome(next);
    const timer = setTimeout(() => {
      const body = JSON.parse(wanted) as ReturnType<typeof previewOf>;
      call('POST /deployments/{slug}/prompt-previews', { path: { slug }, body }).then(
        (answer) =>
          settle(() => ({ texts: answer.body.messages.map(({ content }) => content.text) })),
        (error: unknown) => settle(({ texts }) => ({ texts, problem: asProblem(error) })),
      );
    }, PAUSE_MS);
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [slug, wanted]);

  return {
    texts: outcome.texts,
    problem: outcome.problem,
    values,
    fill: (name, value) => change({ values: { ...values, [name]: value } }),
  };
};

/** An argument that has no name yet is none; one that is required and empty stands for itself. */
const previewOf = (
  { template, arguments: all }: PromptDraft,
  values: Readonly<Record<string, string>>,
) => {
  const named = all.filter(({ name }) => name !== '');
  const given = named.flatMap(({ name, required }) => {
    const value = values[name] || (required ? `‹${name}›` : '');
    return value === '' ? [] : [[name, value] as const];
  });
  return {
    template,
    arguments: named.map(({ name, required }) => ({ name, required })),
    given: Object.fromEntries(given),
  };
};
