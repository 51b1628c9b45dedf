import { describe, expect, test } from '@jest/globals';
import { stageOf } from '../../lib/stage/stage.ts';
import { type Option, OPTIONS } from '../support/stacks/options.ts';

const FILE = {
  region: 'eu-central-1',
  retain_data: true,
  mail: { from: 'hosted-mcp@mail.acme.com', identity: 'mail.acme.com' },
};

const refusalsOf = (file: object): readonly string[] => {
  try {
    stageOf('prod', JSON.stringify({ ...FILE, ...file }));
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
};

const WRONG: readonly unknown[] = [
  null,
  -1,
  0.5,
  1e12,
  '',
  'x',
  'constructor',
  true,
  [],
  [null],
  ['x', 'x'],
  {},
  { constructor: 1 },
];

/** A value with each of its parts put wrong, or left out. */
function* wrong(value: unknown): Generator<unknown> {
  yield* WRONG;
  if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) {
      for (const other of wrong(one)) yield value.with(index, other);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, one] of Object.entries(value)) {
      for (const other of wrong(one)) yield { ...value, [key]: other };
      yield Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
    }
  }
}

/** What Zod says where nobody has written a better sentence. */
const ITS_OWN_WORDS = /Invalid |expected |received |Too (?:big|small)|Unrecognized/;

describe("what a stage's file is refused with", () => {
  test.each(Object.keys(OPTIONS) as Option[])(
    'says in each wrong form of `%s` what to write, and where',
    (key) => {
      const all = OPTIONS[key].flatMap((form) =>
        [...wrong(form[key])].flatMap((value) => refusalsOf({ ...form, [key]: value })),
      );

      expect(all.length).toBeGreaterThan(1);
      expect(all.filter((text) => ITS_OWN_WORDS.test(text))).toEqual([]);
      expect(all.filter((text) => !/^config\/prod\.json: `[\w.*-]+`/.test(text))).toEqual([]);
    },
  );

  test.each<[string, object, readonly string[]]>([
    [
      'a way out that says nothing',
      { egress: {} },
      [
        '`egress.vpc`: write the id of a VPC, such as vpc-0123456789abcdef0',
        '`egress.subnets`: write a list',
        '`egress.security_groups`: write a list',
      ],
    ],
    [
      'a lock without numbers',
      { backup_vault_lock: true },
      [
        '`backup_vault_lock`: write an object of min_retention_days, max_retention_days, changeable_for_days',
      ],
    ],
    ['a text in place of a number', { burst: '100' }, ['`burst`: write a number']],
    ['a number that is too small', { burst: 0 }, ['`burst`: write 1 or more']],
    ['a list that is empty', { signing_keys: [] }, ['`signing_keys`: write at least 1']],
    ['a text in place of a list', { signing_keys: '123456' }, ['`signing_keys`: write a list']],
    [
      'a key that AWS keeps to itself',
      { tags: { 'aws:x': '1' } },
      [
        '`tags.aws:x` is no key: write letters, digits, spaces and _ . : / = + - @, and not aws: at the start',
      ],
    ],
    [
      'a key beside the object that has it',
      { firewall_log: true },
      ['`firewall_log` is no setting; write it into `edge`'],
    ],
    ['a word that there is not', { traces: 'on' }, ['`traces`: write "off" or "xray"']],
  ])('says of %s what helps, once', (_, file, sentences) => {
    expect(refusalsOf(file)).toEqual(sentences.map((text) => `config/prod.json: ${text}`));
  });
});
