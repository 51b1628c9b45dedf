import { afterAll, expect, test } from '@jest/globals';
import { writeMailToken } from '../../../layers/accounts/rules/mail-token.ts';
import { holdMailToken } from '../../../layers/accounts/steps/mail-tokens.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import { anOAuthService } from '../../support/oauth/oauth.ts';

const service = await anOAuthService();
afterAll(() => service.stop());

test('a second click on the link of a mail waits half a minute, and then may go on', async () => {
  const { clock, mailTokens, random } = service.ports;
  const [email, secret] = ['ada@example.com', random.secret()];
  const asked = { purpose: 'reset_password', email, expiresAt: clock.now() + 3600 } as const;
  await mailTokens.put(fingerprint(secret), asked);
  const hold = () => holdMailToken(service.ports, writeMailToken(email, secret), 'reset_password');

  await hold();
  service.clock.time += 29;
  await expect(hold()).rejects.toMatchObject({ code: 'conflict' });
  service.clock.time += 1;
  await expect(hold()).resolves.toBeDefined();
});
