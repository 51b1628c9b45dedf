/** What a mail says; to whom it goes is the caller's to know. */
export interface EmailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * Letters carry nothing that anybody typed, so that nobody can use them to say something to a
 * stranger. Their links open pages on which a button must be pressed: mail scanners follow links.
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

/** For somebody who signs up with an address that has an account. */
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

/** @param minutes - how long the link works */
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
