import { useState } from 'preact/hooks';
import type { ItemOf } from '../../../api/operation.ts';
import { Button, Link } from '../../../kit/button.tsx';
import { CodeBlock } from '../../../kit/copy.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { Form, TextField } from '../../../kit/form.tsx';
import { ProblemNote } from '../../../kit/show.tsx';
import { Time } from '../../../kit/time.tsx';
import { bytes, indented } from '../../../kit/words.ts';
import { useAction } from '../../../state/action.ts';
import { fillDraft } from '../../../state/draft.ts';
import { go } from '../../../state/location.ts';
import { keepCase } from '../cases/keep-case.ts';
import { useServer } from '../frame.tsx';
import { Result } from './one-call.tsx';
import { personOf } from './series.ts';

export type RecordedCall = ItemOf<'GET /deployments/{slug}/recorded-calls'>;

export const sentText = ({ arguments: sent, arguments_text: text }: RecordedCall): string =>
  sent === undefined ? (text ?? '') : JSON.stringify(sent);

export const OneRecorded = ({
  shown,
  onClose,
}: {
  readonly shown: RecordedCall;
  readonly onClose: () => void;
}) => {
  const { slug, server } = useServer();
  const {
    tool,
    version,
    outcome,
    arguments: sent,
    answer,
    answer_left_out_bytes: leftOut,
    error,
  } = shown;
  const tryIt = (choice: Readonly<Record<string, string>>) => {
    // Filled before the page opens, which reads the draft once.
    fillDraft(`try:${slug}:${tool}`, { as: 'json', json: JSON.stringify(sent ?? {}, null, 2) });
    go(
      `/servers/${slug}/tools?${new URLSearchParams({ tool, view: 'try', ...choice }).toString()}`,
    );
  };
  return (
    <Dialog title={tool} onClose={onClose}>
      <p class="row">
        <Result one={shown} /> <span class="soft">{personOf(shown)}</span> <Time at={shown.at} />
      </p>
      <h3>Sent</h3>
      <CodeBlock label="arguments" text={indented(sentText(shown))} />
      {answer !== undefined && (
        <>
          <h3>Answered</h3>
          <CodeBlock label="answer" text={indented(answer)} />
          {leftOut !== undefined && <p class="small soft">{bytes(leftOut)} more were answered.</p>}
        </>
      )}
      {error !== undefined && (
        <>
          <h3>Told in place of an answer</h3>
          <CodeBlock label="error" text={error} />
        </>
      )}
      {outcome === 'ok' && <MakeCase slug={slug} of={shown} />}
      <div class="buttons">
        {sent !== undefined && (
          <Button kind="primary" onClick={() => tryIt({})}>
            Test it again
          </Button>
        )}
        {sent !== undefined && version !== server.version && (
          <Button onClick={() => tryIt({ version: String(version) })}>
            Test it with version {version}
          </Button>
        )}
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
};

/** Makes a case of what the model chose here. No record has the person's wish, so it is asked for. */
const MakeCase = ({ slug, of }: { readonly slug: string; readonly of: RecordedCall }) => {
  const [wish, setWish] = useState('');
  const [isKept, setKept] = useState(false);
  const keeping = useAction(async () => {
    // Masked values are left out: nobody knows what they should be.
    const known = Object.entries(of.arguments ?? {}).filter(
      ([, value]) => !JSON.stringify(value).includes(MASK),
    );
    const args = known.length > 0 && { arguments: Object.fromEntries(known) };
    await keepCase(slug, { wish: wish.trim(), tool: of.tool, ...args });
    setKept(true);
  });
  if (isKept) {
    return (
      <p role="status">
        It is kept among the <Link to={`/servers/${slug}/cases`}>cases</Link>.
      </p>
    );
  }
  return (
    <Form onSubmit={() => void keeping.run()}>
      <TextField
        label="Should this be chosen? Say what a person would ask for"
        value={wish}
        onValue={setWish}
        maxLength={2000}
      />
      <ProblemNote problem={keeping.problem} onRetry={() => void keeping.run()} />
      <Button submit action={keeping} disabled={wish.trim() === ''}>
        Keep as a case
      </Button>
    </Form>
  );
};

const MASK = '[masked]';
