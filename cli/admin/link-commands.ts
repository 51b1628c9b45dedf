import { operation } from './admin-command.ts';

export const adminLinkCommand = operation({
  name: 'link',
  summary: "Lets a company open an operator's account from its next sign-in on, within 15 minutes",
  places: ['email', 'provider'],
  details: [
    'PROVIDER is the id of an identity provider that signs people in. The sign-in ends the password of the account.',
    'Accounts that are no operators need none of this: they are linked at their first sign-in.',
  ],
  sends: 'allow-link',
  agree: (place, { email, provider }) => `let ${provider} open the account ${email} at ${place}`,
  lines: (_, { email, provider }) => [
    `${email} is linked at the next sign-in with ${provider}, within 15 minutes. Its password ends then.`,
  ],
});
