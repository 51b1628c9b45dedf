import { describe, expect, test } from '@jest/globals';
import { evaluator } from '../../../../local/aws/iam/evaluate.ts';
import type { Access, AccountPolicies, Statement } from '../../../../local/aws/iam/policy.ts';

const TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/users';
const KEY = 'arn:aws:kms:us-east-1:000000000000:key/1';
const BUCKET = 'arn:aws:s3:::files';
const ROLE = 'arn:aws:iam::000000000000:role/router';

const allow = (over: Statement = {}): Statement => ({
  Effect: 'Allow',
  Action: 'dynamodb:GetItem',
  Resource: TABLE,
  ...over,
});

const read = (over: Partial<Access> = {}): Access => ({
  action: 'dynamodb:GetItem',
  resource: TABLE,
  context: {},
  ...over,
});

/** Whether the router may do it. */
const may = (
  access: Access,
  own: readonly Statement[],
  resources: AccountPolicies['resources'] = {},
): boolean =>
  evaluator({ administrators: [], roles: { router: own }, resources, encryptedWith: {} })(
    'router',
    access,
  ).allowed;

describe('the policy of a role', () => {
  test.each<[what: string, access: Partial<Access>, own: readonly Statement[], allowed: boolean]>([
    ['allows its action on its resource', {}, [allow()], true],
    ['allows nothing else', { action: 'dynamodb:PutItem' }, [allow()], false],
    ['allows nothing elsewhere', { resource: `${TABLE}2` }, [allow()], false],
    ['without statements allows nothing', {}, [], false],
    ['may name several actions', {}, [allow({ Action: ['x:Y', 'dynamodb:GetItem'] })], true],
    ['may name actions by a wildcard', {}, [allow({ Action: 'dynamodb:Get*' })], true],
    ['compares actions letter by letter', {}, [allow({ Action: 'dynamodb:getitem' })], false],
    ['may name resources by a wildcard', {}, [allow({ Resource: `${TABLE.slice(0, -1)}?` })], true],
    ['takes a dot for a dot', { resource: 'a-b' }, [allow({ Resource: 'a.b*' })], false],
    ['denies before it allows', {}, [allow(), allow({ Effect: 'Deny' })], false],
    ['denies by a wildcard too', {}, [allow(), allow({ Effect: 'Deny', Action: '*' })], false],
    ['is not understood with NotAction', {}, [allow({ NotAction: 'a:B' })], false],
    [
      'denies with an element that is not understood',
      {},
      [allow(), { Effect: 'Deny', NotAction: 'dynamodb:GetItem', Resource: 'elsewhere' }],
      false,
    ],
  ])('%s', (_, access, own, allowed) => {
    expect(may(read(access), own)).toBe(allowed);
  });

  test('counts for its own caller only', () => {
    const evaluate = evaluator({
      administrators: [],
      roles: { router: [allow()] },
      resources: {},
      encryptedWith: {},
    });

    expect(evaluate('oauth', read()).allowed).toBe(false);
  });

  test('is refused with a placeholder that nothing has replaced', () => {
    expect(() => may(read(), [allow({ Resource: '${DataUsers.Arn}' })])).toThrow('placeholder');
  });
});

