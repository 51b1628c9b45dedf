import { describe, expect, test } from '@jest/globals';
import { isLoopback, isPublic } from '../../../layers/target/client/guard.ts';

describe('a public address', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '11.0.0.1',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '168.63.129.15',
    '168.63.129.17',
    '2001:4860:4860::8888',
    '2606:4700:4700::1111',
    '2a00:1450:4001:80b::200e',
  ])('can be %s', (address) => {
    expect(isPublic(address)).toBe(true);
  });

  test.each([
    ['this network', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['private', '10.0.0.1'],
    ['private', '10.255.255.255'],
    ['private', '172.16.0.0'],
    ['private', '172.31.255.255'],
    ['private', '192.168.0.1'],
    ['carrier-grade NAT', '100.64.0.0'],
    ['the metadata service of Alibaba', '100.100.100.200'],
    ['carrier-grade NAT', '100.127.255.255'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.255'],
    ['the metadata service of AWS', '169.254.169.254'],
    ['the credentials of ECS tasks', '169.254.170.2'],
    ['link-local', '169.254.0.0'],
    ['the metadata service of Azure', '168.63.129.16'],
    ['the metadata service of Oracle', '192.0.0.192'],
    ['documentation', '192.0.2.1'],
    ['6to4 relays', '192.88.99.1'],
    ['benchmarks', '198.18.0.0'],
    ['benchmarks', '198.19.255.255'],
    ['documentation', '198.51.100.1'],
    ['documentation', '203.0.113.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['IPv4-compatible', '::8.8.8.8'],
    ['IPv4-mapped', '::ffff:8.8.8.8'],
    ['IPv4-mapped', '::ffff:127.0.0.1'],
    ['IPv4-mapped', '::ffff:7f00:1'],
    ['IPv4-translated', '::ffff:0:8.8.8.8'],
    ['NAT64', '64:ff9b::808:808'],
    ['local NAT64', '64:ff9b:1::a00:1'],
    ['discard', '100::1'],
    ['6to4', '2002:7f00:1::'],
    ['6to4 of a public address', '2002:808:808::1'],
    ['Teredo', '2001::1'],
    ['benchmarks', '2001:2::1'],
    ['ORCHID', '2001:20::1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff::1'],
    ['below the assigned space', '1fff:ffff::1'],
    ['above the assigned space', '4000::1'],
    ['segment routing', '5f00::1'],
    ['unique local', 'fc00::1'],
    ['the metadata service of AWS', 'fd00:ec2::254'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['public with a zone', '2606:4700::1111%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['a name', 'example.com'],
    ['an octal number', '0177.0.0.1'],
    ['a short form', '127.1'],
    ['empty text', ''],
  ])('cannot be %s: %s', (_, address) => {
    expect(isPublic(address)).toBe(false);
  });
});

describe('a loopback address', () => {
  test.each(['127.0.0.1', '127.1.2.3', '::1'])('can be %s', (address) => {
    expect(isLoopback(address)).toBe(true);
  });

  test.each(['128.0.0.1', '0.0.0.0', '::', '::ffff:127.0.0.1', '::127.0.0.1', 'localhost', ''])(
    'cannot be %j',
    (address) => {
      expect(isLoopback(address)).toBe(false);
    },
  );
});
