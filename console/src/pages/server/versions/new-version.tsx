import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../../api/call.ts';
import { jsonBody } from '../../../api/packed.ts';
import { asProblem, findingsAt, type Problem } from '../../../api/problem.ts';
import { Button, ButtonLink } from '../../../kit/button.tsx';
import { Command, quoted } from '../../../kit/copy.tsx';
import { Form, TextField } from '../../../kit/form.tsx';
import { Progress } from '../../../kit/progress.tsx';
import { Message, ProblemNote } from '../../../kit/show.tsx';
import type { GivenFile } from '../../../several-files/given-file.ts';
import { useAction, useLater, useLatestAction } from '../../../state/action.ts';
import { useDraft } from '../../../state/draft.ts';
import { useOpeningQuestion } from '../../opening.tsx';
import {
  chosenFiles,
  DESCRIPTION_FILES,
  givenDescription,
} from '../../operations/given-description.ts';
import { OperationChoice } from '../../operations/operation-choice.tsx';
import { type Selection, selectionOf, sentSelection } from '../../operations/selection.ts';
import { RefusedCallsNote, type Report } from '../../refused-calls.tsx';
import { useServer } from '../frame.tsx';
import { Outcome } from './outcome.tsx';

/** The description or its URL; neither for the served description. */
type Given = { readonly openapi?: string; readonly openapi_url?: string };

