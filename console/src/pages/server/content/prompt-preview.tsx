import { call } from '../../../api/call.ts';
import { TextField } from '../../../kit/field.tsx';
import { ProblemNote } from '../../../kit/notice.tsx';
import { useDraft } from '../../../state/draft.ts';
import { useLoad } from '../../../state/load.ts';
import { useServer } from '../frame.tsx';
import type { PromptArgument } from './prompt-arguments.tsx';

interface PromptPreviewProps {
  /** Undefined as long as it is not stored. */
  readonly name: string | undefined;
  /** What it will be called, or is: what was typed to try it stays with that. */
  readonly called: string;
  readonly all: readonly PromptArgument[];
  readonly isChanged: boolean;
  readonly etag: string | undefined;
}

const PAUSE_MS = 300;

/** What a client gets for these arguments, rendered by the service as people type. */
export const PromptPreview = ({ name, called, all, isChanged, etag }: PromptPreviewProps) => {
  const { slug } = useServer().server;
  const [{ values }, change] = useDraft<{ readonly values: Readonly<Record<string, string>> }>(
    `preview:${slug}:${called}`,
    { values: {} },
  );
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  const isComplete = all.every(({ name: one, required }) => !required || given[one] !== undefined);
  const rendered = useLoad(
    name === undefined || !isComplete
      ? undefined
      : `preview:${slug}:${name}:${etag ?? ''}:${JSON.stringify(given)}`,
    async () => {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      const path = { slug, name: name ?? '' };
      return (await call('renderPrompt', { path, body: { arguments: given } })).body;
    },
  );
  return (
    <section class="panel">
      <h2>What a client gets</h2>
      {all.map(({ name: argument, required }) => (
        <TextField
          key={argument}
          label={
            <>
              {argument}
              {required && <span class="needed"> required</span>}
            </>
          }
          value={values[argument] ?? ''}
          onValue={(text) => change({ values: { ...values, [argument]: text } })}
        />
      ))}
      {name === undefined ? (
        <p class="soft">Save it to see what it becomes.</p>
      ) : !isComplete ? (
        <p class="soft">Fill in what is required to see what it becomes.</p>
      ) : (
        <>
          {isChanged && (
            <p class="soft small">As it was saved: your latest changes are not in it.</p>
          )}
          <ProblemNote problem={rendered.problem} />
          {rendered.value?.messages.map(({ content }, index) => (
            <pre key={index} class="scrolled wrapped" tabIndex={0} aria-label="Rendered">
              {content.text}
            </pre>
          ))}
        </>
      )}
    </section>
  );
};
