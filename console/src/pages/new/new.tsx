import { useEffect, useRef, useState } from 'preact/hooks';
import { call, newKey } from '../../api/call.ts';
import type { AnswerOf } from '../../api/operation.ts';
import { jsonBody } from '../../api/packed.ts';
import { asProblem, type Problem } from '../../api/problem.ts';
import { Button } from '../../kit/button.tsx';
import { Command, quoted } from '../../kit/copy.tsx';
import { member } from '../../../../layers/platform/rules/json/json.ts';
import { plain } from '../../kit/plain-words.ts';
import { Progress } from '../../kit/progress.tsx';
import { Note, PageTitle, ProblemNote } from '../../kit/show.tsx';
import { bytes, count, numbered } from '../../kit/words.ts';
import type { GivenFile } from '../../several-files/given-file.ts';
import { useAction, useLater, useLatestAction } from '../../state/action.ts';
import { forgetShown } from '../../state/load.ts';
import { go } from '../../state/location.ts';
import { exposuresOf, useOpeningQuestion } from '../opening.tsx';
import { givenDescription } from '../operations/given-description.ts';
import { OperationChoice } from '../operations/operation-choice.tsx';
import { selected, selectionOptions } from '../operations/selection.ts';
import type { Report } from '../refused-calls.tsx';
import {
  sentFields,
  FRESH,
  type NewDraft,
  sourceOf,
  toolModeOf,
  useNewDraft,
  useText,
} from './draft.ts';
import { narrowed } from './narrowed.ts';
import { PublishFields } from './publish-fields.tsx';
import { ReportView } from './report.tsx';
import { SourceChoice } from './source-choice.tsx';

