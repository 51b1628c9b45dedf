import { describe, expect, test } from '@jest/globals';
import {
  hasReplyPartScheme,
  replyPartUri,
  readReplyPartUri,
} from '../../../layers/tools/answer/result-continuation.ts';

const ID = '0123456789abcdef'.repeat(4);

describe('the uri of a part of an answer', () => {
  test.each([1, 9, 10, 4096])('is read back, and is a valid URL: part %d', (number) => {
    const uri = replyPartUri(ID, number);

    expect(readReplyPartUri(uri)).toEqual({ answerId: ID, number });
    expect(new URL(uri).href).toBe(uri);
    expect(hasReplyPartScheme(uri)).toBe(true);
  });

  test.each([
    `kept-answer://${ID}`,
    `kept-answer://${ID}/`,
    `kept-answer://${ID}/0`,
    `kept-answer://${ID}/01`,
    `kept-answer://${ID}/-1`,
    `kept-answer://${ID}/1/2`,
    `kept-answer://${ID}/1?x`,
    `kept-answer://${ID}/1\n`,
    `kept-answer://${ID}/99999`,
    `kept-answer://${ID.toUpperCase()}/1`,
    `kept-answer://${ID}0/1`,
    `kept-answer://${ID.slice(1)}/1`,
    `kept-answer://${ID.slice(2)}../1`,
    `kept-answer:${ID}/1`,
    `Kept-Answer://${ID}/1`,
    'kept-answer:',
  ])('is nothing else, though it is of the scheme: %j', (uri) => {
    expect(readReplyPartUri(uri)).toBeUndefined();
    expect(hasReplyPartScheme(uri)).toBe(true);
  });

  test.each(['file:///kept-answer', 'kept-answers://x', 'kept-answer', ' kept-answer:x', ''])(
    'is of no other scheme: %j',
    (uri) => {
      expect(readReplyPartUri(uri)).toBeUndefined();
      expect(hasReplyPartScheme(uri)).toBe(false);
    },
  );
});
