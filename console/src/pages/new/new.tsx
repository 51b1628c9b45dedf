import { useEffect, useRef, useState } from 'preact/hooks';
import { call, newKey } from '../../api/call.ts';
import type { AnswerOf } from '../../api/operation.ts';
import { jsonBody } from '../../api/packed.ts';
import { asProblem, type Problem } from '../../api/problem.ts';
import { Button } from '../../kit/button.tsx';
import { Radios } from '../../kit/choice.tsx';
import { Command, quoted } from '../../kit/copy.tsx';
import { fieldsOf, TextField } from '../../kit/form.tsx';
import { Progress } from '../../kit/progress.tsx';
import { PageTitle, ProblemNote } from '../../kit/show.tsx';
import { bytes } from '../../kit/words.ts';
import type { GivenFile } from '../../several-files/given-file.ts';
import { useAction, useLatestAction } from '../../state/action.ts';
import { forgetShown } from '../../state/load.ts';
import { go } from '../../state/location.ts';
import { exposuresOf, useOpeningQuestion } from '../opening.tsx';
import { givenDescription } from '../operations/given-description.ts';
import { OperationChoice } from '../operations/operation-choice.tsx';
import { selectionOptions } from '../operations/selection.ts';
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
import { ReportView } from './report.tsx';
import { SourceChoice } from './source-choice.tsx';

export const Page = () => {
  const [draft, change, clear] = useNewDraft();
  const [{ text }, setText, clearText] = useText();
  const [report, setReport] = useState<Report>();
  const [isStale, setStale] = useState(false);
  const place = useRef<HTMLElement>(null);

  const looking = useLatestAction(
    async (isLatest, part: Partial<NewDraft>, given: string = text) => {
      const isSame = part.selection === undefined && report !== undefined;
      const lookAs = async (next: NewDraft) => {
        const raw = await jsonBody({ ...sourceOf(next, given), ...sentFields(next) });
        return (await call('POST /descriptions', { raw })).body;
      };
      const next = { ...draft, ...part, isTooLarge: false };
      const listed = await lookAs(next);
      const isSearched = draft.toolMode === undefined && isTooLarge(listed);
      const found = isSearched ? await lookAs({ ...next, isTooLarge: true }) : listed;
      if (!isLatest()) return;
      change({ isTooLarge: isSearched && !isTooLarge(found) });
      setReport(found);
      setStale(false);
      if (!isSame) place.current?.scrollIntoView({ block: 'start', behavior: 'smooth' });
    },
  );
  const look = (part: Partial<NewDraft>, given?: string) => {
    if (Object.keys(part).length > 0) change(part);
    if (part.selection) setReport(undefined);
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
    go(`/servers/${slug}/tools?new=yes`);
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
          // A name without a text is that of a file whose text the browser could not keep.
          const fileName = read.text === '' ? '' : read.name;
          look({ fileName, source: 'file', ...FRESH }, read.text);
        },
        (error: unknown) => setUnreadable(asProblem(error)),
      );
  };
  const set = (part: Partial<NewDraft>) => {
    // A changed publication needs a new idempotency key.
    change({ key: '', ...part });
    setStale(report !== undefined);
    // The preview belongs to one description: another one empties it.
    if (part.source !== undefined || part.url !== undefined) setReport(undefined);
    looking.clear();
    publishing.clear();
  };

  // After a reload the draft is still there: its preview is loaded again.
  useEffect(() => {
    const isGiven =
      (['file', 'text'].includes(draft.source) && text !== '') ||
      (draft.source === 'gallery' && draft.galleryId !== '');
    if (isGiven) void looking.run({ selection: draft.selection });
  }, []);

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
      <ProblemNote
        problem={unreadable ?? looking.problem}
        onRetry={() => void looking.run({ selection: draft.selection })}
      />
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
            <div class="buttons">
              <Button kind="primary" action={publishing}>
                Publish
              </Button>
              <Button
                busy={looking.running}
                disabled={!isStale}
                onClick={() => void looking.run({})}
              >
                {looking.running ? 'Updating…' : 'Update the preview'}
              </Button>
            </div>
            <Command lines={commandOf(draft)} />
          </section>
        </>
      )}
    </>
  );
};

const isTooLarge = ({ problems }: Report): boolean =>
  problems.some(({ code }) => code === 'too_many_operations');

/** @param fetched - what the preview is made of */
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

interface PublishFieldsProps {
  readonly draft: NewDraft;
  readonly report: Report;
  readonly problem: Problem | undefined;
  readonly onChange: (part: Partial<NewDraft>) => void;
}

const PublishFields = ({ draft, report, problem, onChange }: PublishFieldsProps) => {
  const field = fieldsOf(draft, onChange, problem);
  const slug = draft.slug === '' ? (report.slug ?? 'my-api') : draft.slug;
  return (
    <>
      <div class="columns two">
        <TextField
          label="Name"
          hint="What people see."
          maxLength={200}
          placeholder={report.title}
          {...field('name')}
        />
        <TextField
          label="URL name"
          hint={
            <>
              <code>{`${location.origin}/v1/mcp-router/${slug}/messages`}</code>. It cannot be
              changed later.
            </>
          }
          maxLength={63}
          placeholder={report.slug ?? ''}
          {...field('slug')}
          fault={problem?.code === 'slug_taken' ? 'This name is taken. Choose another.' : undefined}
          onValue={(next) => onChange({ slug: next.toLowerCase() })}
        />
      </div>
      <Radios
        legend="Who may call it"
        {...field('authMethod')}
        options={{
          oauth: ['Sign-in (OAuth)', 'Only you at first; others are let in under Access.'],
          jwt: ['API tokens', 'You create tokens for programs, or trust those of your own issuer.'],
          none: ['Public', 'Nobody signs in; calls are limited by address.'],
        }}
      />
      <Radios
        legend="Tools"
        value={toolModeOf(draft)}
        onValue={(toolMode) => onChange({ toolMode })}
        options={{
          operations: ['A tool for each operation', 'Best up to about 50.'],
          search: [
            'Search mode',
            'For large APIs: three tools search, describe and call the operations, and the list stays short.',
          ],
        }}
      />
      {draft.source !== 'gallery' && (
        <details open={draft.apiBaseUrl !== '' || report.api_base_url === undefined}>
          <summary>Base URL, if not that of the description</summary>
          <TextField
            label="Base URL of the API"
            hint={
              report.described_base_url === undefined
                ? 'The description names none that can be called.'
                : `The description says ${report.described_base_url}. A URL without a path replaces its host alone.`
            }
            type="url"
            placeholder={report.api_base_url ?? 'https://api.example.com/v1'}
            {...field('apiBaseUrl', '/api_base_url')}
          />
          {report.api_base_url !== undefined && (
            <p class="small">
              Calls go to <code>{report.api_base_url}</code>.
            </p>
          )}
        </details>
      )}
    </>
  );
};
