import { isObject } from '../../../../../layers/platform/rules/json/json.ts';
import { jsonOrUndefined } from '../../../../../layers/platform/rules/json/parsed-json.ts';
import { useState } from 'preact/hooks';
import type { Case } from '../../../../../layers/openapi/model-apis/cases.ts';
import { DraftButtons, fieldsOf, Form, Select, TextArea } from '../../../kit/form.tsx';
import { ProblemNote } from '../../../kit/show.tsx';
import { useAction } from '../../../state/action.ts';
import { useDraft } from '../../../state/draft.ts';

/** Value for "no tool": names of tools are never empty. */
const NONE = '';

interface CaseFormProps {
  readonly slug: string;
  readonly before?: Case | undefined;
  /** Index in the list, which the API's findings name. */
  readonly at: number;
  readonly tools: readonly string[];
  readonly onSave: (one: Case) => Promise<unknown>;
  readonly onClose: () => void;
  readonly onStale: () => void;
}

/** Form of one case. What was typed stays until it is saved. */
export const CaseForm = ({ slug, before, at, tools, onSave, onClose, onStale }: CaseFormProps) => {
  const [draft, change, clear] = useDraft(`case:${slug}:${before?.wish ?? ''}`, {
    wish: before?.wish ?? '',
    tool: before?.tool ?? NONE,
    args: before?.arguments ? JSON.stringify(before.arguments, null, 2) : '',
  });
  const [fault, setFault] = useState<string>();
  const saving = useAction(async (one: Case) => {
    await onSave(one);
    clear();
    onClose();
  });
  const field = fieldsOf(draft, change, saving.problem);
  const save = () => {
    const args = argumentsIn(draft.args);
    if (args === 'unreadable') return setFault('Write a JSON object, as {"status": "late"}.');
    setFault(undefined);
    const tool = draft.tool === NONE ? null : draft.tool;
    return saving.run({
      wish: draft.wish.trim(),
      tool,
      ...(tool !== null && args && { arguments: args }),
    });
  };
  const known = draft.tool === NONE || tools.includes(draft.tool) ? tools : [...tools, draft.tool];
  return (
    <Form class="panel" onSubmit={save}>
      <TextArea
        label="What a person would ask for"
        class="words"
        rows={2}
        required
        {...field('wish', `/cases/${at}/wish`)}
      />
      <Select
        label="The tool that should be chosen"
        options={[[NONE, 'None'], ...known.map((name) => [name, name] as const)]}
        {...field('tool', `/cases/${at}/tool`)}
      />
      {draft.tool !== NONE && (
        <TextArea
          label="Arguments"
          hint="If you like, as JSON: these, and others besides."
          rows={3}
          {...field('args', `/cases/${at}/arguments`)}
          fault={fault}
        />
      )}
      <ProblemNote
        problem={saving.problem}
        shownAt={[`/cases/${at}/wish`, `/cases/${at}/tool`, `/cases/${at}/arguments`]}
        onStale={onStale}
      />
      <DraftButtons
        submit="Keep it"
        busy={saving.running}
        disabled={draft.wish.trim() === ''}
        onCancel={() => {
          clear();
          onClose();
        }}
      />
    </Form>
  );
};

const argumentsIn = (text: string): Case['arguments'] | 'unreadable' => {
  if (text.trim() === '') return undefined;
  const read = jsonOrUndefined(text);
  return isObject(read) ? read : 'unreadable';
};
