import { expect, test } from '@jest/globals';
import { moment } from '../../console/src/kit/words.ts';
import { renewalOf } from '../../console/src/pages/renewal.ts';

test.each([
  ['hour', '2026-03-31T23:59:59Z', '2026-04-01T00:00:00Z'],
  ['hour', '2026-04-01T00:00:00Z', '2026-04-01T01:00:00Z'],
  ['month', '2026-12-31T23:59:59Z', '2027-01-01T00:00:00Z'],
  ['month', '2027-01-01T00:00:00Z', '2027-02-01T00:00:00Z'],
] as const)('a plan whose %s is used up at %s is good again at %s', (window, now, end) => {
  expect(renewalOf(window, Date.parse(now) / 1000)).toBe(moment(end));
});
