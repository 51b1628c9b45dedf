import { type Answered, type AnswerOf, call } from '../../../api/call.ts';
import { findingsAt } from '../../../api/problem.ts';
import type { PageProps } from '../../../page.ts';
import { Button } from '../../../kit/button.tsx';
import { Confirm } from '../../../kit/confirm.tsx';
import { Command, quoted } from '../../../kit/copy.tsx';
import { TextArea, TextField } from '../../../kit/field.tsx';
import { Link } from '../../../kit/link.tsx';
import { ProblemNote } from '../../../kit/notice.tsx';
import { Show } from '../../../kit/show.tsx';
import { useAction } from '../../../state/action.ts';
import { useDraft } from '../../../state/draft.ts';
import { forgetShown, type Loaded, useLoad } from '../../../state/load.ts';
import { go } from '../../../state/location.ts';
import { useServer } from '../frame.tsx';
import { type PromptArgument, PromptArguments } from './prompt-arguments.tsx';
import { PromptPreview } from './prompt-preview.tsx';

type Prompt = AnswerOf<'getPrompt'>;

export interface PromptDraft {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly template: string;
  readonly arguments: readonly PromptArgument[];
}

const NOTHING: PromptDraft = { name: '', title: '', description: '', template: '', arguments: [] };

/** One prompt, or one to be. */
export const Page = ({ params: { slug = '', name } }: PageProps) => {
  const stored = useLoad(name === undefined ? undefined : `prompt:${slug}:${name}`, () =>
    call('getPrompt', { path: { slug, name: name ?? '' } }),
  );
  return (
    <>
      <p class="small">
        <Link to={`/servers/${slug}/content`}>All content</Link>
      </p>
      {name === undefined ? (
        <Editor stored={undefined} />
      ) : (
        <Show loaded={stored}>{(value) => <Editor stored={value} loaded={stored} />}</Show>
      )}
    </>
  );
};

interface EditorProps {
  readonly stored: Answered<Prompt> | undefined;
  readonly loaded?: Loaded<Answered<Prompt>>;
}

const Editor = ({ stored, loaded }: EditorProps) => {
  const { slug } = useServer().server;
  const name = stored?.body.name;
  const [draft, change, clear] = useDraft(`prompt:${slug}:${name ?? ''}`, draftOf(stored?.body));
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(stored?.body));
  const saving = useAction(async () => {
    const body = {
      title: draft.title || undefined,
      description: draft.description || undefined,
      template: draft.template,
      arguments: draft.arguments.map(({ description, ...one }) => ({
        ...one,
        description: description || undefined,
      })),
    };
    const wanted = name ?? draft.name;
    const answered =
      name === undefined
        ? await call('createPrompt', { path: { slug }, body: { ...body, name: wanted } })
        : await call('replacePrompt', { path: { slug, name }, body, ifMatch: stored?.etag });
    clear();
    forgetShown('prompts');
    if (loaded) loaded.put(answered);
    else go(`/servers/${slug}/content/prompts/${encodeURIComponent(wanted)}`, { replace: true });
  });
  const removing = useAction(async () => {
    await call('removePrompt', { path: { slug, name: name ?? '' }, ifMatch: stored?.etag });
    clear();
    forgetShown('prompt');
    go(`/servers/${slug}/content`);
  });
  const at = (field: string) => findingsAt(saving.problem, field);
  return (
    <div class="columns wide-left">
      <form
        class="panel"
        onSubmit={(event) => {
          event.preventDefault();
          void saving.run();
        }}
      >
        <h2>{name ?? 'A new prompt'}</h2>
        {name === undefined && (
          <TextField
            label="Name"
            hint="Letters, digits, dots, dashes and underscores; it stays."
            required
            maxLength={64}
            value={draft.name}
            faults={at('/name')}
            onValue={(next) => change({ name: next })}
          />
        )}
        <div class="columns two">
          <TextField
            label="Title"
            value={draft.title}
            faults={at('/title')}
            onValue={(title) => change({ title })}
          />
          <TextField
            label="What it is for"
            value={draft.description}
            faults={at('/description')}
            onValue={(description) => change({ description })}
          />
        </div>
        <TextArea
          label="Template"
          hint="{{name}}, {{name | uppercase}}, {{#if name}}…{{else}}…{{/if}}, {{#if name eq 'text'}}…{{/if}}"
          rows={10}
          required
          value={draft.template}
          faults={[...at('/template'), ...at('line')]}
          onValue={(template) => change({ template })}
        />
        <PromptArguments
          all={draft.arguments}
          template={draft.template}
          faults={at('/arguments')}
          onAll={(next) => change({ arguments: next })}
        />
        <ProblemNote
          problem={saving.problem ?? removing.problem}
          shownAt={['/name', '/title', '/description', '/template', '/arguments', 'line']}
          onStale={loaded?.reload}
        />
        <div class="buttons">
          <Button kind="primary" submit busy={saving.running}>
            Save
          </Button>
          {name !== undefined && (
            <Confirm
              action="Remove it"
              title={`Remove ${name}?`}
              busy={removing.running}
              onConfirm={() => void removing.run()}
            >
              Clients offer it no more.
            </Confirm>
          )}
        </div>
        <Command
          lines={`npx hosted-mcp prompt add ${slug} ${quoted(name ?? (draft.name || 'NAME'))} --file ask.txt${draft.arguments.map(({ name: one, required }) => ` --${required ? 'required' : 'argument'} ${quoted(one)}`).join('')}${name === undefined ? '' : ' --replace'}`}
        />
      </form>
      <PromptPreview
        called={name ?? draft.name}
        name={name}
        all={draft.arguments}
        isChanged={isChanged}
        etag={stored?.etag}
      />
    </div>
  );
};

const draftOf = (prompt: Prompt | undefined): PromptDraft =>
  prompt
    ? {
        name: prompt.name,
        title: prompt.title ?? '',
        description: prompt.description ?? '',
        template: prompt.template,
        arguments: prompt.arguments.map(({ name, description = '', required }) => ({
          name,
          description,
          required,
        })),
      }
    : NOTHING;