export const Page = () => {
  const [draft, change, clear] = useNewDraft();
  const [{ text }, setText, clearText] = useText();
  const [report, setReport] = useState<Report>();
  const place = useRef<HTMLElement>(null);
  /** The smallest number of operations of this description that was too many for a list of tools. */
  const tooMany = useRef(Infinity);
  /** The preview with the most tools: previews of fewer tools are computed from it at once. */
  const whole = useRef<Report>(undefined);

  const looking = useLatestAction(
    async (isLatest, part: Partial<NewDraft>, given: string = text) => {
      const isSame = part.source === undefined && report !== undefined;
      if (!isSame) tooMany.current = Infinity;
      const lookAs = async (next: NewDraft) => {
        const fetched = isSame && next.source === 'url' && { fetched: report.fetched };
        const raw = await jsonBody({ ...sourceOf(next, given), ...sentFields(next), ...fetched });
        return (await call('POST /descriptions', { raw })).body;
      };
      const next = { ...draft, ...part, isTooLarge: false };
      const wanted = isSame ? selected(report.operations, next.selection).size : 0;
      const isKnown = next.toolMode === undefined && wanted >= tooMany.current;
      const listed = isKnown ? undefined : await lookAs(next);
      const isSearched =
        next.toolMode === undefined && (listed === undefined || isTooLarge(listed));
      if (listed && isSearched) tooMany.current = Math.min(tooMany.current, chosenIn(listed));
      const found = listed && !isSearched ? listed : await lookAs({ ...next, isTooLarge: true });
      if (!isLatest()) return;
      change({ isTooLarge: isSearched && !isTooLarge(found) });
      setReport(found);
      const isWider = found.tools.length >= (whole.current?.tools.length ?? 0);
      if (!isSame || isWider || part.apiBaseUrl !== undefined) whole.current = found;
      if (!isSame) place.current?.scrollIntoView({ block: 'start', behavior: 'smooth' });
    },
  );
  const following = useLater(() => void looking.run({}));
  const look = (part: Partial<NewDraft>, given?: string) => {
    following.cancel();
    if (Object.keys(part).length > 0) change(part);
    if (part.source) setReport(undefined);
    void looking.run(part, given);
  };

  const opening = useOpeningQuestion('Publish it for everybody');
  const publishing = useAction(async () => {
    const wanted = { ...sourceOf(draft, text), ...sentFields(draft) };
    if (!(await opening.agreed(await exposuresOf(undefined, wanted)))) return;
    const key = draft.key === '' ? newKey() : draft.key;
    change({ key });
    const slug = await publish(draft, text, key, report?.fetched);
    forgetShown('servers');
    clear();
    clearText();
    // The API needs a credential, and its form can be filled in from the description.
    const isAsked = report?.credential_needs.some((need) => need.proposals.length > 0);
    go(`/servers/${slug}/${isAsked ? 'credentials' : 'tools'}?new=yes`);
  });
  const [unreadable, setUnreadable] = useState<Problem>();
  const take = (given: Promise<readonly GivenFile[]>) => {
    setUnreadable(undefined);
    given
      .then(async (files) => (files.length === 0 ? undefined : givenDescription(files)))
      .then(
        (read) => {
          if (!read) return;
          setText({ text: read.text });
          // A file name without a text stands for a file that the browser could not store, so an empty file gets none.
          const fileName = read.text === '' ? '' : read.name;
          look({ fileName, source: 'file', ...FRESH }, read.text);
        },
        (error: unknown) => setUnreadable(asProblem(error)),
      );
  };
  const showAtOnce = (next: NewDraft) => {
    const seen = whole.current;
    if (!seen) return;
    const isTooLong =
      next.toolMode === undefined &&
      selected(seen.operations, next.selection).size >= tooMany.current;
    change({ isTooLarge: isTooLong });
    const mode = toolModeOf({ ...next, isTooLarge: isTooLong });
    setReport((before) => narrowed(seen, next.selection, mode) ?? before);
  };
  const set = (part: Partial<NewDraft>) => {
    // A changed publication needs a new idempotency key.
    change({ key: '', ...part });
    publishing.clear();
    // The preview belongs to one description: another one empties it.
    if (part.source !== undefined || part.url !== undefined || part.galleryId !== undefined) {
      following.cancel();
      looking.clear();
      setReport(undefined);
    } else if (report && PREVIEWED.some((name) => name in part)) {
      showAtOnce({ ...draft, ...part });
      following.run();
    }
  };

  // After a reload the draft is still there: its preview is loaded again.
  useEffect(() => {
    const isGiven =
      (['file', 'text'].includes(draft.source) && text !== '') ||
      (draft.source === 'gallery' && draft.galleryId !== '');
    if (isGiven) void looking.run({});
  }, []);

  // While the preview is older than the choice, nobody knows what would be published.
  const isBehind = following.waiting || looking.running;
  const refused = isBehind || looking.problem ? [] : (report?.problems ?? []);

  return (
    <>
      <PageTitle>New server</PageTitle>
      <SourceChoice
        draft={draft}
        text={text}
        hasReport={report !== undefined}
        change={set}
        onFiles={take}
        onText={(typed) => {
          setText({ text: typed });
          set({});
          setReport(undefined);
        }}
        onLook={look}
        busy={looking.running}
      />
      <ProblemNote problem={unreadable ?? looking.problem} onRetry={() => void looking.run({})} />
      {looking.running && !report && (
        <Progress
          what={
            ['file', 'text'].includes(draft.source) && text !== ''
              ? `Sending ${bytes(text.length)} and reading them…`
              : 'Reading the description…'
          }
        />
      )}
      {report && (
        <>
          <section class="panel" ref={place}>
            <h2>2. What it becomes: {report.title}</h2>
            <ReportView
              report={report}
              isTooLarge={draft.isTooLarge && toolModeOf(draft) === 'search'}
              onBaseUrl={(apiBaseUrl) => look({ apiBaseUrl })}
            />
          </section>
          <section class="panel">
            <h2>3. The operations</h2>
            <OperationChoice
              operations={report.operations}
              selection={draft.selection}
              onSelection={(selection) => set({ selection })}
            />
          </section>
          <section class="panel">
            <h2>4. Name and access</h2>
            <PublishFields
              draft={draft}
              report={report}
              problem={publishing.problem}
              onChange={set}
            />
            <ProblemNote
              problem={publishing.problem}
              shownAt={['/slug', '/name', '/api_base_url']}
              onRetry={() => void publishing.run()}
            />
            {opening.dialog}
            {publishing.running && (
              <Progress what="Publishing: making the tools and storing them…" />
            )}
            {refused.length > 0 && <Refused problems={refused} />}
            <div class="buttons">
              <Button kind="primary" action={publishing} disabled={isBehind || refused.length > 0}>
                Publish
              </Button>
              <span class="soft small" aria-live="polite">
                {isBehind ? 'Updating the preview…' : refused.length === 0 && comesTo(report)}
              </span>
            </div>
            <Command lines={commandOf(draft)} />
          </section>
        </>
      )}
    </>
  );
};

