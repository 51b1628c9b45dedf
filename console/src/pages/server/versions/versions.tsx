import { useState } from 'preact/hooks';
import { call } from '../../../api/call.ts';
import type { ItemOf } from '../../../api/operation.ts';
import { Button } from '../../../kit/button.tsx';
import { Command } from '../../../kit/copy.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { saveAs } from '../../../kit/save-as.ts';
import { Badge, ProblemNote, Show } from '../../../kit/show.tsx';
import { Time } from '../../../kit/time.tsx';
import { count } from '../../../kit/words.ts';
import { useAction } from '../../../state/action.ts';
import { useAnswer, useList } from '../../../state/load.ts';
import { DifferenceList } from '../difference.tsx';
import { useServer } from '../frame.tsx';
import { Comparison } from './comparison.tsx';
import { NewVersion } from './new-version.tsx';
import { OverlayList } from './overlays.tsx';

type Version = ItemOf<'GET /deployments/{slug}/versions'>;

export const Page = () => {
  const { slug, etag } = useServer();
  const versions = useList(`versions:${slug}:${etag}`, 'GET /deployments/{slug}/versions', {
    path: { slug },
  });
  return (
    <>
      <NewVersion />
      <section class="panel">
        <h2>Versions</h2>
        <Show loaded={versions}>
          {(all) => (
            <>
              <ul class="plain entries">
                {all.map((version) => (
                  <Entry key={version.version} version={version} />
                ))}
              </ul>
              {all.length > 1 && (
                <Comparison slug={slug} versions={all.map(({ version }) => version)} />
              )}
            </>
          )}
        </Show>
        <Command
          lines={[
            `npx --no-install hosted-mcp versions ${slug}`,
            `npx --no-install hosted-mcp rollback ${slug} VERSION`,
            `npx --no-install hosted-mcp openapi ${slug} --version VERSION`,
          ]}
        />
      </section>
      <OverlayList />
    </>
  );
};

const MAKERS = {
  owner: 'made by you',
  operator: 'made by an operator of this service',
  refresh: 'made when its description was fetched again',
} as const satisfies Record<NonNullable<Version['created_by']>, string>;

const Entry = ({ version: listed }: { readonly version: Version }) => {
  const { slug, etag, putVersion, reload } = useServer();
  const { version, served } = listed;
  const [isAsked, setAsked] = useState(false);
  const reading = useAction(async () => {
    const { response, body } = await call('GET /deployments/{slug}/versions/{version}/openapi', {
      path: { slug, version: String(version) },
    });
    const mediaType = response.headers.get('content-type') ?? '';
    saveAs(
      `${slug}-${version}.${/json/.test(mediaType) ? 'json' : 'yaml'}`,
      new Blob([typeof body === 'string' ? body : JSON.stringify(body, null, 2)]),
    );
  });
  const returning = useAction(async () => {
    putVersion(
      await call('POST /deployments/{slug}/rollback', {
        path: { slug },
        body: { version },
        ifMatch: etag,
      }),
    );
    setAsked(false);
  });
  return (
    <li>
      <span class="grow">
        <strong>Version {version}</strong> {served && <Badge kind="good">served</Badge>}
        <span class="means">
          <Time at={listed.created_at} /> · {count(listed.tool_count, 'tool')}
          {listed.warning_count > 0 && ` · ${count(listed.warning_count, 'warning')}`}
          {listed.created_by !== undefined && ` · ${MAKERS[listed.created_by]}`}
        </span>
        {listed.comment !== undefined && <span class="means">{listed.comment}</span>}
        <ProblemNote problem={reading.problem} />
      </span>
      <Button kind="quiet" action={reading}>
        Download
        <span class="visually-hidden"> the description of version {version}</span>
      </Button>
      {!served && (
        <Button onClick={() => setAsked(true)}>
          Roll back<span class="visually-hidden"> (version {version})</span>
        </Button>
      )}
      {isAsked && (
        <Dialog title={`Roll back to version ${version}?`} onClose={() => setAsked(false)}>
          <p>
            It is served again with all that it was made with: description, choice of operations,
            changes of tools. The present one stays in the list.
          </p>
          <DifferencePreview version={version} />
          <ProblemNote problem={returning.problem} onStale={reload} />
          <div class="buttons">
            <Button kind="primary" action={returning}>
              Roll back
            </Button>
            <Button onClick={() => setAsked(false)}>Cancel</Button>
          </div>
        </Dialog>
      )}
    </li>
  );
};

/** What a rollback changes. Both versions are compared as they were made, whatever is chosen now. */
const DifferencePreview = ({ version }: { readonly version: number }) => {
  const { slug, version: served } = useServer().server;
  const compared = useAnswer(
    `difference:${slug}:${served}:${version}`,
    'GET /deployments/{slug}/versions/{version}/difference',
    { path: { slug, version: String(version) }, query: { from: String(served) } },
  );
  return (
    <div class="looked">
      <Show loaded={compared}>
        {(difference) => (
          <>
            <p>
              <strong>
                {difference.breaking
                  ? 'A call that works now may fail then.'
                  : 'Every call that works now works then.'}
              </strong>
            </p>
            <DifferenceList difference={difference} slug={slug} />
          </>
        )}
      </Show>
    </div>
  );
};
