import type { HttpReply } from '../../platform/http/reply.ts';
import type { AfterSignIn } from '../../pages/index.ts';
import { show, type Site } from './site.ts';

/**
 * The same whoever asked, and whether or not there is an account.
 * Source: docs/decisions/accounts.md, "Accounts and mails".
 */
export const mailSent = (site: Site, afterSignIn: AfterSignIn | undefined): Promise<HttpReply> =>
  show(202, (pages) =>
    pages.noticePage({
      ...site.basics,
      heading: 'Look into your mailbox',
      text: 'If the address that you entered can be used, a mail is on its way. It can take a minute or two.',
      next: isLocal(site)
        ? 'This service runs on your own machine and sends nothing: the mail is the newest file in the folder that npm start has printed behind “Mails”. Follow the link in it.'
        : 'Follow the link in the mail. If none comes, look into your spam folder, and check that you typed the address correctly.',
      ...(afterSignIn && { link: { address: afterSignIn.signIn, label: 'Back to sign in' } }),
    }),
  );

const isLocal = ({ basics }: Site): boolean =>
  /^(?:localhost|127\.0\.0\.1|\[::1\])(?::|$)/.test(basics.host);
