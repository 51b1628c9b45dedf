import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startWholeService, type WholeService } from '../../support/service/whole-service.ts';

const PLACE = 'https://phishing.example/callback';
const CHALLENGE = 'c'.repeat(43);

let service: WholeService;
let clientId: string;
beforeAll(async () => {
  service = await startWholeService();
  const answer = await service.fetch(`${service.issuer}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'A stranger', redirect_uris: [PLACE] }),
  });
  clientId = ((await answer.json()) as { client_id: string }).client_id;
});
afterAll(() => service.stop());

const authorizeUrl = (over: Readonly<Record<string, string>> = {}): string => {
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: PLACE,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...over,
  });
  return `${service.issuer}/authorize?${query}`;
};

const WRONG = [
  ['another response type', { response_type: 'token' }],
  ['silence, which asks for no login', { prompt: 'none' }],
] as const;

describe('a request of a client that registered itself, wrong on purpose', () => {
  test.each(WRONG)('sends nobody on before a login: %s', async (_, over) => {
    const answer = await service.fetch(authorizeUrl(over), { redirect: 'manual' });
    const html = await answer.text();

    expect(answer.status).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
    expect(answer.headers.get('refresh')).toBeNull();
    expect(html).toContain('phishing.example');
    expect(html).toContain(`href="${PLACE}?error&#x3D;`);
    expect(html).not.toMatch(/<script|http-equiv/);
  });

  test.each(WRONG)('goes back to the client once somebody has signed in: %s', async (_, over) => {
    const { email, password } = await service.person();
    const browser = service.browser();
    await browser.submit(await browser.open(authorizeUrl()), '/login', { email, password });
    const visit = await browser.open(authorizeUrl(over));

    expect(visit).toMatchObject({ left: true });
    expect(visit.url.href.startsWith(`${PLACE}?error=`)).toBe(true);
    expect(visit.url.searchParams.get('iss')).toBe(service.issuer);
  });
});
