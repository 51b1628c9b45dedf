import type { ComponentChildren } from 'preact';
import { addressOf, go } from '../state/location.ts';

interface LinkProps {
  readonly class?: string;
  readonly 'aria-current'?: 'page' | undefined;
  /** Below the console. */
  readonly to: string;
  readonly children: ComponentChildren;
}

/** A link to another page of the console: a plain one, also for those who open it in a new tab. */
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
  /** Of a stranger, perhaps. */
  readonly href: string | undefined;
  readonly children: ComponentChildren;
}

/** A link out of the console: only to https, so that no text of strangers becomes a script. */
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
