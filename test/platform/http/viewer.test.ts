import { describe, expect, test } from '@jest/globals';
import {
  asViewed,
  ORIGIN_SECRET_HEADER,
  VIEWER_HEADER,
} from '../../../layers/platform/http/endpoint.ts';
import {
  ORIGIN_SECRET_HEADER as SENT_SECRET,
  VIEWER_HEADER as SENT,
} from '../../../lib/edge/headers.ts';
import { anEvent, type SentHeaders } from '../../support/mcp/router-events.ts';

const SECRETS = ['a'.repeat(64), 'b'.repeat(64)];
const CLOUDFRONT = '130.176.1.1';

const asked = (headers: SentHeaders) => anEvent('GET', '/v1/x', { headers, sourceIp: CLOUDFRONT });
const passed = (over: SentHeaders = {}) =>
  asked({ [ORIGIN_SECRET_HEADER]: SECRETS[0], [VIEWER_HEADER]: '198.51.100.7', ...over });
const addressOf = ({ requestContext }: ReturnType<typeof anEvent>) => requestContext.http.sourceIp;

describe('a request behind a distribution', () => {
  test.each(SECRETS)('with one of its secrets comes from the viewer', (secret) => {
    expect(addressOf(asViewed(passed({ [ORIGIN_SECRET_HEADER]: secret }), SECRETS))).toBe(
      '198.51.100.7',
    );
  });

  test('may come from an address of IPv6', () => {
    const viewed = asViewed(passed({ [VIEWER_HEADER]: '2001:db8::7' }), SECRETS);

    expect(addressOf(viewed)).toBe('2001:db8::7');
  });

  test('goes on without what the distribution has added, and with all else', () => {
    const { headers } = asViewed(
      passed({ authorization: 'Bearer t', 'mcp-param-x': '1' }),
      SECRETS,
    );

    expect(headers).toEqual({ authorization: 'Bearer t', 'mcp-param-x': '1' });
  });

  test('counts no address that the client has written into X-Forwarded-For', () => {
    const viewed = asViewed(passed({ 'x-forwarded-for': '203.0.113.1' }), SECRETS);

    expect(addressOf(viewed)).toBe('198.51.100.7');
  });

  test.each([
    ['no secret', { [ORIGIN_SECRET_HEADER]: undefined }],
    ['an empty secret', { [ORIGIN_SECRET_HEADER]: '' }],
    ['a wrong secret of the right length', { [ORIGIN_SECRET_HEADER]: 'c'.repeat(64) }],
    ['a secret of before', { [ORIGIN_SECRET_HEADER]: '0'.repeat(64) }],
    ['both secrets', { [ORIGIN_SECRET_HEADER]: SECRETS.join(',') }],
    ['no address', { [VIEWER_HEADER]: undefined }],
    ['what is no address', { [VIEWER_HEADER]: 'unknown' }],
    ['an address and a port', { [VIEWER_HEADER]: '198.51.100.7:443' }],
    ['two addresses', { [VIEWER_HEADER]: '198.51.100.7, 198.51.100.8' }],
  ])('is refused with %s, in the same words', (_, over) => {
    expect(() => asViewed(passed(over), SECRETS)).toThrow(
      expect.objectContaining({
        code: 'forbidden',
        description: 'Requests are served at the public address of this service only.',
      }),
    );
  });

  test('has the headers that the distribution adds', () => {
    expect([SENT_SECRET.toLowerCase(), SENT]).toEqual([ORIGIN_SECRET_HEADER, VIEWER_HEADER]);
  });
});

describe('a request that no distribution stands before', () => {
  test('comes from where the gateway saw it, whatever its headers say', () => {
    const event = passed({ 'x-forwarded-for': '203.0.113.1' });

    expect(asViewed(event, undefined)).toBe(event);
  });
});