describe('a condition', () => {
  const cases: readonly [
    what: string,
    condition: unknown,
    context: Access['context'],
    fulfilled: boolean,
  ][] = [
    ['StringEquals: one of its values', { StringEquals: { k: ['a', 'b'] } }, { k: 'b' }, true],
    ['StringEquals: another value', { StringEquals: { k: ['a', 'b'] } }, { k: 'c' }, false],
    ['StringEquals: no pattern', { StringEquals: { k: 'a*' } }, { k: 'ab' }, false],
    ['StringNotEquals: another', { StringNotEquals: { k: 'a' } }, { k: 'b' }, true],
    ['StringNotEquals: the same', { StringNotEquals: { k: 'a' } }, { k: 'a' }, false],
    ['StringLike', { StringLike: { k: 'AT#*' } }, { k: 'AT#1' }, true],
    ['StringLike: otherwise', { StringLike: { k: 'AT#*' } }, { k: 'RT#1' }, false],
    ['StringNotLike', { StringNotLike: { k: 'AT#*' } }, { k: 'AT#1' }, false],
    [
      'ArnLike',
      { ArnLike: { k: 'arn:aws:iam::*:role/A*' } },
      { k: 'arn:aws:iam::1:role/Ab' },
      true,
    ],
    ['ArnLike in parts', { ArnLike: { k: 'arn:*:role/A' } }, { k: 'arn:aws:iam::1:role/A' }, false],
    ['ArnNotLike', { ArnNotLike: { k: ['a:b:*'] } }, { k: 'a:b:c' }, false],
    ['ArnNotLike of another', { ArnNotLike: { k: ['a:b:c', 'a:b:d'] } }, { k: 'a:b:e' }, true],
    ['Bool', { Bool: { k: 'false' } }, { k: 'false' }, true],
    ['NumericLessThan', { NumericLessThan: { k: '1.2' } }, { k: '1.1' }, true],
    ['NumericLessThan: the same', { NumericLessThan: { k: '1.2' } }, { k: '1.2' }, false],
    ['NumericGreaterThanEquals', { NumericGreaterThanEquals: { k: '2' } }, { k: '10' }, true],
    ['Null: there', { Null: { k: 'false' } }, { k: 'a' }, true],
    ['Null: missing', { Null: { k: 'false' } }, {}, false],
    ['Null: missing, as asked', { Null: { k: 'true' } }, {}, true],
    [
      'ForAllValues: all',
      { 'ForAllValues:StringLike': { k: ['A#*', 'B#*'] } },
      { k: ['A#1', 'B#1'] },
      true,
    ],
    [
      'ForAllValues: not all',
      { 'ForAllValues:StringLike': { k: 'A#*' } },
      { k: ['A#1', 'B#1'] },
      false,
    ],
    ['ForAnyValue: one', { 'ForAnyValue:StringEquals': { k: 'a' } }, { k: ['b', 'a'] }, true],
    ['ForAnyValue: none', { 'ForAnyValue:StringEquals': { k: 'a' } }, { k: ['b'] }, false],
    [
      'two operators: both',
      { Null: { k: 'false' }, StringEquals: { l: 'b' } },
      { k: 'a', l: 'b' },
      true,
    ],
    [
      'two operators: one',
      { Null: { k: 'false' }, StringEquals: { l: 'b' } },
      { k: 'a', l: 'c' },
      false,
    ],
    ['two keys: one', { StringEquals: { k: 'a', l: 'b' } }, { k: 'a', l: 'c' }, false],
  ];

  test.each(cases)('%s', (_, Condition, context, fulfilled) => {
    expect(may(read({ context }), [allow({ Condition })])).toBe(fulfilled);
    // Of a Deny it says the same.
    expect(may(read({ context }), [allow(), allow({ Effect: 'Deny', Condition })])).toBe(
      !fulfilled,
    );
  });

  test.each<[what: string, condition: unknown, context: Access['context']]>([
    ['a key that the request does not carry', { StringEquals: { k: 'a' } }, {}],
    ['two values for one', { StringEquals: { k: 'a' } }, { k: ['a', 'a'] }],
    ['no value for ForAllValues', { 'ForAllValues:StringLike': { k: '*' } }, { k: [] }],
    ['a key in other letters', { StringEquals: { K: 'a' } }, { k: 'a' }],
    ['an operator that is not implemented', { IpAddress: { k: '10.0.0.0/8' } }, { k: '10.1.1.1' }],
    ['an operator with IfExists', { StringEqualsIfExists: { k: 'a' } }, { k: 'a' }],
    ['a qualifier that is none', { 'ForNoValues:StringEquals': { k: 'b' } }, { k: 'a' }],
    ['a value that is no text', { StringEquals: { k: 1 } }, { k: '1' }],
    ['a Null that is neither', { Null: { k: 'maybe' } }, {}],
    ['a key of every object', { StringEquals: { constructor: 'a' } }, {}],
  ])('lets nothing allow and everything deny: %s', (_, Condition, context) => {
    expect(may(read({ context }), [allow({ Condition })])).toBe(false);
    expect(may(read({ context }), [allow(), allow({ Effect: 'Deny', Condition })])).toBe(false);
  });
});

describe('the policy of a key', () => {
  const decrypt = { action: 'kms:Decrypt', resource: KEY, context: {} };
  const own = [allow({ Action: 'kms:Decrypt', Resource: KEY })];
  const keyPolicy = (AWS: string, over: Statement = {}) => ({
    [KEY]: [allow({ Action: 'kms:Decrypt', Resource: '*', Principal: { AWS }, ...over })],
  });
  const account = 'arn:aws:iam::000000000000:root';

  test('has to allow what the policy of the role allows', () => {
    expect(may(decrypt, own)).toBe(false);
    expect(may(decrypt, own, keyPolicy('arn:aws:iam::000000000000:role/oauth'))).toBe(false);
    expect(may(decrypt, own, keyPolicy(account))).toBe(true);
  });

  test('leaves it to the policies of roles by naming the account', () => {
    expect(may(decrypt, [], keyPolicy(account))).toBe(false);
  });

  test('is enough where it names the role', () => {
    expect(may(decrypt, [], keyPolicy(ROLE))).toBe(true);
  });

  test('allows only under its own conditions', () => {
    const Condition = { StringEquals: { 'kms:ViaService': 's3.us-east-1.amazonaws.com' } };
    const through = (service: string) => ({
      ...decrypt,
      context: { 'kms:ViaService': `${service}.us-east-1.amazonaws.com` },
    });

    expect(may(through('s3'), own, keyPolicy(account, { Condition }))).toBe(true);
    expect(may(through('sqs'), own, keyPolicy(account, { Condition }))).toBe(false);
    expect(may(decrypt, own, keyPolicy(account, { Condition }))).toBe(false);
  });
});

describe('the policy of a bucket', () => {
  const get = (context: Access['context']) =>
    ({ action: 's3:GetObject', resource: `${BUCKET}/a/b`, context }) as const;
  const own = [allow({ Action: 's3:GetObject', Resource: `${BUCKET}/*` })];
  const insecure = {
    [BUCKET]: [
      {
        Effect: 'Deny',
        Action: 's3:*',
        Principal: { AWS: '*' },
        Resource: [BUCKET, `${BUCKET}/*`],
        Condition: { NumericLessThan: { 's3:TlsVersion': '1.2' } },
      },
    ],
  };

  test('denies its objects whatever the role may', () => {
    expect(may(get({ 's3:TlsVersion': '1.3' }), own, insecure)).toBe(true);
    expect(may(get({ 's3:TlsVersion': '1.1' }), own, insecure)).toBe(false);
    expect(may(get({}), own, insecure)).toBe(false);
  });

  test('of another bucket says nothing', () => {
    const elsewhere = { ...get({}), resource: `${BUCKET}2/a` };
    expect(may(elsewhere, [allow({ Action: 's3:*', Resource: '*' })], insecure)).toBe(true);
  });

  test('may let somebody in whose role may nothing', () => {
    const open = {
      [BUCKET]: [
        allow({ Action: 's3:GetObject', Resource: `${BUCKET}/*`, Principal: { AWS: ROLE } }),
      ],
    };

    expect(may(get({}), [], open)).toBe(true);
  });
});
