import { describe, expect, test } from '@jest/globals';
import { checkedFormat } from '../../../layers/openapi/json-schema/formats.ts';

const matches = (format: string, text: string) => checkedFormat(format)?.matches(text);

const VALID: Readonly<Record<string, readonly string[]>> = {
  date: ['2030-01-31', '2024-02-29', '2000-02-29', '0000-02-29', '0001-01-01', '9999-12-31'],
  'date-time': [
    '2030-01-31T12:00:00Z',
    '2030-01-31t12:00:00.123456789z',
    '2030-01-31 23:59:59-00:00',
    '2030-01-31T12:00:00',
    '2030-01-31T10:00:00.123456',
    '2030-01-31 12:00:00',
    '2030-01-31T12:00',
    '2030-01-31T12:00:00+0100',
    '2030-01-31T12:00:00+01',
    '2030-01-31T12:00:00+23:59',
    '2016-12-31T23:59:60Z',
    '2016-12-31T18:29:60-05:30',
    '2017-01-01T05:29:60+05:30',
  ],
  uuid: [
    '123e4567-e89b-42d3-a456-426614174000',
    '123E4567-E89B-42D3-A456-426614174000',
    '123e4567e89b42d3a456426614174000',
    '{123e4567-e89b-42d3-a456-426614174000}',
    'urn:uuid:123e4567-e89b-42d3-a456-426614174000',
  ],
  ipv4: ['192.0.2.1', '0.0.0.0', '255.255.255.255', '010.1.1.1'],
  ipv6: ['::', '::1', '2001:db8::1', '1:2:3:4:5:6:7:8', '::ffff:192.0.2.1', '1:2:3:4:5:6:7::'],
  email: [
    'a@example.com',
    'first.last+tag@sub.example.com',
    'a@localhost',
    '"a..b c"@example.com',
    `${'a'.repeat(64)}@example.com`,
    'a@[192.0.2.1]',
    'a@[IPv6:::1]',
  ],
};

const INVALID: Readonly<Record<string, readonly string[]>> = {
  date: ['', '2030-02-29', '1900-02-29', '2030-13-01', '2030-00-01', '2030-04-31', '2030-1-1'],
  'date-time': [
    '2030-01-31',
    '2030-02-30T12:00:00Z',
    '2030-01-31T24:00:00Z',
    '2030-01-31T12:60:00Z',
    '2030-01-31T12:00:61Z',
    '2016-12-31T22:59:60Z',
    '2016-12-31T23:59:60+01:00',
    '2030-01-31T12:00:00+24:00',
    '2030-01-31T12:00:00.Z',
    '2030-01-31TT12:00:00Z',
    '2030-01-31T12',
    '2030-01-31T12:00:00+',
    'tomorrow',
  ],
  uuid: [
    '123e4567e89b42d3a45642661417400',
    '123e4567-e89b42d3a456426614174000',
    '123e4567-e89b-42d3-a456-42661417400g',
    '{}',
    '{123e4567-e89b-42d3-a456-426614174000',
    'urn:123e4567-e89b-42d3-a456-426614174000',
  ],
  ipv4: ['192.0.2', '192.0.2.1.', '192.0.2.256', '192.0.2.-1', '192.0.2.0001', 'a.b.c.d'],
  ipv6: ['', ':', ':::', '1::2::3', '12345::', '1:2:3:4:5:6:7', '::1%eth0', '::1]/', '::256.0.0.1'],
  email: [
    '',
    'a',
    '@example.com',
    'a@',
    '.a@example.com',
    'a.@example.com',
    'a..b@example.com',
    'a b@example.com',
    'a@-example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'a'.repeat(64)}.com`,
    'a@[192.0.2.256]',
    'a@[::1]',
  ],
};

const rows = (texts: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(texts).flatMap(([format, all]) => all.map((text) => [format, text] as const));

describe('a format of JSON Schema', () => {
  test.each(rows(VALID))('%s is matched by %s', (format, text) => {
    expect(matches(format, text)).toBe(true);
  });

  test.each(rows(INVALID))('%s is not matched by %j', (format, text) => {
    expect(matches(format, text)).toBe(false);
  });

  test.each(['int32', 'uri', 'constructor', ''])('that is %j is not checked', (format) => {
    expect(checkedFormat(format)).toBeUndefined();
  });

  test.each(Object.keys(VALID))('%s takes time in proportion to a long text', (format) => {
    for (const piece of ['a', '1', '.', ':', '@', '-', '"', '1:', 'a.', '\\"']) {
      expect(matches(format, piece.repeat(1_000_000 / piece.length))).toBe(false);
    }
  });
});
