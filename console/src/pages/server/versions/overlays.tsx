import { useState } from 'preact/hooks';
import { call } from '../../../api/call.ts';
import type { BodyOf } from '../../../api/operation.ts';
import { jsonBody } from '../../../api/packed.ts';
import { Button } from '../../../kit/button.tsx';
import { Command, quoted } from '../../../kit/copy.tsx';
import { fieldsOf, Form, TextArea, TextField } from '../../../kit/form.tsx';
import { Progress } from '../../../kit/progress.tsx';
import { Message, ProblemNote } from '../../../kit/show.tsx';
import { count } from '../../../kit/words.ts';
import { useAction, useLatestAction } from '../../../state/action.ts';
import { useDraft } from '../../../state/draft.ts';
import { useOpeningQuestion } from '../../opening.tsx';
import type { Report } from '../../refused-calls.tsx';
import { useServer } from '../frame.tsx';
import { Outcome } from './outcome.tsx';

type Overlays = NonNullable<
  Extract<BodyOf<'PATCH /deployments/{slug}'>, { overlays?: unknown }>['overlays']
>;

interface Looked {
  readonly report: Report;
  readonly wanted: Overlays;
  /** ETag of the server that the report compares with. */
  readonly etag: string;
}

export const OverlayList = () => {
  const { slug, server, etag, putVersion, reload } = useServer();
  const present: Overlays = server.overlays ?? [];
  const [draft, change, clear] = useDraft(`overlays:${slug}`, { text: '', url: '' });
  const [looked, setLooked] = useState<Looked>();
  const looking = useLatestAction(async (isLatest, wanted: Overlays) => {
    setLooked(undefined);
    const raw = await jsonBody({ deployment: slug, overlays: [...wanted] });
    const { body } = await call('POST /descriptions', { raw });
    if (isLatest()) setLooked({ report: body, wanted, etag });
  });
  const opening = useOpeningQuestion('Publish it for them');
  const publishing = useAction(async () => {
    if (!looked || !(await opening.agreed(looked.report.exposures))) return;
    const { report, wanted } = looked;
    const overlays = wanted.length > 0 ? [...wanted] : null;
    const raw = await jsonBody({ overlays, fetched: report.fetched });
    putVersion(await call('PATCH /deployments/{slug}', { path: { slug }, raw, ifMatch: etag }));
    setLooked(undefined);
    // After a removal the typed overlay stays, since it was not published.
    if (wanted.length > present.length) clear();
  });
  // Typing ends the preview, so that only what was previewed can be published.
  const changed = (part: Partial<typeof draft>) => {
    change(part);
    looking.clear();
    setLooked(undefined);
  };
  const field = fieldsOf(draft, changed, undefined);
  const added = draft.url.trim() === '' ? draft.text : { url: draft.url.trim() };
  return (
    <section class="panel">
      <h2>Overlays</h2>
      <p class="soft">
        An OpenAPI Overlay mends a description that is not yours: it is applied to each version,
        before anything else reads it.
      </p>
      {present.length > 0 && (
        <ul class="plain entries">
          {present.map((overlay, at) => (
            <li key={at}>
              <details>
                <summary>Overlay {at + 1}</summary>
                <pre>{String(overlay)}</pre>
              </details>
              <Button
                busy={looking.running}
                onClick={() => void looking.run(present.filter((_, index) => index !== at))}
              >
                Preview without it
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Form onSubmit={() => looking.run([...present, added])}>
        <TextArea
          label="One more overlay"
          hint="JSON or YAML, with overlay, info and actions."
          rows={4}
          {...field('text')}
        />
        <TextField
          label="Or its URL"
          hint="It is read once: give the URL again to take what is there then."
          type="url"
          {...field('url')}
        />
        <Button submit busy={looking.running} disabled={draft.text === '' && draft.url === ''}>
          Preview with it
        </Button>
      </Form>
      <ProblemNote problem={looking.problem} />
      {looking.running && <Progress what="Reading it and comparing its tools…" />}
      {looked && (
        <>
          <ul>
            {looked.report.overlays.map(({ title, actions, applied }, at) => (
              <li key={at}>
                {title}: {applied} of {count(actions, 'action')} applied
              </li>
            ))}
          </ul>
          <Outcome report={looked.report} slug={slug} />
          <ProblemNote problem={publishing.problem} onStale={reload} />
          {looked.etag !== etag && (
            <Message kind="warn">The server has changed since this preview: make it anew.</Message>
          )}
          {opening.dialog}
          <div class="buttons">
            <Button
              kind="primary"
              action={publishing}
              disabled={!looked.report.publishable || looked.etag !== etag}
            >
              Publish as version {server.version + 1}
            </Button>
            <Button kind="quiet" onClick={() => setLooked(undefined)}>
              Cancel
            </Button>
          </div>
        </>
      )}
      <Command
        lines={`npx --no-install hosted-mcp set ${slug} --overlay ${quoted(draft.url || 'overlay.yaml')}`}
      />
    </section>
  );
};
