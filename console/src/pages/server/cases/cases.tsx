import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import {
  type Case,
  type CaseResult,
  casesFile,
} from '../../../../../layers/openapi/model-apis/cases.ts';
import { type Answered, call } from '../../../api/call.ts';
import type { AnswerOf } from '../../../api/operation.ts';
import { Button } from '../../../kit/button.tsx';
import { CodeBlock, Command } from '../../../kit/copy.tsx';
import { Badge, ProblemNote, Show } from '../../../kit/show.tsx';
import { Time } from '../../../kit/time.tsx';
import { count } from '../../../kit/words.ts';
import type { PageProps } from '../../../page.ts';
import { useAction } from '../../../state/action.ts';
import { type Loaded, useAnswer, useLoad } from '../../../state/load.ts';
import { useServer } from '../frame.tsx';
import { useOffered } from '../model/offered.ts';
import { OfVendor, Vendors } from '../model/vendors.tsx';
import { CaseForm } from './case-form.tsx';
import { ReplaceCases } from './replace-cases.tsx';
import { RunCases } from './run-cases.tsx';
import { type ShownRun, useCaseRun } from './use-case-run.ts';

type Kept = Answered<AnswerOf<'GET /deployments/{slug}/cases'>>;

/** The cases of a server. With a vendor: also a run of them by one of its models. */
export const Page = ({ params: { vendor } }: PageProps) => {
  const { slug, server, etag } = useServer();
  const path = { slug };
  const loaded = useLoad(`cases:${slug}`, () => call('GET /deployments/{slug}/cases', { path }));
  const runs = useAnswer(`case-runs:${slug}`, 'GET /deployments/{slug}/case-runs', { path });
  const offered = useOffered(server, etag);
  const running = useCaseRun(runs.reload);
  const before = runs.value?.results ?? [];
  return (
    <>
      <h2>Cases</h2>
      <p>
        What people ask for, and the tool that a model should choose. A model is asked each of them,
        and nothing is called.
      </p>
      <Show loaded={loaded}>
        {(kept) => (
          <>
            {kept.body.cases.length > 0 && (
              <section class="panel">
                <h3>Ask a model</h3>
                <OfVendor
                  vendor={vendor}
                  none={
                    <>
                      <p>Choose a model provider. You need a key of your own there.</p>
                      <Vendors of={`/servers/${slug}/cases`} />
                    </>
                  }
                >
                  {(protocol) => (
                    <Show loaded={offered}>
                      {(served) => (
                        <RunCases
                          {...{ running, protocol, kept, before, served }}
                          vendor={vendor ?? ''}
                        />
                      )}
                    </Show>
                  )}
                </OfVendor>
              </section>
            )}
            <CaseList
              {...{ slug, loaded, kept, before }}
              tools={offered.value?.operations.map(({ name }) => name) ?? []}
              run={running.shown}
            />
          </>
        )}
      </Show>
      <ProblemNote problem={runs.problem} onRetry={runs.reload} />
      <Runs runs={runs.value?.runs ?? []} />
      <Command
        lines={[
          `npx --no-install hosted-mcp cases ${slug} --set cases.yaml`,
          `npx --no-install hosted-mcp eval --server ${slug} --model anthropic/MODEL`,
        ]}
      />
    </>
  );
};

interface CaseListProps {
  readonly slug: string;
  readonly loaded: Loaded<Kept>;
  readonly kept: Kept;
  readonly tools: readonly string[];
  /** Results of the latest run that the service stores. */
  readonly before: readonly Pick<CaseResult, 'wish' | 'right'>[];
  readonly run: ShownRun | undefined;
}

/** Values of `open` for a new case and for a pasted file. No wish is one of them. */
const [NEW, FILE] = ['', '\n'];

