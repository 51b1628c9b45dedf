import { describe, expect, test } from '@jest/globals';
import { checkDestination, checkUrl } from '../../../layers/target/client/guard.ts';
import type { TargetPolicy } from '../../../layers/target/rules/target.ts';

const inProduction: TargetPolicy = {};
const onThisMachine: TargetPolicy = { loopback: { exceptPorts: [4566] } };
const blocked = expect.objectContaining({ reason: 'blocked_address' });

describe('the URL of a target API in production', () => {
  test.each([
    'https://example.com/',
    'https://example.com.:8443/',
    'https://localhost/', // its addresses are refused when they are known
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
  ])('may be %s', (url) => {
    expect(() => checkUrl(inProduction, new URL(url))).not.toThrow();
  });

  test.each([
    ['http', 'http://example.com/'],
    ['another scheme', 'ftp://example.com/'],
    ['a file', 'file:///etc/passwd'],
    ['data', 'data:text/plain,hi'],
    ['a user name', 'https://user@example.com/'],
    ['a password', 'https://:secret@example.com/'],
    ['a host in the user name', 'https://example.com@127.0.0.1/'],
    ['loopback', 'https://127.0.0.1/'],
    ['a decimal address', 'https://2130706433/'],
    ['an octal address', 'https://0177.0.0.01/'],
    ['a hexadecimal address', 'https://0x7f.0x0.0x0.0x1/'],
    ['one hexadecimal number', 'https://0x7f000001/'],
    ['a short address', 'https://127.1/'],
    ['the address zero', 'https://0/'],
    ['an address with a dot', 'https://127.0.0.1./'],
    ['full-width digits', 'https://１２７.0.0.1/'],
    ['an escaped address', 'https://%31%32%37.0.0.1/'],
    ['instance metadata', 'https://169.254.169.254/latest/meta-data/'],
    ['IPv6 loopback', 'https://[::1]/'],
    ['mapped loopback', 'https://[::ffff:127.0.0.1]/'],
    ['mapped private', 'https://[0:0:0:0:0:ffff:10.0.0.1]/'],
    ['unspecified', 'https://[::]/'],
  ])('is refused for %s: %s', (_, url) => {
    expect(() => checkUrl(inProduction, new URL(url))).toThrow(blocked);
  });
});

// Sought from each of them, the end would be found after minutes.
test('a host with a million dots is quickly found not to be our own', () => {
  const url = new URL(`https://a${'.'.repeat(1_000_000)}b/`);
  const policy = { own: { hosts: ['own.example'], buckets: [] } };

  expect(() => checkUrl(policy, url)).not.toThrow();
});

describe('the URL of a target API in the local runtime', () => {
  test.each([
    'http://127.0.0.1:3000/',
    'https://127.0.0.1:3000/',
    'http://[::1]:3000/',
    'http://localhost:3000/',
    'https://example.com/',
    'https://8.8.8.8/',
  ])('may be %s', (url) => {
    expect(() => checkUrl(onThisMachine, new URL(url))).not.toThrow();
  });

  test.each([
    ['an excepted port', 'http://127.0.0.1:4566/'],
    ['an excepted port in IPv6', 'http://[::1]:4566/'],
    ['http to a public address', 'http://8.8.8.8/'],
    ['a private address', 'http://10.0.0.1/'],
    ['a private address with TLS', 'https://192.168.1.1/'],
    ['instance metadata', 'http://169.254.169.254/'],
    ['mapped loopback', 'http://[::ffff:127.0.0.1]/'],
    ['all addresses', 'http://0.0.0.0:3000/'],
    ['a user name', 'http://user@127.0.0.1/'],
    ['another scheme', 'ftp://127.0.0.1/'],
  ])('is refused for %s: %s', (_, url) => {
    expect(() => checkUrl(onThisMachine, new URL(url))).toThrow(blocked);
  });

  test('is refused for an excepted port implied by the scheme', () => {
    const policy: TargetPolicy = { loopback: { exceptPorts: [80, 443] } };

    expect(() => checkUrl(policy, new URL('http://127.0.0.1/'))).toThrow(blocked);
    expect(() => checkUrl(policy, new URL('https://127.0.0.1/'))).toThrow(blocked);
  });
});

describe('the resolved address of a target API', () => {
  test.each([
    ['public with TLS in production', inProduction, '8.8.8.8', 443, true, true],
    ['public without TLS in production', inProduction, '8.8.8.8', 80, false, false],
    ['loopback in production', inProduction, '127.0.0.1', 443, true, false],
    ['public with TLS on this machine', onThisMachine, '8.8.8.8', 443, true, true],
    ['public without TLS on this machine', onThisMachine, '8.8.8.8', 80, false, false],
    ['loopback on this machine', onThisMachine, '127.0.0.1', 80, false, true],
    ['an excepted port on this machine', onThisMachine, '127.0.0.1', 4566, false, false],
    ['private on this machine', onThisMachine, '10.0.0.1', 443, true, false],
  ])('is checked correctly where it is %s', (_, policy, address, port, isTls, allowed) => {
    const check = () => checkDestination(policy, { address, port, isTls });

    if (allowed) expect(check).not.toThrow();
    else expect(check).toThrow(blocked);
  });
});

describe('the URL of a target API, beside the service itself', () => {
  const own = { hosts: ['mcp.example.com'], buckets: ['our-bucket'] };

  test.each([
    'https://mcp.example.com/',
    'https://MCP.EXAMPLE.COM:8443/v1',
    'https://mcp.example.com./',
    'https://%6dcp.example.com/',
    'https://our-bucket.s3.amazonaws.com/',
    'https://our-bucket.s3.eu-central-1.amazonaws.com/key',
    'https://our-bucket.s3.dualstack.eu-central-1.amazonaws.com./key',
    'https://our-bucket.s3-accelerate.amazonaws.com/key',
    'https://our-bucket.s3.cn-north-1.amazonaws.com.cn/key',
    'https://s3.eu-central-1.amazonaws.com/our-bucket/key',
    'https://s3-eu-west-1.amazonaws.com/our-bucket',
    'https://s3.amazonaws.com/our%2Dbucket/key',
  ])('is refused where it is the service: %s', (url) => {
    expect(() => checkUrl({ own }, new URL(url))).toThrow(blocked);
  });

  test.each([
    'https://api.example.com/mcp.example.com',
    'https://api.mcp.example.com/',
    'https://mcp.example.com.evil.example/',
    'https://another-bucket.s3.amazonaws.com/our-bucket',
    'https://s3.amazonaws.com/another-bucket/our-bucket',
    'https://s3.amazonaws.com/%zz',
    'https://our-bucket.example.com/',
    'https://s3.example.com/our-bucket',
  ])('may be one of others: %s', (url) => {
    expect(() => checkUrl({ own }, new URL(url))).not.toThrow();
  });
});
