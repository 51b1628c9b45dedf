import type { CaseResult } from '../../../../../layers/openapi/model-apis/cases.ts';
import type { ModelProtocol } from '../../../../../layers/openapi/model-apis/protocols.ts';
import type { Answered } from '../../../api/call.ts';
import type { AnswerOf } from '../../../api/operation.ts';
import { Button } from '../../../kit/button.tsx';
import { Form } from '../../../kit/form.tsx';
import { Message, Note } from '../../../kit/show.tsx';
import { count } from '../../../kit/words.ts';
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
  const begin = () => {
    if (!isReady || isRunning) return;
    const offered = tools.map(offeredOf);
    const of = { protocol, vendor, slug, version, tools: offered, instructions };
    void run({ ...of, cases, etag: kept.etag, before }, model, key);
  };
  return (
    <>
      <Note>
        Your key stays in this page and is gone with it. This browser sends it, the wishes and the
        tools to <code>{new URL(protocol.url).host}</code>, and this page can reach no other host.
        The service keeps which wishes were right, and never has the key.
      </Note>
      <Form onSubmit={begin}>
        <ModelFields of={fields} />
        <div class="buttons">
          <Button kind="primary" submit disabled={!isReady || isRunning}>
            Ask {count(cases.length, 'case')}
          </Button>
          {isRunning && <Button onClick={stop}>Stop</Button>}
        </div>
      </Form>
      {shown && <Outcome of={shown} price={price} />}
    </>
  );
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
