import { describe, expect, test } from '@jest/globals';
import {
  alreadyRegisteredLetter,
  alreadyVerifiedLetter,
  noAccountLetter,
  resetLetter,
  verificationLetter,
} from '../../../layers/core/domain/accounts/mails.ts';

const LINK = 'https://mcp.example.com/v1/mcp-oauth-server/verify?token=abc&x="y"';

describe('a letter', () => {
  test.each([
    verificationLetter(LINK),
    resetLetter(LINK, 60),
    alreadyRegisteredLetter(LINK),
    alreadyVerifiedLetter(LINK),
    noAccountLetter(LINK),
  ])('has its link in both forms, escaped where it must be: $subject', ({ text, html }) => {
    expect(text).toContain(LINK);
    expect(html).toContain(
      'href="https://mcp.example.com/v1/mcp-oauth-server/verify?token=abc&#38;x=&#34;y&#34;"',
    );
    expect(html).not.toContain('"y"');
  });
});
