import { describe, expect, test } from '@jest/globals';
import { partition as sdkPartition } from '@aws-sdk/core/client';
import { signedQuestion } from '../../../cdk/provider/sign-in.ts';
import { readCallerIdentity, roleIn } from '../../../layers/accounts/rules/caller-identity.ts';
import { partitionOf } from '../../../layers/accounts/rules/partition.ts';

const BASE_URL = 'https://mcp.example/v1';
const REGION = 'eu-central-1';
const NOW = Date.UTC(2026, 10, 28, 12) / 1000;

interface Shown {
  region: string;
  headers: Record<string, string>;
}
const shown = (region = REGION): Shown => {
  const text = signedQuestion(
    {
      region,
      accessKeyId: 'ASIA0000000000000001',
      secretAccessKey: 'secret',
      sessionToken: 'session',
    },
    BASE_URL,
    new Date(NOW * 1000),
  );
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as Shown;
};
const encoded = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');
const read = (text: string, partition = 'aws') =>
  readCallerIdentity(text, { baseUrl: BASE_URL, now: NOW, partition });
const authorized = (change: (text: string) => string): string => {
  const { region, headers } = shown();
  return encoded({
    region,
    headers: { ...headers, authorization: change(String(headers['authorization'])) },
  });
};
const withHeaders = (more: object): string => {
  const { region, headers } = shown();
  return encoded({ region, headers: { ...headers, ...more } });
};

describe('a question to STS that a role has signed', () => {
  test.each([
    ['blanks behind its commas', encoded(shown())],
    ['none', authorized((text) => text.replaceAll(', ', ','))],
    ['another case of its headers’ names', encoded(shownInCapitals())],
  ])('is read with %s', (_, text) => {
    const { headers, region, signature } = read(text);
    expect({ headers: Object.keys(headers), region }).toEqual({
      headers: Object.keys(shown().headers),
      region: REGION,
    });
    expect(headers['authorization']).toContain(`Signature=${signature}`);
  });

  const SIGNATURE = 'a'.repeat(64);
  test.each<readonly [string, string]>([
    ['a second signature', authorized((text) => `${text}, Signature=${SIGNATURE}`)],
    [
      'a signature before its own',
      authorized((text) => text.replace(', Sig', `, Signature=${SIGNATURE}, Sig`)),
    ],
    [
      'signed headers twice',
      authorized((text) => text.replace(', Sig', ', SignedHeaders=host, Sig')),
    ],
    ['a credential twice', authorized((text) => text.replace(/(Credential=\S+)/, '$1 $1'))],
    ['a part that nobody knows', authorized((text) => `${text}, Stray=1`)],
    ['an empty part', authorized((text) => `${text},`)],
    [
      'a blank within a name',
      authorized((text) => text.replace('SignedHeaders', 'Signed Headers')),
    ],
    [
      'a name in another case',
      authorized((text) => text.replace('SignedHeaders', 'signedheaders')),
    ],
    [
      'a blank within the signature',
      authorized((text) => text.replace(/Signature=(..)/, 'Signature=$1 ')),
    ],
    ['two blanks behind the scheme', authorized((text) => text.replace('256 ', '256  '))],
    ['no blank behind the scheme', authorized((text) => text.replace('256 ', '256'))],
    ['no commas', authorized((text) => text.replaceAll(', ', ' '))],
    [
      'its parts in another order',
      authorized((text) => text.replace(/(Signed\S+), (Signature\S+)/, '$2, $1')),
    ],
    ['a header signed twice', authorized((text) => text.replace('host;', 'host;host;'))],
    [
      'headers that are not sorted',
      authorized((text) => text.replace('content-type;host', 'host;content-type')),
    ],
    [
      'a signed header that is not shown',
      authorized((text) => text.replace('host;', 'host;range;')),
    ],
    [
      'a shown header that is not signed',
      withHeaders({ 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }),
    ],
    ['an unsigned session token', authorized((text) => text.replace('x-amz-security-token;', ''))],
    ['the scope of another day', authorized((text) => text.replace('/20261128/', '/20261127/'))],
    ['the scope of another service', authorized((text) => text.replace('/sts/', '/iam/'))],
    [
      'a scope with one part more',
      authorized((text) => text.replace('/aws4_request', '/sts/aws4_request')),
    ],
    [
      'a scope that ends otherwise',
      authorized((text) => text.replace('aws4_request', 'aws5_request')),
    ],
    ['a header in two cases', withHeaders({ 'X-Amz-Date': '20261128T120000Z' })],
    ['a member that nobody knows', encoded({ ...shown(), endpoint: 'https://evil.example' })],
    ['headers in a list', encoded({ region: REGION, headers: [['host', 'x']] })],
    ['letters that are not base64url', `${encoded(shown())}!`],
    ['a region of another partition', encoded(shown('cn-north-1'))],
  ])('is refused with %s', (_, text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ name: 'InvalidToken' }));
  });

  test('of another partition says so', () => {
    expect(() => read(encoded(shown('cn-north-1')))).toThrow(
      expect.objectContaining({ why: 'cn-north-1 is not in the partition aws of this service' }),
    );
    expect(read(encoded(shown('cn-north-1')), 'aws-cn').region).toBe('cn-north-1');
  });
});

function shownInCapitals(): Shown {
  const { region, headers } = shown();
  const capital = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]);
  return { region, headers: Object.fromEntries(capital) as Record<string, string> };
}

const answerOf = (arn: string): string =>
  `<GetCallerIdentityResult><Arn>${arn}</Arn></GetCallerIdentityResult>`;

describe('what STS answers', () => {
  test('names a role by its account and its name', () => {
    const answer = answerOf('arn:aws:sts::111122223333:assumed-role/build@1/i-0123');
    expect(roleIn(answer, 'aws')).toEqual({ account: '111122223333', role: 'build@1' });
  });

  test.each([
    [
      'a role of that number and name in another partition',
      'arn:aws-cn:sts::111122223333:assumed-role/build/s1',
    ],
    ['a partition that only begins so', 'arn:awsome:sts::111122223333:assumed-role/build/s1'],
    ['no partition', 'arn::sts::111122223333:assumed-role/build/s1'],
    ['a user', 'arn:aws:iam::111122223333:user/build'],
    ['a root account', 'arn:aws:iam::111122223333:root'],
    ['a federated user', 'arn:aws:sts::111122223333:federated-user/build'],
    ['a role without a session', 'arn:aws:sts::111122223333:assumed-role/build'],
    ['a role with a path', 'arn:aws:sts::111122223333:assumed-role/team/build/s1'],
    ['a region', 'arn:aws:sts:eu-central-1:111122223333:assumed-role/build/s1'],
    ['an account that is none', 'arn:aws:sts::1111:assumed-role/build/s1'],
    ['nothing', ''],
  ])('is refused where it names %s', (_, arn) => {
    expect(() => roleIn(answerOf(arn), 'aws')).toThrow(
      expect.objectContaining({ name: 'InvalidToken' }),
    );
  });
});

describe('the partition of a region', () => {
  test.each([
    'us-east-1',
    'eu-central-2',
    'cn-northwest-1',
    'us-gov-west-1',
    'eusc-de-east-1',
    'us-iso-east-1',
    'us-isob-east-1',
    'eu-isoe-west-1',
    'us-isof-south-1',
    'xx-new-1',
  ])('is what AWS’s SDK says of %s', (region) => {
    const { name, dnsSuffix } = sdkPartition(region);
    expect(partitionOf(region)).toEqual({ id: name, suffix: dnsSuffix });
  });
});
