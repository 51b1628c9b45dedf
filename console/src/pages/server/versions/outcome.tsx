import { plain } from '../../../kit/plain-words.ts';
import { Findings, Note } from '../../../kit/show.tsx';
import { count } from '../../../kit/words.ts';
import type { Report } from '../../refused-calls.tsx';
import { DifferenceList, isNotable } from '../difference.tsx';

export const Outcome = ({ report, slug }: { readonly report: Report; readonly slug: string }) => (
  <>
    {report.problems.map((problem) => (
      <Note key={problem.code} kind="bad">
        <p>
          <strong>{plain(problem.detail)}</strong>
        </p>
        <Findings findings={problem.findings} />
      </Note>
    ))}
    {report.difference && (
      <Note kind={isNotable(report.difference) ? 'warn' : 'good'}>
        <p>
          <strong>
            {report.difference.breaking
              ? 'A call that works now may fail with it.'
              : 'Every call that works now works with it.'}
          </strong>
        </p>
        <DifferenceList difference={report.difference} slug={slug} />
      </Note>
    )}
    {report.warnings.length > 0 && (
      <details>
        <summary>{count(report.warnings.length, 'warning')}</summary>
        <Findings findings={report.warnings} />
      </details>
    )}
  </>
);
