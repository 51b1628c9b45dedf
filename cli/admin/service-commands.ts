import type { Command } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { jsonOf, listOf, textOf } from '../json.ts';
import { textFrom } from '../input/files.ts';
import { findingsIn } from '../text/findings.ts';
import { plain } from '../text/plain.ts';
import { facts } from '../text/table.ts';
import { secondsOf } from '../text/time.ts';
import { adminCommand } from './admin-command.ts';

const publish = adminCommand({
  name: 'publish',
  summary: 'Publishes a description for an owner, whether or not there is such an account',
  places: ['file-or-url'],
  options: {
    owner: {
      value: 'EMAIL',
      help: 'of the account that it belongs to, or its id, or any name without an @',
    },
    slug: { value: 'NAME', help: 'its name in its address; otherwise made from the title' },
    auth: { value: 'MODE', help: 'who may use it: oauth (if omitted), jwt or none' },
    name: { value: 'TEXT', help: 'what people see; otherwise the title' },
    'api-base': { value: 'URL', help: 'where the API is, if not where the description says' },
    'tool-mode': { value: 'MODE', help: 'operations or search' },
    'structured-output': { value: 'off|on', help: 'whether results are typed JSON as well' },
  },
  details: [
    '- reads standard input. A URL is read by the service. For all other choices: npx hosted-mcp deploy.',
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
    const { slug: published, version, toolCount, mcpUrl } = jsonOf(answer['deployment']);
    output.result(
      answer,
      facts({ Name: published, Version: version, Tools: toolCount, MCP: mcpUrl }),
    );
    output.warnings(findingsIn(answer));
  },
});

const mint = adminCommand({
  name: 'mint',
  summary: 'Mints a token for a server of mode jwt; it is shown this one time',
  places: ['slug'],
  options: {
    owner: { value: 'EMAIL', help: 'or id of the account that the server belongs to' },
    'expires-in': { value: 'TIME', help: 'as in 3600, 30m or 24h, which is the most' },
    scope: { value: 'SCOPES', help: 'as in "mcp.tools.read"; both if omitted' },
    name: { value: 'NAME', help: 'what it is for' },
  },
  run: async ({ operate, output }, { slug }, { owner, scope, name, ...given }) => {
    if (owner === undefined) throw usageFailure('--owner is missing.');
    const time = given['expires-in'];
    const expiresInSeconds = time === undefined ? undefined : secondsOf(time);
    if (time !== undefined && expiresInSeconds === undefined) {
      throw usageFailure(`--expires-in must be a time such as 3600, 30m or 24h, not "${time}".`);
    }
    const answer = await operate('mint-token', {
      ownerId: owner,
      slug,
      expiresInSeconds,
      scope,
      name,
    });
    output.result(answer, [plain(textOf(answer['token']) ?? '')]);
    output.note('Keep it: it is not shown again. npx hosted-mcp admin revoke ends it.');
  },
});

const revoke = adminCommand({
  name: 'revoke',
  summary: 'Ends one minted token',
  places: ['slug', 'id'],
  options: {},
  run: async ({ operate, output }, { slug, id }) => {
    const answer = await operate('revoke-token', { slug, jti: id });
    output.result(answer, [`The token ${plain(id)} no longer works.`]);
  },
});

const blocks = adminCommand({
  name: 'blocks',
  summary: 'Lists the addresses that are blocked at public servers',
  places: [],
  options: {},
  run: async ({ operate, output }) => {
    const rows: Record<string, unknown>[] = [];
    let after: string | undefined;
    do {
      const answer = await operate('list-blocked', { after });
      rows.push(...listOf(answer['blocked']));
      after = textOf(answer['next']);
    } while (after !== undefined);
    output.rows(
      { blocked: rows },
      rows,
      {
        address: (one) => one['subject'],
        deployment: (one) => one['slug'],
        until: (one) => isoTime(one['until']),
      },
      'Nobody is blocked.',
    );
  },
});

const unblock = adminCommand({
  name: 'unblock',
  summary: 'Lets a blocked address in again, within a minute',
  places: ['address'],
  options: { slug: { value: 'NAME', help: 'at this server only; everywhere if omitted' } },
  run: async ({ operate, output }, { address }, { slug }) => {
    const answer = await operate('unblock-ip', { subject: address, slug });
    output.result(answer, [
      answer['lifted'] === true
        ? `${plain(address)} is let in again.`
        : `${plain(address)} was not blocked.`,
    ]);
  },
});

const sweep = adminCommand({
  name: 'sweep',
  summary: 'Removes what crashes have left; the service does so once a day by itself',
  places: [],
  options: {},
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

const rotateKey = adminCommand({
  name: 'rotate-key',
  summary: 'Takes the step that is due in rotating the signing key',
  places: [],
  options: {},
  details: ['Nobody is signed out. docs/aws.md, "Rotating the signing key", has all steps.'],
  run: async ({ operate, output }) => {
    const answer = await operate('rotate-signing-key');
    const { step, nextKeySignsFrom, formerKeyEndsAt } = answer;
    output.result(
      answer,
      step === 'rotated'
        ? [
            `The next key signs now. Tokens of the former one end at ${plain(String(formerKeyEndsAt))}.`,
          ]
        : [
            `The next key is published. Send this again from ${plain(String(nextKeySignsFrom))} on.`,
          ],
    );
  },
});

const isoTime = (at: unknown): unknown =>
  typeof at === 'number' ? new Date(at * 1000).toISOString() : at;

export const adminServiceCommands: readonly Command[] = [
  publish,
  mint,
  revoke,
  blocks,
  unblock,
  sweep,
  rotateKey,
];
