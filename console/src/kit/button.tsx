import type { ComponentChildren, JSX } from 'preact';
import type { Action } from '../state/action.ts';
import { addressOf, go } from '../state/location.ts';

type Kind = 'primary' | 'second' | 'danger' | 'quiet';

interface ButtonProps extends Omit<JSX.IntrinsicElements['button'], 'type'> {
  readonly kind?: Kind;
  readonly submit?: boolean;
  readonly busy?: boolean;
  /** Runs on press. With `submit`, it only decides whether the button is busy. */
  readonly action?: Action<[]>;
  readonly children: ComponentChildren;
}

export const Button = ({
  kind = 'second',
  submit = false,
  action,
  busy = action?.running ?? false,
  children,
  onClick = () => void (submit || action?.run()),
  ...rest
}: ButtonProps) => (
  <button
    {...rest}
    type={submit ? 'submit' : 'button'}
    class={`button ${kind}${busy ? ' busy' : ''}`}
    aria-disabled={busy || undefined}
    aria-busy={busy || undefined}
    onClick={(event) => {
      if (busy) event.preventDefault();
      else onClick(event);
    }}
  >
    {children}
  </button>
);

export const ButtonLink = ({
  to,
  kind = 'second',
  children,
}: {
  readonly to: string;
  readonly kind?: Kind;
  readonly children: ComponentChildren;
}) => (
  <Link to={to} class={`button ${kind}`}>
    {children}
  </Link>
);

interface LinkProps {
  readonly class?: string;
  readonly 'aria-current'?: 'page' | undefined;
  readonly to: string;
  readonly children: ComponentChildren;
}

/** A link to another page of the console, with a real address for new tabs. */
export const Link = ({ to, children, ...rest }: LinkProps) => (
  <a
    {...rest}
    href={addressOf(to)}
    onClick={(event) => {
      const special = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
      if (special || event.button !== 0) return;
      event.preventDefault();
      go(to);
    }}
  >
    {children}
  </a>
);

interface OutsideProps {
  /** May have been written by a stranger. */
  readonly href: string | undefined;
  readonly children: ComponentChildren;
}

/** A link out of the console, to https only: a stranger's `javascript:` address must not run. */
export const Outside = ({ href, children }: OutsideProps) =>
  href !== undefined && isSafe(href) ? (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  ) : (
    <>{children}</>
  );

const isSafe = (href: string): boolean => {
  if (!URL.canParse(href)) return false;
  const { protocol, origin } = new URL(href);
  return protocol === 'https:' || (protocol === 'http:' && origin === location.origin);
};
