import { describe, expect, test } from '@jest/globals';
import { checkFormOrigin, checkScriptOrigin } from '../../../layers/platform/rules/origin.ts';

const OWN = 'https://mcp.example.com';
const check = (origin?: string, fetchSite?: string) => () =>
  checkFormOrigin({ origin, fetchSite }, OWN);

describe('a genuine form post', () => {
  test.each([
    ['from our page', OWN, 'same-origin'],
    ['from our page, by a browser without Sec-Fetch-Site', OWN, undefined],
    ['from our page with a no-referrer policy', 'null', 'same-origin'],
    ['from a program that is not a browser', undefined, undefined],
    ['when the user reloads the page', undefined, 'none'],
  ])('is accepted %s', (_, origin, fetchSite) => {
    expect(check(origin, fetchSite)).not.toThrow();
  });
});

describe('a forged form post', () => {
  test.each([
    ['from another site', 'https://evil.example', 'cross-site', 'another site'],
    ['from another origin', 'https://evil.example', undefined, 'another origin'],
    ['from another host of our site', 'https://evil.mcp.example.com', 'same-site', 'another site'],
    ['from our host without encryption', 'http://mcp.example.com', undefined, 'another origin'],
    ['from another port', `${OWN}:8443`, undefined, 'another origin'],
    ['from a host that begins with our name', `${OWN}.evil.example`, undefined, 'another origin'],
    ['with our origin but Sec-Fetch-Site: cross-site', OWN, 'cross-site', 'another site'],
    ['without an origin, from another site', undefined, 'cross-site', 'another site'],
    ['from a sandboxed frame', 'null', 'cross-site', 'another site'],
    ['with the origin null alone', 'null', undefined, 'no origin, and not said to be of ours'],
    ['with the origin null by no page', 'null', 'none', 'no origin, and not said to be of ours'],
    ['with an empty origin', '', undefined, 'another origin'],
  ])('is refused %s', (_, origin, fetchSite, why) => {
    expect(check(origin, fetchSite)).toThrow(
      expect.objectContaining({ code: 'foreign_form', why }),
    );
  });
});

describe('a request of a script with the cookie of the pages', () => {
  const script = (origin?: string, fetchSite?: string) => () =>
    checkScriptOrigin({ origin, fetchSite }, OWN);

  test.each([
    ['from our page', OWN, 'same-origin'],
    ['from our page, by a browser without Sec-Fetch-Site', OWN, undefined],
    ['from our page that hides its origin', 'null', 'same-origin'],
    ['from our page, by a browser that names no origin', undefined, 'same-origin'],
  ])('is accepted %s', (_, origin, fetchSite) => {
    expect(script(origin, fetchSite)).not.toThrow();
  });

  test.each([
    ['from a program that says nothing', undefined, undefined, 'no origin'],
    ['from a page that hides its origin, and nothing else', 'null', undefined, 'no origin'],
    ['from another site', 'https://evil.example', 'cross-site', 'another site'],
    ['from another origin', 'https://evil.example', undefined, 'another origin'],
    ['from another port of our host', `${OWN}:8443`, 'same-site', 'another site'],
    ['from our host without encryption', 'http://mcp.example.com', undefined, 'another origin'],
    ['from two origins', `${OWN}, https://evil.example`, 'same-origin', 'another origin'],
    ['with our origin but from another site', OWN, 'cross-site', 'another site'],
    ['that a person typed', undefined, 'none', 'another site'],
    ['from a sandboxed frame', 'null', 'cross-site', 'another site'],
  ])('is refused %s', (_, origin, fetchSite, why) => {
    expect(script(origin, fetchSite)).toThrow(
      expect.objectContaining({ code: 'foreign_origin', why }),
    );
  });
});
