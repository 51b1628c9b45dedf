import { describe, expect, test } from '@jest/globals';
import {
  accessTokenSeconds,
  assertedTokenSeconds,
} from '../../../../layers/oauth/rules/tokens/token-life.ts';

const limits = { access_token_seconds: 3600, refresh_token_seconds: 7_776_000 };
const shift = { access_token_seconds: 3600, refresh_token_seconds: 28_800 };
const patient = { access_token_seconds: 172_800, refresh_token_seconds: 7_776_000 };

describe('an access token', () => {
  test.each([
    ['as long as the service says, if its owner says nothing', undefined, limits, 3600],
    ['as long as its owner says', 7200, limits, 7200],
    ['as long as the service says again, if its owner takes that back', null, limits, 3600],
    ['no longer than people may stay signed in', 86_400, shift, 28_800],
    [
      'as a service of patient operators says, if its owner takes that back',
      null,
      patient,
      172_800,
    ],
    ['as long as the service says, though that is more than a day', undefined, patient, 172_800],
  ])('is good %s', (_, wanted, of, seconds) => {
    const said = wanted === undefined ? {} : { accessTokenSeconds: wanted };
    expect(accessTokenSeconds(said, of)).toBe(seconds);
  });
});

describe('the token for an identity assertion', () => {
  test.each([
    ['no longer than the service says', 86_400, limits, 3600],
    ['less where the owner says less', 3600, patient, 3600],
  ])('is good for %s', (_, said, of, seconds) => {
    expect(assertedTokenSeconds({ accessTokenSeconds: said }, of)).toBe(seconds);
  });
});
