import type { NoticeKind } from './user.ts';

export interface EmailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * Account mails. Apart from server names, addresses of accounts and company names of operators they contain no text
 * that a user chose, so that nobody can use them to send messages to strangers. Their links open pages with a button,
 * because mail scanners follow links.
 */
export const signUpEmail = (link: string): EmailContent =>
  content({
    subject: 'Create your account',
    says: [
      'Somebody, probably you, asked for a Hosted MCP account with this e-mail address.',
      'Choose a password to create it. The link works once, for 24 hours, and ends the links of earlier mails.',
    ],
    action: { label: 'Choose a password', link },
    ends: 'If it was not you, ignore this mail: there is no account.',
  });

export const alreadyRegisteredLetter = (resetLink: string): EmailContent =>
  content({
    subject: 'You already have an account',
    says: [
      'Somebody, probably you, tried to create a Hosted MCP account with this e-mail address, which has one already.',
      'Sign in with your password. If you have forgotten it, choose a new one.',
    ],
    action: { label: 'Choose a new password', link: resetLink },
    ends: 'If it was not you, ignore this mail: nothing has changed.',
  });

/** @param minutes - validity of the link */
export const resetEmail = (link: string, minutes: number): EmailContent =>
  content({
    subject: 'Choose a new password',
    says: [
      'You asked for a new password for your Hosted MCP account.',
      `The link works once, for ${minutes} minutes. A new password ends all sessions and signs out all connected applications.`,
    ],
    action: { label: 'Choose a new password', link },
    ends: 'If it was not you, ignore this mail: your password stays as it is.',
  });

/** Mail to a person whose account an operator has created unasked. */
export const accountMadeEmail = (
  link: string,
  { minutes, host }: { readonly minutes: number; readonly host: string },
): EmailContent =>
  content({
    subject: 'An account was made for you',
    says: [
      `An operator of Hosted MCP at ${host} has made an account for this e-mail address.`,
      `Choose a password to use it. The link works once, for ${minutes} minutes. Later, ask for a new password on the page where you sign in.`,
    ],
    action: { label: 'Choose a password', link },
    ends: 'If you expect no account there, ignore this mail: nobody can sign in to it without a password.',
  });

interface Invited {
  readonly slug: string;
  /** Address of the person who invites. */
  readonly by: string;
  readonly host: string;
  readonly link: string;
  /** Account of the person invited: exists, is created behind the link, by an operator, or by company sign-in. */
  readonly account: 'there' | 'to_make' | 'of_operator' | 'of_company';
  readonly company?: string;
}

/** Contains no text that a user chose, except the server's name and its owner's address. */
export const invitationEmail = ({
  slug,
  by,
  host,
  link,
  account,
  company = 'your company',
}: Invited): EmailContent => {
  const { says, label } = INVITATIONS[account](company);
  return content({
    subject: `${by} invites you to ${slug}`,
    says: [`${by} lets you use the MCP server ${slug} at ${host}.`, says],
    action: { label, link },
    ends: 'If you do not know the sender, ignore this mail. Nothing happens without you.',
  });
};

const INVITATIONS: Readonly<
  Record<Invited['account'], (company: string) => { readonly says: string; readonly label: string }>
> = {
  there: () => ({
    says: 'Connect your client, and sign in with your account when it asks.',
    label: 'Connect a client',
  }),
  to_make: () => ({
    says: 'Choose a password to create your account. Then connect your client. The link works once, for 24 hours, and ends the links of earlier invitations.',
    label: 'Accept the invitation',
  }),
  of_operator: () => ({
    says: 'You need an account first. The operator of this service makes it: ask them, or the sender.',
    label: 'See the server',
  }),
  of_company: (company) => ({
    says: `Sign in with ${company}: there is no password to choose. Then connect your client.`,
    label: `Sign in with ${company}`,
  }),
};

/** @param by - address of the break-glass account that was signed in to */
export const breakGlassEmail = (by: string, link: string): EmailContent =>
  content({
    subject: `${by} was opened by its password`,
    says: [
      `Somebody signed in to ${by}, an account that operators keep for the day on which no company can sign people in.`,
      'Was it none of you? Then end the account at once, as an operator: hosted-mcp admin end-account.',
    ],
    action: { label: 'Open the console', link },
    ends: 'You get this mail at each such sign-in, because your account is one of these.',
  });

