import { describe, expect, test } from '@jest/globals';
import { draftOf, sentPrompt } from '../../console/src/pages/server/content/prompt-draft.ts';

describe('a prompt in the fields of its page', () => {
  test('is sent as it was stored, with what no field shows', () => {
    const stored = {
      title: 'Ask',
      description: 'Asks for a book',
      arguments: [
        { name: 'reader', title: 'Reader', values: ['Ann', 'Joan'], required: true },
        { name: 'mood', description: 'How they feel', required: false },
      ],
      template: 'A book for {{reader}}{{#if mood}}, who is {{mood}}{{/if}}.',
    };

    expect(sentPrompt(draftOf({ name: 'ask', ...stored }))).toEqual(stored);
  });
});
