import { useState } from 'preact/hooks';
import { type AnswerOf, call } from '../../../api/call.ts';
import { Button } from '../../../kit/button.tsx';
import { TextArea } from '../../../kit/field.tsx';
import { Form } from '../../../kit/form.tsx';
import { ProblemNote } from '../../../kit/notice.tsx';
import { useAction } from '../../../state/action.ts';
import { useDraft } from '../../../state/draft.ts';
import { useServer } from '../frame.tsx';
import { ArgumentField } from './argument-field.tsx';
import { argumentsOf, readArguments, readJson, type Typed } from './tool-arguments.ts';
import type { Tool } from './tool.ts';
import { TrialResult } from './trial-result.tsx';

interface Draft {
  readonly as: 'form' | 'json';
  readonly typed: Typed;
  readonly json: string;
}

/** Calls the tool as a client would, with the server's credential, and shows what went out and what came. */
export const ToolTrial = ({ tool }: { readonly tool: Tool }) => {
  const { server } = useServer();
  const all = argumentsOf(tool.input_schema);
  const [draft, change, clear] = useDraft<Draft>(`try:${server.slug}:${tool.name}`, {
    as: 'form',
    typed: {},
    json: '{}',
  });
  const [tried, setTried] = useState<{ sent: object; trial: AnswerOf<'testTool'> }>();
  const [touched, setTouched] = useState(false);

  const asJson = readJson(draft.json);
  const read = readArguments(all, draft.typed);
  const values = draft.as === 'form' ? read.values : asObject(asJson.value);
  const isReadable =
    draft.as === 'form' ? Object.keys(read.faults).length === 0 : asJson.fault === undefined;

  const calling = useAction(async () => {
    setTouched(true);
    if (!isReadable) return;
    const { body } = await call('testTool', {
      path: { slug: server.slug, name: tool.name },
      body: { arguments: values },
    });
    setTried({ sent: values, trial: body });
  });

  return (
    <Form class="trial" noValidate onSubmit={() => calling.run()}>
      {draft.as === 'form' ? (
        all.map((argument) => (
          <ArgumentField
            key={argument.name}
            argument={argument}
            value={draft.typed[argument.name] ?? ''}
            fault={touched ? read.faults[argument.name] : undefined}
            onValue={(text) => change({ typed: { ...draft.typed, [argument.name]: text } })}
          />
        ))
      ) : (
        <TextArea
          label="Arguments"
          hint="A JSON object"
          rows={10}
          value={draft.json}
          fault={touched ? asJson.fault : undefined}
          onValue={(json) => change({ json })}
        />
      )}
      {all.length === 0 && draft.as === 'form' && <p class="soft">It takes no arguments.</p>}
      <div class="buttons">
        <Button kind="primary" submit busy={calling.running}>
          {calling.running ? 'Calling…' : 'Call'}
        </Button>
        <Button
          kind="quiet"
          onClick={() =>
            change(
              draft.as === 'form'
                ? { as: 'json', json: JSON.stringify(values, null, 2) }
                : { as: 'form' },
            )
          }
        >
          {draft.as === 'form' ? 'Write JSON instead' : 'Back to the form'}
        </Button>
        <Button
          kind="quiet"
          onClick={() => {
            clear();
            setTried(undefined);
            setTouched(false);
          }}
        >
          Clear
        </Button>
      </div>
      <p class="small soft">
        This is a real call to {server.api_base_url}
        {server.has_credential
          ? ', with the credential of this server.'
          : ', without a credential.'}
      </p>
      <ProblemNote problem={calling.problem} onRetry={() => void calling.run()} />
      {tried && <TrialResult slug={server.slug} tool={tool.name} {...tried} />}
    </Form>
  );
};

const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