/** @param company - name as set by operators */
export const openedByCompanyEmail = (company: string, link: string): EmailContent =>
  content({
    subject: `You sign in with ${company} from now on`,
    says: [
      `Somebody with your e-mail address signed in with ${company}. It opens your Hosted MCP account from now on. Your password and your sessions have ended.`,
      'Applications and programs that you let in stay connected. Look at them in the console, under Account, and end what you do not know.',
    ],
    action: { label: 'Look at your account', link },
    ends: `Was it not you? Tell the operators of this service, and ${company}.`,
  });

/** Informs an owner about a server; its slug is the only text that a user chose. */
export const noticeEmail = (kind: NoticeKind, slug: string, link: string): EmailContent => {
  const { subject, says, label, ends = 'the server is yours' } = NOTICES[kind];
  return content({
    subject: subject(slug),
    says,
    action: { label, link },
    ends: `You get this mail once for each such event, because ${ends}.`,
  });
};

const NOTICES: Readonly<
  Record<
    NoticeKind,
    {
      readonly subject: (slug: string) => string;
      readonly says: readonly string[];
      readonly label: string;
      /** Why the reader gets the mail; absent: they own the server. */
      readonly ends?: string;
    }
  >
> = {
  credential_refused: {
    subject: (slug) => `The API refuses the credential of ${slug}`,
    says: [
      'The API behind this server answers calls with 401 or 403: it refuses the credential that you set.',
      'It may have ended, or lack a right. Until you set another one, calls fail; nobody else can mend it.',
    ],
    label: 'Set another credential',
  },
  update_held_back: {
    subject: (slug) => `A new description of ${slug} waits for you`,
    says: [
      'The description of the API has changed. It may break clients, or let strangers do more than now. So it was not published by itself.',
      'The version before is served on. Look at the difference and publish it, or leave it.',
    ],
    label: 'Look at the difference',
  },
  description_unreachable: {
    subject: (slug) => `The description of ${slug} cannot be fetched`,
    says: [
      'For a week, the description of the API could not be fetched from its address, or could not be used.',
      'The version before is served on. Correct the address, send the description yourself, or stop fetching it.',
    ],
    label: 'See what went wrong',
  },
  server_given: {
    subject: (slug) => `The server ${slug} has another owner`,
    says: [
      'An operator of this service has given the server to another account. It is not in your console any more.',
      'What you let in there as its owner has ended, and so have the tokens that you minted for it.',
    ],
    label: 'Open the console',
    ends: 'the server was yours',
  },
  server_received: {
    subject: (slug) => `The server ${slug} is yours now`,
    says: [
      'An operator of this service has given you the server of another account, with its credentials and its settings.',
      'Its calls count for your plan. Look at who may use it, and at the credentials that it sends.',
    ],
    label: 'Look at the server',
  },
};

interface Content {
  readonly subject: string;
  readonly says: readonly string[];
  readonly action: { readonly label: string; readonly link: string };
  readonly ends: string;
}

const content = ({ subject, says, action, ends }: Content): EmailContent => ({
  subject,
  text: [...says, `${action.label}:\n${action.link}`, ends, SIGNATURE].join('\n\n'),
  html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif">
<div style="max-width:34rem;margin:0 auto">
<h1 style="font-size:22px;line-height:1.3;margin:0 0 16px">${escaped(subject)}</h1>
${says.map((one) => `<p style="margin:0 0 16px">${escaped(one)}</p>`).join('\n')}
<p style="margin:24px 0"><a href="${escaped(action.link)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#3846c4;color:#ffffff;text-decoration:none;font-weight:600">${escaped(action.label)}</a></p>
<p style="margin:0 0 16px;font-size:14px">If the button does not work, open this address:<br><span style="word-break:break-all">${escaped(action.link)}</span></p>
<p style="margin:0 0 16px;font-size:14px">${escaped(ends)}</p>
<p style="margin:0;font-size:14px">${escaped(SIGNATURE)}</p>
</div></body></html>
`,
});

const SIGNATURE = 'Hosted MCP';

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
