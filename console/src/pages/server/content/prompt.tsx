import { member } from '../../../../../layers/platform/rules/json/json.ts';
import { useEffect, useState } from 'preact/hooks';
import { call } from '../../../api/call.ts';
import { asProblem, type Finding, findingsAt, isAt, type Problem } from '../../../api/problem.ts';
import { Button } from '../../../kit/button.tsx';
import { Checkbox } from '../../../kit/choice.tsx';
import { quoted } from '../../../kit/copy.tsx';
import { fieldsOf, sentence, TextArea, TextField } from '../../../kit/form.tsx';
import { ProblemNote } from '../../../kit/show.tsx';
import type { PageProps } from '../../../page.ts';
import { useAction } from '../../../state/action.ts';
import { useDraft } from '../../../state/draft.ts';
import { forgetShown } from '../../../state/load.ts';
import { go } from '../../../state/location.ts';
import { useServer } from '../frame.tsx';
import { type EditorProps, EntryForm, EntryPage } from './entry.tsx';
import {
  draftOf,
  NO_PROMPT,
  type Prompt,
  type PromptArgument,
  type PromptDraft,
  sentPrompt,
} from './prompt-draft.ts';

/** Pointers of fields whose findings the preview shows while people type. */
const LIVE = ['/template', 'line', '/arguments'];

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
  const { slug, reload } = useServer();
  const name = stored?.body.name;
  const present = stored ? draftOf(stored.body) : NO_PROMPT;
  const [draft, change, clear] = useDraft(`prompt:${slug}:${name ?? ''}`, present);
  const preview = useLivePreview(slug, draft);
  const saving = useAction(async () => {
    const body = sentPrompt(draft);
    const wanted = name ?? draft.name;
    const answered = stored
      ? await call('PUT /deployments/{slug}/prompts/{name}', {
          path: { slug, name: stored.body.name },
          body,
          ifMatch: stored.etag,
        })
      : await call('POST /deployments/{slug}/prompts', {
          path: { slug },
          body: { ...body, name: wanted },
        });
    clear();
    // Adding the first values for completion, or removing the last, changes the server's ETag.
    reload();
    forgetShown('prompts');
    if (loaded) loaded.put(answered);
    else go(`/servers/${slug}/content/prompts/${encodeURIComponent(wanted)}`, { replace: true });
  });
  const removing = useAction(async () => {
    if (!stored) return;
    await call('DELETE /deployments/{slug}/prompts/{name}', {
      path: { slug, name: stored.body.name },
      ifMatch: stored.etag,
    });
    clear();
    reload();
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
        command={`npx --no-install hosted-mcp prompt add ${slug} ${quoted(name ?? (draft.name || 'NAME'))} --file ask.txt${draft.arguments.map(({ name: one, required }) => ` --${required ? 'required' : 'argument'} ${quoted(one)}`).join('')}${name === undefined ? '' : ' --replace'}`}
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

interface PromptArgumentsProps {
  readonly all: readonly PromptArgument[];
  readonly template: string;
  readonly faults: readonly Finding[];
  readonly onAll: (all: readonly PromptArgument[]) => void;
}

/** The prompt's arguments; names that only the template uses are offered as buttons. */
const PromptArguments = ({ all, template, faults, onAll }: PromptArgumentsProps) => {
  const missing = namesIn(template).filter((name) => all.every((one) => one.name !== name));
  const set = (index: number, part: Partial<PromptArgument>) =>
    onAll(all.map((one, at) => (at === index ? { ...one, ...part } : one)));
  const add = (name: string) => onAll([...all, { name, description: '', required: true }]);
  return (
    <fieldset>
      <legend>Arguments</legend>
      {faults.length > 0 && (
        <p class="fault">{faults.map(({ what, hint }) => sentence(what, hint)).join(' ')}</p>
      )}
      {all.map((one, index) => (
        <div key={index} class="argument-edit">
          <TextField
            label="Name"
            required
            value={one.name}
            onValue={(name) => set(index, { name })}
          />
          <TextField
            label="What is asked for"
            value={one.description}
            onValue={(description) => set(index, { description })}
          />
          <Checkbox checked={one.required} onChecked={(required) => set(index, { required })}>
            required
          </Checkbox>
          <Button kind="quiet" onClick={() => onAll(all.filter((_, at) => at !== index))}>
            Remove<span class="visually-hidden"> the argument {one.name}</span>
          </Button>
        </div>
      ))}
      <p class="row">
        {missing.map((name) => (
          <Button key={name} onClick={() => add(name)}>
            Add {name}
          </Button>
        ))}
        <Button kind="quiet" onClick={() => add('')}>
          Add another
        </Button>
      </p>
    </fieldset>
  );
};

/** A guess that only makes suggestions: the service parses the template. */
const namesIn = (template: string): readonly string[] => [
  ...new Set(
    [...template.matchAll(/\{\{\s*(?:#if\s+)?([a-z_]\w*)/gi)]
      .map(([, name = '']) => name)
      .filter((name) => name !== 'else'),
  ),
];

interface PromptPreviewProps {
  readonly all: readonly PromptArgument[];
  readonly preview: ReturnType<typeof useLivePreview>;
  readonly shownAt: readonly string[];
}

const PromptPreview = ({ all, preview, shownAt }: PromptPreviewProps) => {
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
          value={member(values, name) ?? ''}
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

/** `texts`: of the last draft that could be rendered; `problem`: why the present one cannot be. */
interface Outcome {
  readonly texts?: readonly string[] | undefined;
  readonly problem?: Problem | undefined;
}

/** Delay after the last key, so that previews stay within the API's rate limit. */
const PAUSE_MS = 500;

/** Has the service render the draft of a prompt whenever typing pauses. */
const useLivePreview = (slug: string, prompt: PromptDraft) => {
  const samples: Readonly<Record<string, string>> = {};
  const [{ values }, change] = useDraft(`preview:${slug}:${prompt.name}`, { values: samples });
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
    fill: (name: string, value: string) => change({ values: { ...values, [name]: value } }),
  };
};

/** Skips arguments without a name; a required one without a value becomes a placeholder. */
const previewOf = (
  { template, arguments: all }: PromptDraft,
  values: Readonly<Record<string, string>>,
) => {
  const named = all.filter(({ name }) => name !== '');
  const given = named.flatMap(({ name, required }) => {
    const value = member(values, name) || (required ? `‹${name}›` : '');
    return value === '' ? [] : [[name, value] as const];
  });
  return {
    template,
    arguments: named.map(({ name, required }) => ({ name, required })),
    given: Object.fromEntries(given),
  };
};
