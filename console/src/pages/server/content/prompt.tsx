import { call } from '../../../api/call.ts';
import { findingsAt } from '../../../api/problem.ts';
import { quoted } from '../../../kit/copy.tsx';
import { TextArea, TextField } from '../../../kit/field.tsx';
import { fieldsOf } from '../../../kit/form.tsx';
import type { PageProps } from '../../../page.ts';
import { useAction } from '../../../state/action.ts';
import { useDraft } from '../../../state/draft.ts';
import { forgetShown } from '../../../state/load.ts';
import { go } from '../../../state/location.ts';
import { useServer } from '../frame.tsx';
import { type EditorProps, EntryForm, EntryPage } from './entry.tsx';
import { useLivePreview } from './live-preview.ts';
import { PromptArguments } from './prompt-arguments.tsx';
import { draftOf, NO_PROMPT, type Prompt, sentPrompt } from './prompt-draft.ts';
import { PromptPreview } from './prompt-preview.tsx';

/** What the preview checks as well as saving does: told beside the fields while people type. */
const LIVE = ['/template', 'line', '/arguments'];

/** One prompt, or one to be. */
export const Page = ({ params: { slug = '', name } }: PageProps) => (
  <EntryPage
    slug={slug}
    stored={name === undefined ? undefined : `prompt:${slug}:${name}`}
    load={() =>
      call('GET /deployments/{slug}/prompts/{name}', { path: { slug, name: name ?? '' } })
    }
    editor={Editor}
  />
);

const Editor = ({ stored, loaded }: EditorProps<Prompt>) => {
  const { slug } = useServer().server;
  const name = stored?.body.name;
  const present = stored ? draftOf(stored.body) : NO_PROMPT;
  const [draft, change, clear] = useDraft(`prompt:${slug}:${name ?? ''}`, present);
  const preview = useLivePreview(slug, draft);
  const saving = useAction(async () => {
    const body = sentPrompt(draft);
    const wanted = name ?? draft.name;
    const answered =
      name === undefined
        ? await call('POST /deployments/{slug}/prompts', {
            path: { slug },
            body: { ...body, name: wanted },
          })
        : await call('PUT /deployments/{slug}/prompts/{name}', {
            path: { slug, name },
            body,
            ifMatch: stored?.etag,
          });
    clear();
    forgetShown('prompts');
    if (loaded) loaded.put(answered);
    else go(`/servers/${slug}/content/prompts/${encodeURIComponent(wanted)}`, { replace: true });
  });
  const removing = useAction(async () => {
    await call('DELETE /deployments/{slug}/prompts/{name}', {
      path: { slug, name: name ?? '' },
      ifMatch: stored?.etag,
    });
    clear();
    forgetShown('prompt');
    go(`/servers/${slug}/content`);
  });
  const field = fieldsOf(draft, change, saving.problem);
  const isFine = preview.texts !== undefined && !preview.problem;
  const liveAt = (field: string) =>
    isFine ? [] : findingsAt(preview.problem ?? saving.problem, field);
  return (
    <div class="columns wide-left">
      <EntryForm
        name={name}
        unnamed="A new prompt"
        saving={saving}
        removing={removing}
        lost="Clients no longer offer it."
        shownAt={['/name', '/title', '/description', ...LIVE]}
        onStale={loaded?.reload}
        command={`npx hosted-mcp prompt add ${slug} ${quoted(name ?? (draft.name || 'NAME'))} --file ask.txt${draft.arguments.map(({ name: one, required }) => ` --${required ? 'required' : 'argument'} ${quoted(one)}`).join('')}${name === undefined ? '' : ' --replace'}`}
      >
        {name === undefined && (
          <TextField
            label="Name"
            hint="Letters, digits, dots, dashes and underscores. It cannot be changed later."
            required
            maxLength={64}
            {...field('name')}
          />
        )}
        <div class="columns two">
          <TextField label="Title" {...field('title')} />
          <TextField label="What it is for" {...field('description')} />
        </div>
        <TextArea
          label="Template"
          hint="{{name}}, {{name | uppercase}}, {{#if name}}…{{else}}…{{/if}}, {{#if name eq 'text'}}…{{/if}}"
          rows={10}
          required
          value={draft.template}
          faults={[...liveAt('/template'), ...liveAt('line')]}
          onValue={(template) => change({ template })}
        />
        <PromptArguments
          all={draft.arguments}
          template={draft.template}
          faults={liveAt('/arguments')}
          onAll={(next) => change({ arguments: next })}
        />
      </EntryForm>
      <PromptPreview all={draft.arguments} preview={preview} shownAt={LIVE} />
    </div>
  );
};
