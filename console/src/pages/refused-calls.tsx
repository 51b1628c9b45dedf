import { call } from '../api/call.ts';
import type { AnswerOf } from '../api/operation.ts';
import { Button } from '../kit/button.tsx';
import { Note, ProblemNote } from '../kit/show.tsx';
import { count, numbered } from '../kit/words.ts';
import { useAction } from '../state/action.ts';
import { fillDraft } from '../state/draft.ts';
import { go } from '../state/location.ts';

export type Report = AnswerOf<'POST /descriptions'>;

export const RefusedCallsNote = ({
  report: { refused_calls: refused, totals },
  slug,
  onBaseUrl,
}: {
  readonly report: Report;
  /** Slug of the server, if it exists already. */
  readonly slug?: string;
  readonly onBaseUrl?: (url: string) => void;
}) => {
  if (refused.length === 0) return null;
  const tools = refused.reduce((sum, each) => sum + each.tools, 0);
  return (
    <Note kind="bad">
      <p>
        <strong>
          {tools >= totals.tools
            ? totals.tools === 1
              ? 'Its tool could not be called.'
              : `None of the ${numbered(totals.tools)} tools could be called.`
            : `${numbered(tools)} of ${count(totals.tools, 'tool')} could not be called.`}
        </strong>
      </p>
      <ul class="findings">
        {refused.map(({ reason, origin, tools: its }) => (
          <li key={origin}>
            {count(its, 'tool')} of <code>{origin}</code>:{' '}
            {reason === 'not_encrypted' ? (
              <>
                calls would not be encrypted.{' '}
                {onBaseUrl ? (
                  <Button onClick={() => onBaseUrl(encrypted(origin))}>
                    Use {encrypted(origin)}
                  </Button>
                ) : (
                  'Give the https address of the API as its base URL.'
                )}
              </>
            ) : (
              <>
                the credential is not meant for this host.{' '}
                {slug !== undefined && <AllowHost slug={slug} origin={origin} />}
              </>
            )}
          </li>
        ))}
      </ul>
    </Note>
  );
};

const encrypted = (origin: string): string => origin.replace(/^http:/, 'https:');

/** The secret must be entered again: who may add hosts could otherwise have it sent to a host of their own. */
const AllowHost = ({ slug, origin }: { readonly slug: string; readonly origin: string }) => {
  const allowing = useAction(async () => {
    const { body } = await call('GET /deployments/{slug}/credential', { path: { slug } });
    fillDraft(`credential:${slug}`, { origins: [...body.origins, origin].join('\n') });
    go(`/servers/${slug}/credentials`);
  });
  return (
    <>
      <Button action={allowing}>Allow this host</Button>
      <ProblemNote problem={allowing.problem} />
    </>
  );
};
