import { describe, expect, test } from '@jest/globals';
import { checkFormOrigin } from '../../../layers/core/domain/access/form-origin.ts';

const OWN = 'https://mcp.example.com';
const check = (origin?: string, fetchSite?: string) => () =>
  checkFormOrigin({ origin, fetchSite }, OWN);

describe('A3 a form is taken', () => {
  test.each([
    ['from our page', OWN, 'same-origin'],
    ['from our page, by a browser that says no more', OWN, undefined],
    ['D34 from our page without a referrer', 'null', 'same-origin'],
    ['from a program that is no browser', undefined, undefined],
    ['when a person sends it again', undefined, 'none'],
  ])('%s', (_, origin, fetchSite) => {
    expect(check(origin, fetchSite)).not.toThrow();
  });
});

describe('A3 a form is refused', () => {
  test.each([
    ['from another site', 'https://evil.example', 'cross-site', 'another site'],
    ['from another origin', 'https://evil.example', undefined, 'another origin'],
    ['from a sister of our host', 'https://evil.mcp.example.com', 'same-site', 'another site'],
    ['from our host without encryption', 'http://mcp.example.com', undefined, 'another origin'],
    ['from another port', `${OWN}:8443`, undefined, 'another origin'],
    ['from a name that begins alike', `${OWN}.evil.example`, undefined, 'another origin'],
    ['that names us and says otherwise', OWN, 'cross-site', 'another site'],
    ['without an origin, from another site', undefined, 'cross-site', 'another site'],
    ['D34 from a sandboxed frame', 'null', 'cross-site', 'another site'],
    ['D34 from nobody knows where', 'null', undefined, 'no origin, and not said to be of ours'],
    ['D34 from no page', 'null', 'none', 'no origin, and not said to be of ours'],
    ['with an empty origin', '', undefined, 'another origin'],
  ])('%s', (_, origin, fetchSite, why) => {
    expect(check(origin, fetchSite)).toThrow(
      expect.objectContaining({ code: 'foreign_form', why }),
    );
  });
});
