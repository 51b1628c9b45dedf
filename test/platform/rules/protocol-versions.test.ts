import { describe, expect, test } from '@jest/globals';
import {
  isModern,
  PROTOCOL_VERSIONS,
  readProtocolVersions,
} from '../../../layers/platform/rules/protocol-versions.ts';

describe('a version without a handshake', () => {
  test.each(['2026-07-28', '2026-07-29', '2027-01-01', '9999-12-31'])('is %s', (version) => {
    expect(isModern(version)).toBe(true);
  });

  test.each([undefined, '', '2026-07-27', '2025-11-25', 'v999.0.0', '2026-7-28', '2026-07-28x'])(
    'is not %j',
    (version) => {
      expect(isModern(version)).toBe(false);
    },
  );
});

describe('the versions that an operator lists', () => {
  test.each([
    [undefined, PROTOCOL_VERSIONS],
    ['', PROTOCOL_VERSIONS],
    ['2025-03-26', ['2025-03-26']],
    [' 2025-03-26 , 2026-07-28', ['2026-07-28', '2025-03-26']],
  ])('in %j are %j', (text, versions) => {
    expect(readProtocolVersions(text)).toEqual(versions);
  });

  test.each([
    ['2025-06-18', '2025-03-26 cannot be left out'],
    ['2024-11-05,2025-03-26', 'there is no version 2024-11-05'],
    ['2025-03-26,', 'there is no version'],
  ])('in %j are refused', (text, words) => {
    expect(() => readProtocolVersions(text)).toThrow(words);
  });
});
