import { describe, expect, test } from '@jest/globals';
import {
  hasAddress,
  hasHost,
  isForbiddenRange,
  isHostPattern,
  isRoutable,
  mayUse,
  rangeFault,
} from '../../../layers/target/rules/network.ts';

describe('a host in the list of a private network', () => {
  test.each([
    'orders.internal',
    'orders',
    'a_b.corp.example.com',
    '*.internal',
    '*.vpce.amazonaws.com',
    '10.20.0.5',
    'fd12::5',
  ])('may be %s', (host) => {
    expect(isHostPattern(host)).toBe(true);
  });

  test.each([
    '',
    '*',
    '*.',
    '*.*.internal',
    'a.*.internal',
    'orders*.internal',
    '.internal',
    'orders.internal.',
    'Orders.internal',
    'https://orders.internal',
    'orders.internal:8443',
    'orders.internal/',
    'büro.internal',
    'user@orders.internal',
    '10.20.0',
    '010.20.0.5',
    '0x7f000001',
    '2130706433',
    '*.5',
    '[fd12::5]',
    'fd12:0::5',
    'fe80::1%eth0',
    `${'a'.repeat(64)}.internal`,
  ])('is not %p', (host) => {
    expect(isHostPattern(host)).toBe(false);
  });

  test.each([
    ['orders.internal', 'orders.internal', true],
    ['orders.internal', 'orders.internal.', true],
    ['orders.internal', 'x.orders.internal', false],
    ['orders.internal', 'orders.internal..', false],
    ['orders.internal', 'xorders.internal', false],
    ['*.internal', 'a.b.internal', true],
    ['*.internal', 'internal', false],
    ['*.internal', 'evilinternal', false],
    ['*.internal', 'internal.evil.example', false],
    ['10.20.0.5', '10.20.0.5', true],
    ['10.20.0.5', '10.20.0.50', false],
    ['fd12::5', 'fd12::5', true],
  ])('%s: is %s of it? %s', (pattern, host, expected) => {
    expect(hasHost({ hosts: [pattern] }, host)).toBe(expected);
  });
});

describe('an address range of a private network', () => {
  test.each(['10.0.0.0/8', '10.20.0.0/16', '172.16.5.4/32', 'fd12:3456::/32', '2600:1f18::/36'])(
    'may be %s',
    (range) => {
      expect([rangeFault(range), isForbiddenRange(range)]).toEqual([undefined, false]);
    },
  );

  test.each([
    ['10.20.0.0', 'CIDR'],
    ['10.20/16', 'CIDR'],
    ['10.20.0.0/33', 'CIDR'],
    ['fd12::/129', 'CIDR'],
    ['orders/24', 'CIDR'],
    ['0.0.0.0/0', '/8 or narrower'],
    ['::/0', '/8 or narrower'],
    ['10.20.5.0/16', 'write 10.20.0.0/16'],
    ['10.20.0.129/25', 'write 10.20.0.128/25'],
    ['fd12:3456:7::/32', 'write fd12:3456::/32'],
  ])('is not %s', (range, why) => {
    expect(rangeFault(range)).toContain(why);
  });

  test.each([
    '127.0.0.0/8',
    '169.254.169.254/32',
    '169.254.0.0/16',
    '224.0.0.0/8',
    'fe80::/10',
    'fd00:ec2::/32',
    '64:ff9b::/96',
    '2002::/16',
  ])('never has addresses of %s', (range) => {
    expect(isForbiddenRange(range)).toBe(true);
  });

  test.each([
    ['10.20.0.0/16', '10.20.255.255', true],
    ['10.20.0.0/16', '10.21.0.0', false],
    ['10.20.0.128/25', '10.20.0.127', false],
    ['fd12:3456::/32', 'fd12:3456:ffff::1', true],
    ['fd12:3456::/32', 'fd12:3457::1', false],
    ['10.20.0.0/16', '::ffff:10.20.0.1', false],
    ['fd12::/16', '10.20.0.1', false],
  ])('%s: has it %s? %s', (range, address, expected) => {
    expect(hasAddress({ ranges: [range] }, address)).toBe(expected);
  });

  test.each(['10.1.2.3', '192.168.0.1', '100.64.0.1', '203.0.112.1', 'fd12::1', '2600:1f18::1'])(
    '%s is an address of machines',
    (address) => {
      expect(isRoutable(address)).toBe(true);
    },
  );

  test.each([
    '127.0.0.1',
    '0.0.0.0',
    '169.254.169.254',
    '169.254.170.2',
    '169.254.170.23',
    '169.254.169.253',
    '168.63.129.16',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:10.0.0.1',
    '::ffff:169.254.169.254',
    '::10.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    '2001::1',
    'fe80::1',
    'fe80::1%eth0',
    'fd12::1%eth0',
    'fd00:ec2::254',
    'fd00:ec2::253',
    'ff02::1',
    'orders.internal',
  ])('%s is none', (address) => {
    expect(isRoutable(address)).toBe(false);
  });
});

describe('whoever may have deployments in a private network', () => {
  test.each([
    [{}, undefined, true],
    [{ emails: ['ann@acme.example'] }, 'Ann@acme.example', true],
    [{ emails: ['ann@acme.example'] }, 'bob@acme.example', false],
    [{ domains: ['acme.example'] }, 'bob@ACME.example', true],
    [{ domains: ['acme.example'] }, 'bob@sub.acme.example', false],
    [{ domains: ['acme.example'] }, 'acme.example@evil.example', false],
    [{ domains: ['acme.example'] }, undefined, false],
    [{ emails: ['ann@acme.example'], domains: ['corp.example'] }, 'bob@corp.example', true],
    [{ emails: [] }, 'ann@acme.example', false],
  ])('%j: %s? %s', (users, email, expected) => {
    expect(mayUse(users, email)).toBe(expected);
  });
});
