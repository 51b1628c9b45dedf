import { useState } from 'preact/hooks';
import {
  type Case,
  type CasesFile,
  casesIn,
} from '../../../../../layers/openapi/model-apis/cases.ts';
import type { Finding } from '../../../api/problem.ts';
import { DraftButtons, Form, TextArea } from '../../../kit/form.tsx';
import { Findings, Message, ProblemNote } from '../../../kit/show.tsx';
import { count } from '../../../kit/words.ts';
import { useAction } from '../../../state/action.ts';
import { useDraft } from '../../../state/draft.ts';

interface ReplaceCasesProps {
  readonly slug: string;
  /** How many cases there are now. */
  readonly before: number;
  readonly onSave: (cases: readonly Case[]) => Promise<unknown>;
  readonly onClose: () => void;
  readonly onStale: () => void;
}

/** Replaces all cases by those of a pasted file. What was pasted stays until they are saved. */
export const ReplaceCases = ({ slug, before, onSave, onClose, onStale }: ReplaceCasesProps) => {
  const [{ text }, change, clear] = useDraft(`cases-file:${slug}`, { text: '' });
  const [faults, setFaults] = useState<readonly Finding[]>([]);
  const saving = useAction(async () => {
    setFaults([]);
    const read = await readCases(text);
    if (read.faults.length > 0) return setFaults(read.faults);
    await onSave(read.cases);
    clear();
    onClose();
  });
  return (
    <Form class="panel" onSubmit={() => saving.run()}>
      <TextArea
        label="A file of cases"
        hint="YAML or JSON, in the form of the file below. It replaces all cases that are kept."
        rows={12}
        value={text}
        onValue={(next) => change({ text: next })}
      />
      {faults.length > 0 && (
        <Message kind="bad">
          Nothing has been replaced.
          <Findings findings={faults} />
        </Message>
      )}
      <ProblemNote problem={saving.problem} onStale={onStale} />
      <DraftButtons
        submit={before === 0 ? 'Keep these' : `Replace ${count(before, 'case')}`}
        busy={saving.running}
        disabled={text.trim() === ''}
        onCancel={() => {
          clear();
          onClose();
        }}
      />
    </Form>
  );
};

/** Cases in a text, and what is wrong with it. A text that is no YAML has no cases. */
const readCases = async (text: string): Promise<Pick<CasesFile, 'cases' | 'faults'>> => {
  const { readYaml } = await import('../../../yaml/read-yaml.ts');
  try {
    return casesIn(readYaml(text), 0);
  } catch (error) {
    const [what = ''] = String(error).split('\n', 1);
    return {
      cases: [],
      faults: [{ where: '', what: `This is no YAML: ${what}`, hint: 'Mend it.' }],
    };
  }
};
