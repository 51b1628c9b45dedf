import { plainOf } from '../text/plain.ts';
import { operation } from './admin-command.ts';

export const adminIncidentCommands = [
  operation({
    name: 'end-tokens',
    summary: 'Ends every token of everybody: grants, refresh tokens, codes, minted tokens',
    details: [
      'On every instance within 15 seconds. People sign in again with their clients; sessions stay. Tokens of',
      "other issuers that a server trusts are theirs to end, or the server's to refuse.",
    ],
    sends: 'end-tokens',
    agree: (place) => `end every token of everybody at ${place}`,
    lines: ({ issuedBefore }) => [
      `Every token that was granted before ${plainOf(issuedBefore)} has ended, on every instance within 15 seconds.`,
    ],
  }),
  operation({
    name: 'end-sessions',
    summary: 'Ends every session of everybody, of browsers and programs',
    details: ['At once; people sign in again. Tokens that clients have stay: see end-tokens.'],
    sends: 'end-sessions',
    agree: (place) => `end every session of everybody at ${place}`,
    lines: ({ begunBefore }) => [
      `Every session that began before ${plainOf(begunBefore)} has ended.`,
    ],
  }),
  operation({
    name: 'end-client',
    summary: 'Removes an OAuth client, and ends all that was granted to it',
    places: ['client-id'],
    details: [
      'mcp_... or the URL of its metadata document, as npx --no-install hosted-mcp logs --calls and the logs name it. A client',
      'with a document may ask people again.',
    ],
    sends: 'end-client',
    sent: (places) => ({ clientId: places['client-id'] }),
    agree: (place, places) => `end the client ${places['client-id']} at ${place}`,
    lines: ({ removed }, places) => [
      removed === true
        ? `The client ${places['client-id']} is removed, and all that was granted to it has ended.`
        : `There was no registration of ${places['client-id']}; whatever was granted to it has ended.`,
    ],
  }),
  operation({
    name: 'end-account',
    summary: 'Ends the sessions, tokens and trusts of an account, and its password',
    places: ['email'],
    details: [
      'Whoever reads the mailbox chooses a new password with npx --no-install hosted-mcp password reset. What others may use at',
      'servers of the account stays: see stop.',
    ],
    sends: 'end-account',
    agree: (place, { email }) =>
      `end the sessions, tokens, trusts and password of ${email} at ${place}`,
    lines: (_, { email }) => [
      `${email} is signed out everywhere, on every instance within 15 seconds. Next, for its owner:`,
      `  npx --no-install hosted-mcp password reset ${email}`,
    ],
  }),
  operation({
    name: 'retire-key',
    summary: 'Ends the signing key and all that it has signed, and signs with another one',
    details: [
      'For a key that somebody else could sign with: all sessions and minted tokens end. A yearly change is',
      'rotate-key, which ends nothing.',
    ],
    sends: 'retire-signing-key',
    agree: (place) => `end all that the signing key at ${place} has signed`,
    lines: ({ refusedFrom }) => [
      `Another key signs. From ${plainOf(refusedFrom)} on no instance accepts what the former ones signed.`,
      'Next: take away who could sign (IAM, kms:Sign), then put a new number for the key in signing_keys and deploy.',
    ],
  }),
  operation({
    name: 'stop',
    summary: 'Stops a server, so that its owner cannot resume it',
    places: ['slug'],
    sends: 'stop-deployment',
    agree: (place, { slug }) => `stop ${slug} at ${place}`,
    lines: (_, { slug }) => [
      `${slug} is stopped, on every instance within 15 seconds. npx --no-install hosted-mcp admin release lets it go on.`,
    ],
  }),
  operation({
    name: 'release',
    summary: 'Lets a server go on that was stopped: its owner may resume it',
    places: ['slug'],
    details: ['A server whose owner has no account is served again at once.'],
    sends: 'release-deployment',
    agree: (place, { slug }) => `let ${slug} at ${place} go on`,
    lines: ({ status }, { slug }) => [
      status === 'active'
        ? `${slug} is served again, on every instance within 15 seconds.`
        : `${slug} is paused; its owner may resume it.`,
    ],
  }),
];
