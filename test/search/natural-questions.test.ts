import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { openSearch } from '../../layers/search/search.ts';
import { hasRealDescriptions, REAL_DESCRIPTIONS } from '../support/service/publisher.ts';
import { searchIndexOf } from '../support/mcp/searching.ts';

/**
 * What people would ask of real APIs, and the operation that does it. It stands among the first three, or
 * where the row says otherwise (ten are shown).
 */
const QUESTIONS: Readonly<Record<string, readonly Question[]>> = {
  'stripe-2019-swagger2.yaml': [
    ['refund a charge', /^POST \/v1\/(charges\/\{charge\}\/refunds?|refunds)$/],
    ['create a customer', /^POST \/v1\/customers$/],
    ['list all invoices', /^GET \/v1\/invoices$/],
    ['cancel a subscription', /^DELETE \/v1\/(customers\/\{customer\}\/)?subscriptions\//],
    ['pay an invoice', /^POST \/v1\/invoices\/\{invoice\}\/pay$/],
    ['show my account balance', /^GET \/v1\/balance$/],
    ['create a coupon for a discount', /^POST \/v1\/coupons$/],
    ['close a dispute', /^POST \/v1\/disputes\/\{dispute\}\/close$/],
    ['send money to a bank account payout', /^POST \/v1\/payouts$/],
    ['upload a file', /^POST \/v1\/files$/],
    ['which webhooks endpoints are registered', /^GET \/v1\/webhook_endpoints$/, 10],
    [
      "delete a customer's credit card",
      /^DELETE \/v1\/customers\/\{customer\}\/(cards|sources)\//,
      10,
    ],
  ],
  'openai.yaml': [
    ['generate an image from a prompt', /^POST \/images\/generations$/],
    ['transcribe audio to text', /^POST \/audio\/transcriptions$/],
    ['create embeddings for a text', /^POST \/embeddings$/],
    ['list the available models', /^GET \/models$/],
    ['chat completion', /^POST \/chat\/completions$/, 10],
    ['cancel a fine-tuning job', /^POST \/fine_tuning\/jobs\/\{[^}]*\}\/cancel$/],
    ['upload a file', /^POST \/(files|uploads)$/],
    ['delete an assistant', /^DELETE \/assistants\//],
    ['moderate content', /^POST \/moderations$/],
    ['create a vector store', /^POST \/vector_stores$/],
    ['invite a user to the organization', /^POST \/organization\/invites$/],
  ],
  'slack.json': [
    ['send a message to a channel', /^POST \/chat.postMessage$/],
    ['list channels', /^GET \/conversations.list$/, 10],
    ['look up a user by email', /^GET \/users.lookupByEmail$/],
    ['add an emoji reaction to a message', /^POST \/reactions.add$/],
    ['invite users to a channel', /^POST \/conversations.invite$/],
    ['upload a file', /^POST \/files.upload$/],
    ['schedule a message for later', /^POST \/chat.scheduleMessage$/],
    ['search messages', /^GET \/search.messages$/],
    ['create a reminder', /^POST \/reminders.add$/],
    ['set my profile', /^POST \/users.profile.set$/],
    ['archive a channel', /^POST \/conversations.archive$/],
  ],
  'gitea.yaml': [
    ['create an issue', /^POST \/repos\/\{owner\}\/\{repo\}\/issues$/],
    ['comment on an issue', /^POST \/repos\/\{owner\}\/\{repo\}\/issues\/\{index\}\/comments$/],
    ['merge a pull request', /^POST \/repos\/\{owner\}\/\{repo\}\/pulls\/\{index\}\/merge$/],
    ['list the branches of a repository', /^GET \/repos\/\{owner\}\/\{repo\}\/branches$/],
    ['fork a repository', /^POST \/repos\/\{owner\}\/\{repo\}\/forks$/],
    ['add a label to an issue', /^POST \/repos\/\{owner\}\/\{repo\}\/issues\/\{index\}\/labels$/],
    ['create a release', /^POST \/repos\/\{owner\}\/\{repo\}\/releases$/],
    ['star a repository', /^PUT \/user\/starred\//],
    ['who am I, the current user', /^GET \/user$/],
    ['search repositories', /^GET \/repos\/search$/],
    ['delete a webhook', /^DELETE \/(repos\/.*|orgs\/.*|admin)\/?hooks\//, 10],
  ],
  'spotify-fixed.yml': [
    ['search for a song', /^GET \/search$/],
    ['create a playlist', /^POST \/users\/\{user_id\}\/playlists$|^POST \/me\/playlists$/],
    ['add tracks to a playlist', /^POST \/playlists\/\{playlist_id\}\/(tracks|items)$/],
    ['pause playback', /^PUT \/me\/player\/pause$/],
    ['skip to the next song', /^POST \/me\/player\/next$/],
    ['top artists of the user', /^GET \/me\/top\//],
    ['albums of an artist', /^GET \/artists\/\{id\}\/albums$/],
    ['what is playing right now', /^GET \/me\/player\/currently-playing$/],
    ['set the volume', /^PUT \/me\/player\/volume$/],
    ['follow an artist', /^PUT \/me\/following$/],
  ],
  'trello.yaml': [
    ['create a card', /^POST \/cards$/],
    ['add a comment to a card', /^POST \/cards\/\{idCard\}\/actions\/comments$/],
    ['list the cards of a board', /^GET \/boards\/\{idBoard\}\/cards/, 10],
    ['delete a checklist', /^DELETE \/(cards\/\{idCard\}\/)?checklists\/\{idChecklist\}$/],
    ['create a board', /^POST \/boards$/],
    ['set the due date of a card', /^PUT \/cards\/\{idCard\}\/due$/],
    ['search', /^GET \/search$/],
    ['attach a file to a card', /^POST \/cards\/\{idCard\}\/attachments$/],
    ['move all cards of a list', /^POST \/lists\/\{idList\}\/moveAllCards$/],
  ],
  'discord.json': [
    ['send a message', /^POST \/channels\/\{channel_id\}\/messages$/],
    ['ban a member from a guild', /^PUT \/guilds\/\{guild_id\}\/bans\/\{user_id\}$/],
    ['list the members of a guild', /^GET \/guilds\/\{guild_id\}\/members$/],
    ['create a role', /^POST \/guilds\/\{guild_id\}\/roles$/],
    ['delete a message', /^DELETE \/channels\/\{channel_id\}\/messages\/\{message_id\}$/],
    ['create a channel', /^POST \/guilds\/\{guild_id\}\/channels$/],
    ['execute a webhook', /^POST \/webhooks\/\{webhook_id\}\/\{webhook_token\}$/],
  ],
  'bitbucket.yaml': [
    ['approve a pull request', /^POST \/repositories\/.*\/pullrequests\/\{[^}]*\}\/approve$/],
    ['list the commits of a branch', /^GET \/repositories\/.*\/commits/],
    ['create a repository', /^POST \/repositories\/\{username\}\/\{repo_slug\}$/, 10],
    ['run a pipeline', /^POST \/repositories\/.*\/pipelines\/?$/],
    ['open issues', /^GET \/repositories\/.*\/issues\/?$/],
  ],
};

type Question = readonly [question: string, operation: RegExp, within?: number];

if (!hasRealDescriptions) {
  test.skip('real descriptions: the folder shared/openapi is not here', () => {});
}

const askable = hasRealDescriptions ? Object.entries(QUESTIONS) : [];

if (askable.length > 0)
  describe.each(askable)('%s', (file, questions) => {
    const search = openSearch(searchIndexOf(readFileSync(new URL(file, REAL_DESCRIPTIONS))));

    test.each(questions.map(([question, operation, within = 3]) => [question, within, operation]))(
      'answers "%s" within the first %i results',
      (text, within, operation) => {
        const first = search({ text: String(text) }).slice(0, Number(within));

        expect(first.map(({ method, path }) => `${method} ${path}`)).toContainEqual(
          expect.stringMatching(operation as RegExp),
        );
      },
    );
  });