/** Fields besides the description that change the preview. */
const PREVIEWED = ['selection', 'toolMode', 'apiBaseUrl', 'slug'] as const;

/** Summary of the choice, shown beside the button. */
const comesTo = ({ tool_mode: mode, totals: { tools, tokens } }: Report): string =>
  mode === 'search'
    ? `Search mode, with ${count(tools, 'operation')}`
    : `${count(tools, 'tool')}, about ${numbered(tokens)} tokens`;

const chosenIn = ({ operations }: Report): number =>
  operations.filter(({ chosen }) => chosen).length;

/** Advice for this page, by the code of the problem. */
const REMEDIES: Readonly<Record<string, string>> = {
  no_server_url: 'Give the base URL of the API above.',
  too_many_operations: 'Choose fewer under 3, or “Search mode” above.',
  slug_taken: 'Choose another URL name above.',
};

const Refused = ({ problems }: { readonly problems: Report['problems'] }) => (
  <Note kind="bad">
    <p>
      <strong>It cannot be published like this.</strong>
    </p>
    <ul class="findings">
      {problems.map(({ code, detail, findings }) => (
        <li key={code + detail}>
          {plain(detail)}{' '}
          {member(REMEDIES, code) ?? findings.map(({ hint }) => plain(hint)).join(' ')}
        </li>
      ))}
    </ul>
  </Note>
);

const isTooLarge = ({ problems }: Report): boolean =>
  problems.some(({ code }) => code === 'too_many_operations');

/** @param fetched - the text that the preview was made from, so that the same one is published */
const publish = async (
  draft: NewDraft,
  text: string,
  idempotencyKey: string,
  fetched: Report['fetched'] | undefined,
): Promise<string> => {
  if (draft.source === 'gallery') {
    const { body }: { readonly body: AnswerOf<'POST /gallery/{id}/deployments'> } = await call(
      'POST /gallery/{id}/deployments',
      { path: { id: draft.galleryId }, body: sentFields(draft), idempotencyKey },
    );
    return body.slug;
  }
  const wanted = { ...sourceOf(draft, text), ...sentFields(draft), ...(fetched && { fetched }) };
  const { body } = await call('POST /deployments', { raw: await jsonBody(wanted), idempotencyKey });
  return body.slug;
};

const commandOf = (draft: NewDraft): string => {
  const what =
    draft.source === 'gallery'
      ? `gallery deploy ${quoted(draft.galleryId)}`
      : `deploy ${quoted(draft.source === 'url' ? draft.url : draft.fileName || 'api.yaml')}`;
  const { slug, name, tool_mode: mode, mcp_auth_method: auth } = sentFields(draft);
  return [
    `npx --no-install hosted-mcp ${what}`,
    ...(slug === undefined ? [] : [`--slug ${quoted(slug)}`]),
    ...(name === undefined ? [] : [`--name ${quoted(name)}`]),
    ...(auth === 'oauth' ? [] : [`--auth ${auth}`]),
    ...(mode === 'operations' ? [] : [`--tool-mode ${mode}`]),
    ...selectionOptions(draft.selection, quoted),
  ].join(' ');
};
