import type { ComponentChildren } from 'preact';
import type { Loaded } from '../state/load.ts';
import { ProblemNote } from './notice.tsx';

/** Where there is nothing yet: what this place is for, and what to do next. */
export const Empty = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) => (
  <div class="empty">
    <h2>{title}</h2>
    {children}
  </div>
);

/**
 * What was loaded; until then the room it will take, then a problem with a way out of it. What was shown
 * before stays below a problem.
 */
export const Show = <Value,>({
  loaded,
  children,
}: {
  readonly loaded: Loaded<Value>;
  readonly children: (value: Value) => ComponentChildren;
}) => (
  <>
    <ProblemNote problem={loaded.problem} onRetry={loaded.reload} />
    {loaded.value !== undefined ? children(loaded.value) : !loaded.problem && <Skeleton />}
  </>
);

/** Says that something is on its way, after a moment: what comes at once never shows it. */
export const Skeleton = () => (
  <div class="skeleton" role="status">
    <span class="visually-hidden">Loading</span>
    <i />
    <i />
    <i />
  </div>
);

type BadgeKind = 'good' | 'warn' | 'bad' | 'plain';

export const Badge = ({
  kind = 'plain',
  children,
}: {
  readonly kind?: BadgeKind;
  readonly children: ComponentChildren;
}) => <span class={`badge ${kind}`}>{children}</span>;
