import type { CaseResult } from '../../../../../layers/openapi/model-apis/cases.ts';
import type { ModelProtocol } from '../../../../../layers/openapi/model-apis/protocols.ts';
import { useState } from 'preact/hooks';
import { type Answered, call } from '../../../api/call.ts';
import type { AnswerOf } from '../../../api/operation.ts';
import { jsonBody } from '../../../api/packed.ts';
import { Problem } from '../../../api/problem.ts';
import { Button } from '../../../kit/button.tsx';
import { Form, Select } from '../../../kit/form.tsx';
import { Message, Note, ProblemNote } from '../../../kit/show.tsx';
import { count, moment } from '../../../kit/words.ts';
import { useAction } from '../../../state/action.ts';
import { useDraft } from '../../../state/draft.ts';
import { useList } from '../../../state/load.ts';
import { type Server, useServer } from '../frame.tsx';
import { ModelFields, Used, useModel } from '../model/model-fields.tsx';
import { type Offered, offeredBy, type Served } from '../model/offered.ts';
import { offeredOf, type Tool } from '../tools/tool.ts';
import type { RunTerms, ShownRun, useCaseRun } from './use-case-run.ts';

interface RunCasesProps {
  readonly running: ReturnType<typeof useCaseRun>;
  /** Name of the vendor in the page's address. */
  readonly vendor: string;
  readonly protocol: ModelProtocol;
  readonly kept: Answered<AnswerOf<'GET /deployments/{slug}/cases'>>;
  readonly before: readonly Pick<CaseResult, 'wish' | 'right'>[];
  readonly served: Served;
}

export const RunCases = (props: RunCasesProps) => {
  const { running, vendor, protocol, kept, before, served } = props;
  const { server, etag, reload } = useServer();
  const { slug, version } = server;
  const { model, key, price, isReady, fields } = useModel();
  const { shown, run, stop } = running;
  const isRunning = shown?.running === true;
  const { cases } = kept.body;
  // The description that the Versions page prepares in this tab.
  const [draft] = useDraft(`version:${slug}`, { text: '', fileName: '' });
  const earlier = useEarlierVersions(server);
  const choices = [
    [SERVED, `version ${version}, which is served`],
    ...(draft.text === '' ? [] : [[NEXT, `${draft.fileName}, before it is published`] as const]),
    ...earlier,
  ] as const;
  const [about, setAbout] = useState<string>(SERVED);
  const looking = useAction(async () => {
    // A run is stored with the version that the frame has loaded: its tools must be of that version.
    if (about === SERVED && served.etag !== etag) throw changedMeanwhile();
    const { of, offered = served } = await askedOf(server, about, draft.text);
    const terms = { protocol, vendor, slug, of, offered, servedAs: served.etag };
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
        {/* In search mode models see the same three tools, whichever they find. */}
        {!served.isSearch && choices.length > 1 && (
          <Select label="With the tools of" options={choices} value={about} onValue={setAbout} />
        )}
        <div class="buttons">
          <Button kind="primary" submit disabled={!isReady || isBusy}>
            Run {count(cases.length, 'case')}
          </Button>
          {isRunning && <Button onClick={stop}>Stop</Button>}
        </div>
      </Form>
      <ProblemNote problem={looking.problem} onStale={reload} />
      {shown && <Outcome of={shown} price={price} />}
    </>
  );
};

/** Choices besides earlier versions, which have their numbers as values. */
const [SERVED, NEXT] = ['served', 'next'] as const;

/** Versions that the server can return to. */
const useEarlierVersions = ({
  slug,
  version: served,
}: Server): readonly (readonly [number: string, name: string])[] => {
  const path = { slug };
  const key = `versions:${slug}:${served}`;
  const versions = useList(key, 'GET /deployments/{slug}/versions', { path });
  return (versions.value ?? [])
    .filter(({ version }) => version !== served)
    .map(({ version, created_at: at }) => [String(version), `version ${version}, ${moment(at)}`]);
};

const changedMeanwhile = () =>
  new Problem({ status: 412, code: 'stale', detail: 'The server has changed meanwhile.' });

/** Version or description whose tools the model gets; `offered` is absent for the served one. @throws Problem */
const askedOf = async (
  server: Server,
  about: string,
  openapi: string,
): Promise<{ readonly of: RunTerms['of']; readonly offered?: Offered }> => {
  if (about === SERVED) return { of: { version: server.version } };
  if (about !== NEXT) {
    const version = Number(about);
    return { of: { version }, offered: await offeredBy(server, version) };
  }
  const { hash, tools } = await nextTools(server.slug, openapi);
  const { instructions } = server;
  const offered = { tools: tools.map(offeredOf), operations: tools, isSearch: false, instructions };
  return { of: { tools_hash: hash }, offered };
};

/** Tools of a description that is not published. @throws Problem */
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
