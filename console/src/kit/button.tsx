import type { ComponentChildren, JSX } from 'preact';
import { Link } from './link.tsx';

type Kind = 'primary' | 'second' | 'danger' | 'quiet';

interface ButtonProps extends Omit<JSX.IntrinsicElements['button'], 'type'> {
  readonly kind?: Kind;
  readonly submit?: boolean;
  /** What it does is under way: it stays where it is and takes no second press. */
  readonly busy?: boolean;
  readonly children: ComponentChildren;
}

export const Button = ({
  kind = 'second',
  submit = false,
  busy = false,
  children,
  onClick,
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
      else onClick?.(event);
    }}
  >
    {children}
  </button>
);

/** A link that looks like a button: it leads somewhere and does nothing. */
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
