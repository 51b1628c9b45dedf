import type { ComponentChildren } from 'preact';
import { type Finding, isAt, type Problem } from '../api/problem.ts';
import type { Loaded } from '../state/load.ts';
import { Button } from './button.tsx';
import { sentence } from './text-form.tsx';
import { placeOf } from './plain-words.ts';

export const PageTitle = ({ children }: { children: ComponentChildren }) => (
  <div class="page-head">
    <h1>{children}</h1>
  </div>
);

export const Empty = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <div class="empty">
    <h2>{title}</h2>
    {children}
  </div>
);

/** Renders what was loaded, a placeholder until then, and a problem above what was shown before. */
export const Show = <Value,>({
  loaded,
  none,
  children,
}: {
  readonly loaded: Loaded<Value>;
  readonly none?: ComponentChildren;
  readonly children: (value: Value) => ComponentChildren;
}) => (
  <>
    <ProblemNote problem={loaded.problem} onRetry={loaded.reload} />
    {loaded.value === undefined
      ? !loaded.problem && <Skeleton />
      : none !== undefined && Array.isArray(loaded.value) && loaded.value.length === 0
        ? none
        : children(loaded.value)}
  </>
);

/** A placeholder that appears only when loading takes longer than a moment. */
export const Skeleton = () => (
  <div class="skeleton" role="status">
    <span class="visually-hidden">Loading</span>
    <i />
    <i />
    <i />
  </div>
);

export const Badge = ({
  kind = 'plain',
  children,
}: {
  readonly kind?: 'good' | 'warn' | 'bad' | 'plain';
  readonly children: ComponentChildren;
}) => <span class={`badge ${kind}`}>{children}</span>;

type Kind = 'bad' | 'warn' | 'good' | 'info';

export const Note = ({ kind = 'info', children }: { kind?: Kind; children: ComponentChildren }) => (
  <div class={`note ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
    {children}
  </div>
);

export const Message = ({ children, ...note }: Parameters<typeof Note>[0]) => (
  <Note {...note}>
    <p>{children}</p>
  </Note>
);

interface ProblemNoteProps {
  readonly problem: Problem | undefined;
  readonly onRetry?: (() => void) | undefined;
  /** JSON pointers of fields that show their findings themselves. */
  readonly shownAt?: readonly string[];
  /** Loads the present state after a conflict (412 `stale`). */
  readonly onStale?: (() => void) | undefined;
}

export const ProblemNote = ({ problem, onRetry, shownAt = [], onStale }: ProblemNoteProps) => {
  if (!problem || problem.code === 'aborted') return null;
  const elsewhere = (finding: Finding) => shownAt.some((field) => isAt(finding, field));
  const findings = problem.findings.filter((finding) => !elsewhere(finding));
  const isStale = problem.code === 'stale';
  return (
    <Note kind="bad">
      <p>
        <strong>{isStale ? 'It was changed elsewhere in the meantime.' : problem.detail}</strong>
      </p>
      {isStale && (
        <p>
          Another tab or program was faster, and nothing of yours was applied. What you typed is
          still here: look at the present state, then send it again.
        </p>
      )}
      {problem.status === 429 && problem.retryAfterSeconds !== undefined && (
        <p>It can be tried again in {waitOf(problem.retryAfterSeconds)}.</p>
      )}
      {findings.length > 0 && <Findings findings={findings} />}
      {problem.status >= 500 && problem.requestId !== undefined && (
        <p class="small">
          For the operator of the service: request <code>{problem.requestId}</code>
        </p>
      )}
      {isStale && onStale && <Button onClick={onStale}>Show the present state</Button>}
      {!isStale && onRetry && <Button onClick={onRetry}>Try again</Button>}
    </Note>
  );
};

export const Findings = ({ findings }: { readonly findings: readonly Finding[] }) => (
  <ul class="findings">
    {findings.map(({ where, what, hint }, index) => (
      <li key={index}>
        {where !== '' && <strong>{placeOf(where)}:</strong>} {sentence(what, hint)}
      </li>
    ))}
  </ul>
);

const waitOf = (seconds: number): string =>
  seconds < 90
    ? `${Math.ceil(seconds)} s`
    : seconds < 5400
      ? `${Math.ceil(seconds / 60)} min`
      : `${Math.ceil(seconds / 3600)} h`;
