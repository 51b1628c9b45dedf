import { isAt } from '../../../api/problem.ts';
import { TextField } from '../../../kit/field.tsx';
import { ProblemNote } from '../../../kit/notice.tsx';
import type { LivePreview } from './live-preview.ts';
import type { PromptArgument } from './prompt-draft.ts';

interface PromptPreviewProps {
  readonly all: readonly PromptArgument[];
  readonly preview: LivePreview;
  /** Fields beside it that show their own findings. */
  readonly shownAt: readonly string[];
}

/** What a client gets for these arguments, as people type the one or the other. */
export const PromptPreview = ({ all, preview, shownAt }: PromptPreviewProps) => {
  const { fill, problem, texts, values } = preview;
  const findings = problem?.findings ?? [];
  const isToldElsewhere =
    findings.length > 0 && findings.every((one) => shownAt.some((field) => isAt(one, field)));
  const named = all.filter(({ name }) => name !== '');
  return (
    <section class="panel">
      <h2>What a client gets</h2>
      {named.map(({ name, required }) => (
        <TextField
          key={name}
          label={
            <>
              {name}
              {required && <span class="needed"> required</span>}
            </>
          }
          value={values[name] ?? ''}
          onValue={(text) => fill(name, text)}
        />
      ))}
      {isToldElsewhere ? (
        <p class="soft">It cannot be rendered yet: each field shows what is wrong with it.</p>
      ) : (
        <ProblemNote problem={problem} />
      )}
      {!problem && texts === undefined && (
        <p class="soft">Write a template: what it becomes is shown here.</p>
      )}
      {texts?.map((text, index) => (
        <pre
          key={index}
          class={`scrolled wrapped${problem ? ' soft' : ''}`}
          tabIndex={0}
          aria-label={problem ? 'As it was rendered last' : 'Rendered'}
        >
          {text}
        </pre>
      ))}
    </section>
  );
};
