import type { HttpReply } from '@hosted-mcp/core/http';
import { show, type Site } from './site.ts';

/** The same whoever asked, and whether or not there is an account. Source: management-api.md; D28. */
export const mailSent = (site: Site, ticket: string): Promise<HttpReply> =>
  show(202, (pages) =>
    pages.noticePage({
      ...site.basics,
      heading: 'Look into your mailbox',
      text: 'We sent a mail to the address that you entered. It can take a minute or two.',
      next: 'Follow the link in the mail. If none comes, look into your spam folder, and check that you typed the address correctly.',
      ...(ticket !== '' && { link: { address: site.resumeAt(ticket), label: 'Back to sign in' } }),
    }),
  );
