import { describe, expect, test } from '@jest/globals';
import {
  alreadyRegisteredLetter,
  resetEmail,
  signUpEmail,
} from '../../../layers/accounts/rules/mails.ts';

const LINK = 'https://mcp.example.com/v1/mcp-oauth-server/verify?token=abc&x="y"';

describe('an email of the service', () => {
  test.each([signUpEmail(LINK), resetEmail(LINK, 60), alreadyRegisteredLetter(LINK)])(
    'contains its link in text and in escaped HTML: $subject',
    ({ text, html }) => {
      expect(text).toContain(LINK);
      expect(html).toContain(
        'href="https://mcp.example.com/v1/mcp-oauth-server/verify?token=abc&#38;x=&#34;y&#34;"',
      );
      expect(html).not.toContain('"y"');
    },
  );
});
