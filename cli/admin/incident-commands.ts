import type { Command } from '../command.ts';
import { plain } from '../text/plain.ts';
import { adminCommand } from './admin-command.ts';
import { agree } from './agree.ts';

const YES = { yes: { help: 'do not ask' } } as const;

const endTokens = adminCommand({
  name: 'end-tokens',
  summary: 'Ends every token of everybody: grants, refresh tokens, codes, minted tokens',
  places: [],
  options: YES,
  details: [
    'On every instance within 15 seconds. People log in again with their clients; sessions stay. Tokens of',
    "other issuers that a server trusts are theirs to end, or the server's to refuse.",
  ],
  run: async ({ operate, output, ask, place }, _, { yes }) => {
    if (!yes) await agree(ask, `end every token of everybody at ${place}`);
    const answer = await operate('end-tokens');
    output.result(answer, [
      `Every token that was granted before ${plain(String(answer['issuedBefore']))} has ended, on every instance within 15 seconds.`,
    ]);
  },
});

const endSessions = adminCommand({
  name: 'end-sessions',
  summary: 'Ends every session of everybody, of browsers and programs',
  places: [],
  options: YES,
  details: ['At once; people sign in again. Tokens that clients have stay: see end-tokens.'],
  run: async ({ operate, output, ask, place }, _, { yes }) => {
    if (!yes) await agree(ask, `end every session of everybody at ${place}`);
    const answer = await operate('end-sessions');
    output.result(answer, [
      `Every session that began before ${plain(String(answer['begunBefore']))} has ended.`,
    ]);
  },
});

const endClient = adminCommand({
  name: 'end-client',
  summary: 'Removes an OAuth client, and ends all that was granted to it',
  places: ['client-id'],
  options: YES,
  details: [
    'mcp_... or the URL of its metadata document, as npx hosted-mcp logs --calls and the logs name it. A client',
    'with a document may ask people again.',
  ],
  run: async ({ operate, output, ask, place }, places, { yes }) => {
    const clientId = places['client-id'];
    if (!yes) await agree(ask, `end the client ${plain(clientId)} at ${place}`);
    const answer = await operate('end-client', { clientId });
    output.result(answer, [
      answer['removed'] === true
        ? `The client ${plain(clientId)} is removed, and all that was granted to it has ended.`
        : `There was no registration of ${plain(clientId)}; whatever was granted to it has ended.`,
    ]);
  },
});

const endAccount = adminCommand({
  name: 'end-account',
  summary: 'Ends the sessions and tokens of an account, and its password',
  places: ['email'],
  options: YES,
  details: [
    'Whoever reads the mailbox chooses a new password with npx hosted-mcp password reset. What others may use at',
    'servers of the account stays: see stop.',
  ],
  run: async ({ operate, output, ask, place }, { email }, { yes }) => {
    if (!yes)
      await agree(ask, `end the sessions, tokens and password of ${plain(email)} at ${place}`);
    const answer = await operate('end-account', { email });
    output.result(answer, [
      `${plain(email)} is signed out everywhere, on every instance within 15 seconds. Next, for its owner:`,
      `  npx hosted-mcp password reset ${plain(email)}`,
    ]);
  },
});

const retireKey = adminCommand({
  name: 'retire-key',
  summary: 'Ends the signing key and all that it has signed, and signs with another one',
  places: [],
  options: YES,
  details: [
    'For a key that somebody else could sign with: all sessions and minted tokens end. A yearly change is',
    'rotate-key, which ends nothing.',
  ],
  run: async ({ operate, output, ask, place }, _, { yes }) => {
    if (!yes) await agree(ask, `end all that the signing key at ${place} has signed`);
    const answer = await operate('retire-signing-key');
    output.result(answer, [
      `Another key signs. From ${plain(String(answer['refusedFrom']))} on no instance accepts what the former ones signed.`,
      'Next: take away who could sign (IAM, kms:Sign), then put a new number for the key in signing_keys and deploy.',
    ]);
  },
});

const stop = adminCommand({
  name: 'stop',
  summary: 'Stops a server, so that its owner cannot resume it',
  places: ['slug'],
  options: YES,
  run: async ({ operate, output, ask, place }, { slug }, { yes }) => {
    if (!yes) await agree(ask, `stop ${plain(slug)} at ${place}`);
    const answer = await operate('stop-deployment', { slug });
    output.result(answer, [
      `${plain(slug)} is stopped, on every instance within 15 seconds. npx hosted-mcp admin release lets it go on.`,
    ]);
  },
});

const release = adminCommand({
  name: 'release',
  summary: 'Lets a server go on that was stopped: its owner may resume it',
  places: ['slug'],
  options: YES,
  run: async ({ operate, output, ask, place }, { slug }, { yes }) => {
    if (!yes) await agree(ask, `let ${plain(slug)} at ${place} go on`);
    const answer = await operate('release-deployment', { slug });
    output.result(answer, [`${plain(slug)} is paused; its owner may resume it.`]);
  },
});

export const adminIncidentCommands: readonly Command[] = [
  endTokens,
  endSessions,
  endClient,
  endAccount,
  retireKey,
  stop,
  release,
];
