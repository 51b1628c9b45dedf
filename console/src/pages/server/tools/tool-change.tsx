import { member } from '../../../../../layers/platform/rules/json/json.ts';
import { Button } from '../../../kit/button.tsx';
import { ProblemNote } from '../../../kit/show.tsx';
import { fieldsOf, Form, Select, TextArea, TextField } from '../../../kit/form.tsx';
import { useAction } from '../../../state/action.ts';
import { useDraft } from '../../../state/draft.ts';
import { go, usePlace } from '../../../state/location.ts';
import { useServer } from '../frame.tsx';
import { type ArgumentChange, draftOf, HINTS, overrideFrom } from './change-draft.ts';
import { argumentsOf } from './tool-arguments.ts';
import { ORIGINAL, resetOf } from './own-text.ts';
import { type Override, overrideOf, type Overrides, type Tool } from './tool.ts';

/** The form of a tool's override. Saving it makes a new version of all tools. */
export const ToolChange = ({ tool }: { readonly tool: Tool }) => {
  const { server, patch, putVersion, reload } = useServer();
  const { path } = usePlace();
  const [key, override] = overrideOf(server, tool);
  const [draft, change, clear] = useDraft(`change:${server.slug}:${key}`, draftOf(override, tool));
  const read = overrideFrom(draft, override, tool);

  const send = async (next: Override | null) => {
    const answered = await patch({ overrides: { [key]: next } as Overrides });
    clear();
    putVersion(answered);
    const { added, removed, renamed = [] } = answered.body.tools;
    const renaming = renamed.find(({ before }) => before === tool.name);
    const name = renaming?.after ?? added[0];
    if (renaming || removed.includes(tool.name))
      go(
        `${path}${name === undefined || next?.hidden ? '' : `?tool=${encodeURIComponent(name)}&view=change`}`,
        { replace: true },
      );
  };
  const saving = useAction(async () => {
    if (Object.keys(read.faults).length === 0) await send(read.override);
  });
  const hiding = useAction(() => send({ ...override, hidden: true }));
  const field = fieldsOf(draft, change, undefined);
  const resetting = useAction(() => send(null));
  /** Props of a field for a text of the tool, with a button that puts the original back. */
  const text = (name: 'description' | 'name' | 'title') => ({
    ...field(name),
    placeholder: ORIGINAL,
    onReset: resetOf(tool[name], override[name], draft[name], (to) => change({ [name]: to })),
  });

  return (
    <Form noValidate onSubmit={() => saving.run()}>
      <TextField
        label="Name"
        hint="What clients call it by: at most 64 letters, digits, dashes and underscores."
        maxLength={64}
        {...text('name')}
      />
      <TextField
        label="Title"
        hint="What people see in clients that show titles."
        maxLength={100}
        {...text('title')}
      />
      <TextArea
        label="Description"
        hint="Models choose tools by it. At most 1,024 characters."
        class="words"
        rows={4}
        {...text('description')}
      />
      <TextArea
        label="Response fields to keep"
        hint="What models are shown of a JSON answer: one path a line, * for every element, as /items/*/id. Empty: all of it. “Test” shows both."
        rows={3}
        fault={read.faults['answerFields']}
        {...field('answerFields')}
      />
      <TextArea
        label="Headers of its answers"
        hint="What models are told of them: one name a line, * at its end for any ending, as x-total-*; “none” for none. Empty: those that are described, and those that callers need."
        rows={2}
        {...field('answerHeaders')}
      />
      <TextArea
        label="Keywords"
        hint="Words by which search mode finds it, one a line, besides those of the description."
        rows={2}
        fault={read.faults['keywords']}
        {...field('keywords')}
      />
      <Select
        label="A call that lacks an argument, or has one of another type or format, than the description requires"
        {...field('argumentChecks')}
        options={{
          '': `as for the server (${server.argument_checks})`,
          strict: 'is refused, and says what is wrong',
          lenient: 'is sent, and the API decides',
        }}
      />
      <Select
        label="In clients that look for tools only when they need them"
        {...field('alwaysLoad')}
        options={{
          '': 'found by a search, as all others',
          true: 'there from the start (3 tools at most)',
          false: 'found by a search',
        }}
      />
      <fieldset>
        <legend>What clients learn about its effects</legend>
        <div class="columns two">
          {HINTS.map(([hint, text]) => (
            <Select
              key={hint}
              label={text}
              value={draft.hints[hint] ?? ''}
              options={{ '': 'as the method suggests', true: 'yes', false: 'no' }}
              onValue={(value) => change({ hints: { ...draft.hints, [hint]: value } })}
            />
          ))}
        </div>
      </fieldset>
      <ArgumentChanges
        tool={tool}
        changes={draft.arguments}
        faults={read.faults}
        onChanges={(next) => change({ arguments: next })}
      />
      <ProblemNote
        problem={saving.problem ?? hiding.problem ?? resetting.problem}
        onStale={reload}
      />
      <div class="buttons">
        <Button kind="primary" submit action={saving}>
          {saving.running ? 'Making a new version…' : 'Save'}
        </Button>
        <Button action={hiding}>Hide this tool</Button>
        {Object.keys(override).length > 0 && (
          <Button kind="quiet" action={resetting}>
            Undo all changes
          </Button>
        )}
      </div>
    </Form>
  );
};

type Changes = Readonly<Record<string, ArgumentChange>>;

interface ArgumentChangesProps {
  readonly tool: Tool;
  readonly changes: Changes;
  readonly faults: Readonly<Record<string, string>>;
  readonly onChanges: (changes: Changes) => void;
}

const OFFERED: ArgumentChange = { as: 'offered', value: '' };

const ArgumentChanges = ({ tool, changes, faults, onChanges }: ArgumentChangesProps) => {
  const offered = argumentsOf(tool.input_schema).map(({ name }) => name);
  const names = [...new Set([...offered, ...Object.keys(changes)])];
  if (names.length === 0) return null;
  const set = (name: string, change: Partial<ArgumentChange>) =>
    onChanges({ ...changes, [name]: { ...OFFERED, ...member(changes, name), ...change } });
  return (
    <fieldset>
      <legend>Arguments</legend>
      <p class="hint">
        A fixed value is sent with each call and no model can change it; text stands in double
        quotes.
      </p>
      {names.map((name) => {
        const { as, value } = member(changes, name) ?? OFFERED;
        return (
          <div key={name} class="columns two">
            <Select
              label={<code>{name}</code>}
              value={as}
              options={{
                offered: 'offered to models',
                hidden: 'hidden, never sent',
                fixed: 'fixed to a value',
              }}
              onValue={(next) => set(name, { as: next })}
            />
            {as === 'fixed' && (
              <TextField
                label={`Value of ${name}`}
                placeholder={'"text", 12, true, ["a"]'}
                value={value}
                fault={member(faults, name)}
                onValue={(next) => set(name, { value: next })}
              />
            )}
          </div>
        );
      })}
    </fieldset>
  );
};
