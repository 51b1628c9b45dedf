import { describe, expect, test } from '@jest/globals';
import { addressSubject } from '../../../layers/platform/rules/subject.ts';

describe('the network that a limit per IP address counts', () => {
  test.each([
    ['an IPv4 address', '203.0.113.7', '203.0.113.7'],
    ['an IPv4 address in IPv6 form', '::ffff:203.0.113.7', '203.0.113.7'],
    ['the same in capitals', '::FFFF:203.0.113.7', '203.0.113.7'],
    ['a full IPv6 address', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['a shortened IPv6 address', '2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['an IPv6 address shortened within the network', '2001:db8::1', '2001:db8:0:0::/64'],
    ['an IPv6 address with leading zeros', '2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
    ['an IPv6 address in capitals', '2001:DB8:1:2::A', '2001:db8:1:2::/64'],
    ['an IPv6 address with an IPv4 end', '64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
    ['an IPv6 address with a zone', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['the loopback address', '::1', '0:0:0:0::/64'],
    ['a network prefix', '2001:db8:1:2::', '2001:db8:1:2::/64'],
  ])('is derived from %s', (_, address, subject) => {
    expect(addressSubject(address)).toBe(subject);
  });

  test.each([
    ['in one /64 count as one', '2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
    ['in two /64s count as two', '2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['in IPv4 count as two', '203.0.113.7', '203.0.113.8', false],
  ])('neighbouring addresses %s', (_, one, other, same) => {
    expect(addressSubject(one) === addressSubject(other)).toBe(same);
  });
});
