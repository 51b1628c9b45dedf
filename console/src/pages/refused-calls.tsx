import type { AnswerOf } from '../api/call.ts';
import { Link } from '../kit/link.tsx';
import { Note } from '../kit/notice.tsx';
import { count, numbered } from '../kit/words.ts';

type Report = AnswerOf<'checkDescription'>;

/** What of a publication could not be called, before it is published, and what to do about it. */
export const RefusedCallsNote = ({
  report: { refused_calls: refused, totals },
  slug,
}: {
  readonly report: Report;
  /** Of a server that is there already. */
  readonly slug?: string;
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
              'calls would not be encrypted. Give the https address of the API as its base address.'
            ) : (
              <>
                the credential is not meant for this host.{' '}
                {slug !== undefined && (
                  <Link to={`/servers/${slug}/credentials`}>Set it again for this host</Link>
                )}
              </>
            )}
          </li>
        ))}
      </ul>
    </Note>
  );
};