/** @param isOfPresent - chooses other operations of the served description, which is previewed at once */
export const NewVersion = ({ isOfPresent = false }: { readonly isOfPresent?: boolean }) => {
  const { slug, server, etag, putVersion, reload } = useServer();
  const [draft, change, clear] = useDraft(`version:${slug}`, {
    text: '',
    fileName: '',
    comment: '',
    url: server.openapi_url ?? '',
  });
  const [report, setReport] = useState<Report>();
  /** ETag of the server that the report compares with: differences and exposures hold for that one only. */
  const [lookedAt, setLookedAt] = useState(etag);
  const input = useRef<HTMLInputElement>(null);
  const [given, setGiven] = useState<Given>();
  const before = selectionOf(server.operations);
  const [selection, setSelection] = useState(before);
  const isChange = (chosen: Selection) => JSON.stringify(chosen) !== JSON.stringify(before);
  const isChosen = isChange(selection);
  const wanted = (source: Given, chosen: Selection) => ({
    ...source,
    ...(isChange(chosen) && { operations: sentSelection(chosen) }),
  });

  const looking = useLatestAction(async (isLatest, source: Given, chosen: Selection = before) => {
    following.cancel();
    if (source !== given) setReport(undefined);
    setGiven(source);
    setSelection(chosen);
    const fetched = source === given && report && 'openapi_url' in source;
    const raw = await jsonBody({
      ...wanted(source, chosen),
      ...(fetched && { fetched: report.fetched }),
      deployment: slug,
    });
    const { body } = await call('POST /descriptions', { raw });
    if (!isLatest()) return;
    setReport(body);
    setLookedAt(etag);
  });
  const following = useLater(() => given && void looking.run(given, selection));
  // While the preview is older than the choice, nobody knows what would be published.
  const isBehind = following.waiting || looking.running;
  const isStale = isBehind || looking.problem !== undefined || lookedAt !== etag;
  useEffect(() => {
    if (isOfPresent) void looking.run({});
  }, []);
  const opening = useOpeningQuestion('Publish it for them');
  const publishing = useAction(async () => {
    if (!given || !report || !(await opening.agreed(report.exposures))) return;
    const comment = draft.comment.trim();
    const raw = await jsonBody({
      ...wanted(given, selection),
      fetched: report.fetched,
      ...(comment !== '' && { comment }),
    });
    const sent = { path: { slug }, raw, ifMatch: etag };
    putVersion(
      isChosen
        ? await call('PATCH /deployments/{slug}', sent)
        : await call('PUT /deployments/{slug}/openapi', sent),
    );
    setReport(undefined);
    setGiven(undefined);
    clear();
  });
  const [unreadable, setUnreadable] = useState<Problem>();
  const take = async (files: readonly GivenFile[]) => {
    if (files.length === 0) return;
    setUnreadable(undefined);
    try {
      const { name, text } = await givenDescription(files);
      change({ text, fileName: name });
      await looking.run({ openapi: text });
    } catch (error) {
      setUnreadable(asProblem(error));
    }
  };

  return (
    <section class="panel">
      <h2>{isOfPresent ? 'Choose operations' : 'A new version'}</h2>
      <p class="soft">
        {isOfPresent
          ? 'Choose which operations become tools.'
          : 'Give the changed description as files or by its URL.'}{' '}
        You see what changes before it is served. Clients keep their connection.
      </p>
      <div class="row version-source" hidden={isOfPresent}>
        <input
          ref={input}
          class="visually-hidden"
          id="version-file"
          type="file"
          tabIndex={-1}
          aria-label="File of the new version"
          multiple
          accept={DESCRIPTION_FILES}
          onChange={(event) => {
            void take(chosenFiles(event.currentTarget.files));
            event.currentTarget.value = '';
          }}
        />
        <Button busy={looking.running} onClick={() => input.current?.click()}>
          {draft.fileName === '' ? 'Choose files' : 'Choose other files'}
        </Button>
        {draft.text !== '' && !report && !looking.running && (
          <Button onClick={() => void looking.run({ openapi: draft.text })}>
            Preview {draft.fileName}
          </Button>
        )}
        <ButtonLink to={`/servers/${slug}/tools/choose`}>Choose operations</ButtonLink>
        <Form class="row grow" onSubmit={() => looking.run({ openapi_url: draft.url.trim() })}>
          <span class="grow">
            <TextField
              label="Or its URL"
              type="url"
              required
              placeholder="https://api.example.com/openapi.json"
              value={draft.url}
              onValue={(url) => {
                change({ url });
                // The preview is always of the address in this field.
                if (!given || !('openapi_url' in given)) return;
                looking.clear();
                setReport(undefined);
              }}
            />
          </span>
          <Button submit busy={looking.running}>
            Preview
          </Button>
        </Form>
      </div>
      <ProblemNote
        problem={unreadable ?? looking.problem}
        onRetry={given && (() => void looking.run(given, selection))}
      />
      {looking.running && !report && <Progress what="Reading it and comparing its tools…" />}
      {report && (
        <>
          <RefusedCallsNote report={report} slug={slug} />
          <Outcome report={report} slug={slug} />
          <details
            open={Object.keys(given ?? {}).length === 0 || isChosen || report.problems.length > 0}
          >
            <summary>Operations</summary>
            <OperationChoice
              operations={report.operations}
              selection={selection}
              onSelection={(chosen) => {
                setSelection(chosen);
                following.run();
              }}
            />
          </details>
          <ProblemNote problem={publishing.problem} shownAt={['/comment']} onStale={reload} />
          {lookedAt !== etag && (
            <Message kind="warn">
              The server has changed since this preview.{' '}
              <Button
                busy={looking.running}
                onClick={() => given && void looking.run(given, selection)}
              >
                Preview it again
              </Button>
            </Message>
          )}
          {opening.dialog}
          <TextField
            label="Comment"
            hint="What the version is for, for whoever looks at the list of versions. May stay empty."
            maxLength={500}
            value={draft.comment}
            faults={findingsAt(publishing.problem, '/comment')}
            onValue={(comment) => change({ comment })}
          />
          {publishing.running && <Progress what="Publishing the new version…" />}
          <div class="buttons">
            <Button
              kind="primary"
              action={publishing}
              disabled={!report.publishable || isStale || isSame(given, isChosen)}
            >
              Publish as version {server.version + 1}
            </Button>
            {server.cases_right !== null && draft.text !== '' && (
              <ButtonLink to={`/servers/${slug}/cases`}>Ask a model the cases first</ButtonLink>
            )}
            {!isOfPresent && (
              <Button kind="quiet" onClick={() => setReport(undefined)}>
                Cancel
              </Button>
            )}
            {isBehind && (
              <span class="soft small" role="status">
                Updating the preview…
              </span>
            )}
          </div>
        </>
      )}
      <Command
        lines={`npx --no-install hosted-mcp deploy ${quoted(draft.fileName || draft.url || 'api.yaml')} --slug ${slug}`}
      />
    </section>
  );
};

/** Neither another description nor other operations were chosen. */
const isSame = (given: Given | undefined, isChosen: boolean): boolean =>
  !isChosen && Object.keys(given ?? {}).length === 0;
