import type { CaseResult } from '../../../../../layers/openapi/model-apis/cases.ts';
import type { ModelProtocol } from '../../../../../layers/openapi/model-apis/protocols.ts';
import { useState } from 'preact/hooks';
import { type Answered, call } from '../../../api/call.ts';
import type { AnswerOf } from '../../../api/operation.ts';
import { jsonBody } from '../../../api/packed.ts';
import { Problem } from '../../../api/problem.ts';
import { Button } from '../../../kit/button.tsx';
import { Radios } from '../../../kit/choice.tsx';
import { Form } from '../../../kit/form.tsx';
import { Message, Note, ProblemNote } from '../../../kit/show.tsx';
import { count } from '../../../kit/words.ts';
import { useAction } from '../../../state/action.ts';
import { useDraft } from '../../../state/draft.ts';
import { useServer } from '../frame.tsx';
import { ModelFields, Used, useModel } from '../model/model-fields.tsx';
import { offeredOf, type Tool } from '../tools/tool.ts';
import type { ShownRun, useCaseRun } from './use-case-run.ts';

interface RunCasesProps {
  readonly running: ReturnType<typeof useCaseRun>;
  /** Its word in the address. */
  readonly vendor: string;
  readonly protocol: ModelProtocol;
  readonly kept: Answered<AnswerOf<'GET /deployments/{slug}/cases'>>;
  readonly before: readonly Pick<CaseResult, 'wish' | 'right'>[];
  readonly tools: readonly Tool[];
}

/** Asks a model of one vendor all cases, with the key of the person, and says how it went. */
export const RunCases = (props: RunCasesProps) => {
  const { running, vendor, protocol, kept, before, tools } = props;
  const { slug, version, instructions } = useServer().server;
  const { model, key, price, isReady, fields } = useModel();
  const { shown, run, stop } = running;
  const isRunning = shown?.running === true;
  const { cases } = kept.body;
  // What is prepared under Versions, in this tab.
  const [draft] = useDraft(`version:${slug}`, { text: '', fileName: '' });
  const [about, setAbout] = useState<'served' | 'next'>('served');
  const looking = useAction(async () => {
    const next = about === 'next' ? await nextTools(slug, draft.text) : undefined;
    const of = next ? { tools_hash: next.hash } : { version };
    const offered = (next?.tools ?? tools).map(offeredOf);
    const terms = { protocol, vendor, slug, of, tools: offered, instructions };
    void run({ ...terms, cases, etag: kept.etag, before }, model, key);
  });
  const isBusy = isRunning || looking.running;
  return (
    <>
      <Note>
        Your key stays in this page and is gone with it. This browser sends it, the wishes and the
        tools to <code>{new URL(protocol.url).host}</code>, and this page can reach no other host.
        The service keeps which wishes were right, and never has the key.
      </Note>
      <Form onSubmit={() => isReady && !isBusy && looking.run()}>
        <ModelFields of={fields} />
        {draft.text !== '' && (
          <Radios
            legend="With the tools of"
            value={about}
            onValue={setAbout}
            options={{
              served: `version ${version}, which is served`,
              next: `${draft.fileName}, before it is published`,
            }}
          />
        )}
        <div class="buttons">
          <Button kind="primary" submit disabled={!isReady || isBusy}>
            Ask {count(cases.length, 'case')}
          </Button>
          {isRunning && <Button onClick={stop}>Stop</Button>}
        </div>
      </Form>
      <ProblemNote problem={looking.problem} />
      {shown && <Outcome of={shown} price={price} />}
    </>
  );
};

/** Of a description that is not published. @throws Problem */
const nextTools = async (
  slug: string,
  openapi: string,
): Promise<{ readonly hash: string; readonly tools: readonly Tool[] }> => {
  const raw = await jsonBody({ openapi, deployment: slug });
  const { tools, tools_hash: hash } = (await call('POST /descriptions', { raw })).body;
  if (hash !== undefined) return { hash, tools };
  const detail = 'It cannot be published as it is: Versions says what is in the way.';
  throw new Problem({ status: 0, code: 'description_invalid', detail });
};

const Outcome = ({
  of: { running, of, results, ended, notKept },
  price,
}: {
  readonly of: ShownRun;
  readonly price: string;
}) => {
  const sum = (member: 'input_tokens' | 'output_tokens') =>
    results.reduce((total, one) => total + one[member], 0);
  const right = results.filter((one) => one.right).length;
  return (
    <>
      {running && <progress max={of} value={results.length} aria-label="Cases that were asked" />}
      <p role="status">
        {running
          ? `${results.length} of ${count(of, 'case')} asked…`
          : `${right} of ${count(results.length, 'case')} right.`}
      </p>
      {ended !== undefined && (
        <Message kind="bad">
          {ended} {results.length} of {count(of, 'case')} were asked; what was found stands below.
        </Message>
      )}
      {notKept !== undefined && <Message kind="warn">This run is not kept. {notKept}</Message>}
      {!running && (
        <Used sent={sum('input_tokens')} received={sum('output_tokens')} price={price} />
      )}
    </>
  );
};