const CaseList = ({ slug, loaded, kept, tools, before, run }: CaseListProps) => {
  const { cases } = kept.body;
  /** Wish of the case that is edited, or NEW or FILE. */
  const [open, setOpen] = useState<string>();
  const put = async (next: readonly Case[]) => {
    const body = { cases: [...next] };
    const terms = { path: { slug }, body, ifMatch: kept.etag };
    loaded.put(await call('PUT /deployments/{slug}/cases', terms));
  };
  const removing = useAction((at: number) => put(cases.filter((_, index) => index !== at)));
  const form = (before?: Case) => (
    <CaseForm
      {...{ slug, before, tools }}
      at={before ? cases.indexOf(before) : cases.length}
      onSave={(one) =>
        put(before ? cases.map((was) => (was === before ? one : was)) : [...cases, one])
      }
      onClose={() => setOpen(undefined)}
      onStale={loaded.reload}
    />
  );
  const isFixed = run?.running === true;
  return (
    <>
      <ul class="plain talk" aria-label="Cases">
        {cases.map((one, at) => (
          <li key={one.wish}>
            {open === one.wish ? (
              form(one)
            ) : (
              <Shown
                {...{ one, run, tools }}
                before={before.find(({ wish }) => wish === one.wish)?.right}
              >
                <div class="buttons">
                  <Button kind="quiet" disabled={isFixed} onClick={() => setOpen(one.wish)}>
                    Change it
                  </Button>
                  <Button
                    kind="quiet"
                    disabled={isFixed}
                    busy={removing.running}
                    onClick={() => void removing.run(at)}
                  >
                    Remove it
                  </Button>
                </div>
              </Shown>
            )}
          </li>
        ))}
      </ul>
      {cases.length === 0 && <p class="soft">None yet.</p>}
      <ProblemNote problem={removing.problem} onStale={loaded.reload} />
      {open === NEW && form()}
      {open === FILE && (
        <ReplaceCases
          slug={slug}
          before={cases.length}
          onSave={put}
          onClose={() => setOpen(undefined)}
          onStale={loaded.reload}
        />
      )}
      {open !== NEW && open !== FILE && (
        <p class="buttons">
          <Button disabled={isFixed} onClick={() => setOpen(NEW)}>
            Add a case
          </Button>
          <Button disabled={isFixed} onClick={() => setOpen(FILE)}>
            Paste a file
          </Button>
        </p>
      )}
      <details>
        <summary>All of them as a file</summary>
        <CodeBlock label="file of cases" text={casesFile(slug, cases)} />
      </details>
    </>
  );
};

const Shown = ({
  one: { wish, tool, arguments: given },
  tools,
  run,
  before,
  children,
}: {
  readonly one: Case;
  readonly tools: readonly string[];
  readonly run: ShownRun | undefined;
  /** Whether the stored run got it right; undefined if it lacks the case. */
  readonly before: boolean | undefined;
  readonly children: ComponentChildren;
}) => {
  const result = run?.results.find((its) => its.wish === wish);
  const right = result ? result.right : before;
  const isMissing = tool !== null && tools.length > 0 && !tools.includes(tool);
  return (
    <section class="panel" aria-label={wish}>
      <p class="talk-text">{wish}</p>
      <p class="row">
        {tool === null ? 'No tool' : <code>{tool}</code>}
        {right !== undefined && (
          <Badge kind={right ? 'good' : 'bad'}>{right ? 'Right' : 'Wrong'}</Badge>
        )}
        {run?.changed.includes(wish) === true && <Badge kind="warn">Not so before</Badge>}
        {isMissing && <Badge kind="warn">There is no such tool</Badge>}
      </p>
      {given && <pre>{JSON.stringify(given, null, 2)}</pre>}
      {result?.fault !== undefined && <p class="talk-text">The model {result.fault}.</p>}
      {children}
    </section>
  );
};

const Runs = ({ runs }: Pick<AnswerOf<'GET /deployments/{slug}/case-runs'>, 'runs'>) =>
  runs.length === 0 ? null : (
    <section class="panel">
      <h3>Latest runs</h3>
      <ul class="plain entries">
        {runs.slice(0, 5).map((run, index) => (
          <li key={index}>
            <span class="grow">
              {run.right} of {count(run.cases, 'case')} right
            </span>
            <span class="soft small">
              {run.model} ·{' '}
              {run.version === undefined
                ? 'a version before it was published'
                : `version ${run.version}`}{' '}
              · <Time at={run.at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
