import type { HttpReply } from '../../platform/http/reply.ts';
import type { AfterSignIn } from '../../pages/index.ts';
import { show, type Site } from './site.ts';

interface SentMail {
  /** Of the form that asks for it again, below the root. */
  readonly action: '/signup' | '/reset';
  readonly email: string;
  readonly afterSignIn: AfterSignIn | undefined;
}

/**
 * The same whoever asked, and whether or not there is an account.
 * Source: docs/decisions/accounts.md, "Accounts and mails".
 */
export const mailSent = (
  site: Site,
  { action, email, afterSignIn }: SentMail,
): Promise<HttpReply> =>
  show(202, (pages) =>
    pages.mailSentPage({
      ...site.basics,
      action,
      email,
      afterSignIn,
      isLocal: isLocal(site),
    }),
  );

const isLocal = ({ basics }: Site): boolean =>
  /^(?:localhost|127\.0\.0\.1|\[::1\])(?::|$)/.test(basics.host);
