import { MINT_OPTIONS, secondsIn } from '../commands/access.ts';
import { findingsOf, usageFailure } from '../failure.ts';
import { textFrom } from '../input/ask.ts';
import { type Json, jsonOf, listOf } from '../json.ts';
import { plain, plainOf } from '../text/plain.ts';
import { facts } from '../text/table.ts';
import { adminCommand, allAnswers, operation } from './admin-command.ts';

const publish = adminCommand({
  name: 'publish',
  summary: 'Publishes a description for an owner, whether or not there is such an account',
  places: ['file-or-url'],
  options: {
    owner: {
      value: 'EMAIL',
      help: 'of the account that it belongs to, or its id, or any name without an @',
    },
    slug: { value: 'NAME', help: 'its URL name; otherwise made from the title' },
    auth: { value: 'MODE', help: 'who may use it: oauth (if omitted), jwt or none' },
    name: { value: 'TEXT', help: 'what people see; otherwise the title' },
    'api-base': { value: 'URL', help: 'base URL of the API, if not that of the description' },
    'tool-mode': { value: 'MODE', help: 'operations or search' },
    'structured-output': { value: 'off|on', help: 'whether results are typed JSON as well' },
  },
  details: [
    '- reads standard input. A URL is read by the service. For all other choices: npx --no-install hosted-mcp deploy.',
  ],
  run: async ({ operate, output, ask }, places, { owner, slug, auth, name, ...given }) => {
    if (owner === undefined) throw usageFailure('--owner is missing.');
    const source = places['file-or-url'];
    const isUrl = /^https?:\/\//.test(source);
    const answer = await operate('publish', {
      ownerId: owner,
      slug,
      name,
      authMethod: auth ?? 'oauth',
      apiBaseUrl: given['api-base'],
      toolMode: given['tool-mode'],
      structuredOutput: given['structured-output'],
      ...(isUrl ? { openapiUrl: source } : { openapi: await textFrom(ask, source) }),
    });
    const { slug: published, version, toolCount, mcpUrl } = jsonOf(answer.deployment);
    output.result(
      answer,
      facts({ Name: published, Version: version, Tools: toolCount, MCP: mcpUrl }),
    );
    output.warnings(findingsOf(answer.warnings));
  },
});

const mint = adminCommand({
  name: 'mint',
  summary: 'Mints a token that calls a server as its owner; it is shown this one time',
  places: ['slug'],
  options: {
    owner: { value: 'EMAIL', help: 'or id of the account that the server belongs to' },
    ...MINT_OPTIONS,
  },
  run: async ({ operate, output }, { slug }, { owner, scope, name, ...given }) => {
    if (owner === undefined) throw usageFailure('--owner is missing.');
    const expiresInSeconds = secondsIn(given['expires-in']);
    const sent = { ownerId: owner, slug, expiresInSeconds, scope, name };
    const answer = await operate('mint-token', sent);
    output.result(answer, [plainOf(answer.token)]);
    output.note(
      'Keep it: it is not shown again. npx --no-install hosted-mcp admin revoke ends it.',
    );
  },
});

const revoke = operation({
  name: 'revoke',
  summary: 'Ends one minted token',
  places: ['slug', 'id'],
  sends: 'revoke-token',
  sent: ({ slug, id }) => ({ slug, jti: id }),
  lines: (_, { id }) => [`The token ${id} no longer works.`],
});

const blocks = adminCommand({
  name: 'blocks',
  summary: 'Lists the addresses that are blocked at public servers',
  run: async ({ operate, output }) => {
    const answers = await allAnswers((after) => operate('list-blocked', { after }));
    const blocked = answers.flatMap((answer) => listOf(answer.blocked));
    const until = (one: Json) => isoTime(one.until);
    const columns = { address: 'subject', server: 'slug', until };
    output.rows(blocked, columns, 'Nobody is blocked.', { blocked });
  },
});

const unblock = operation({
  name: 'unblock',
  summary: 'Lets a blocked address in again, within a minute',
  places: ['address'],
  options: { slug: { value: 'NAME', help: 'at this server only; everywhere if omitted' } },
  sends: 'unblock-ip',
  sent: ({ address: subject }, { slug }) => ({ subject, slug }),
  lines: ({ lifted }, { address }) => [
    lifted === true ? `${address} is let in again.` : `${address} was not blocked.`,
  ],
});

const sweep = adminCommand({
  name: 'sweep',
  summary: 'Removes what crashes have left; the service does so once a day by itself',
  run: async ({ operate, output }) => {
    const answer = await operate('sweep');
    const { deployments, removals, files, failed, complete } = answer;
    output.result(
      answer,
      facts({ Deployments: deployments, Removals: removals, Files: files, Failed: failed }),
    );
    if (complete === false) {
      output.note(
        'Its time was over: it goes on when it is sent again, and by itself within the hour.',
      );
    }
  },
});

const rotateKey = operation({
  name: 'rotate-key',
  summary: 'Takes the step that is due in rotating the signing key',
  details: ['Nobody is signed out. docs/aws.md, "Rotating the signing key", has all steps.'],
  sends: 'rotate-signing-key',
  lines: ({ step, nextKeySignsFrom, formerKeyEndsAt }) => [
    step === 'rotated'
      ? `The next key signs now. Tokens of the former one end at ${plain(String(formerKeyEndsAt))}.`
      : `The next key is published. Send this again from ${plain(String(nextKeySignsFrom))} on.`,
  ],
});

const isoTime = (at: unknown): unknown =>
  typeof at === 'number' ? new Date(at * 1000).toISOString() : at;

export const adminServiceCommands = [publish, mint, revoke, blocks, unblock, sweep, rotateKey];
