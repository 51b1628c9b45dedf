import { describe, expect, test } from '@jest/globals';
import { failureOf } from '../../cli/api/problem.ts';
import { COMMANDS } from '../../cli/commands/index.ts';
import { commandHelp, firstSteps, overview } from '../../cli/help.ts';
import { descriptionWarnings } from '../../cli/text/description-warnings.ts';
import { changeLines } from '../../cli/text/difference.ts';
import { withServers } from '../../cli/text/words.ts';

describe('a refusal of the service', () => {
  test.each([
    ['There is no deployment of this name.', 'There is no server of this name.'],
    [
      'Deployments (2 active deployments): this deployment.',
      'Servers (2 active servers): this server.',
    ],
    ["The deployment's name", "The server's name"],
    [
      'my-deployment, deployment-2 (active_deployments)',
      'my-deployment, deployment-2 (active_deployments)',
    ],
  ])('calls it a server, and changes no name: %s', (text, shown) => {
    expect(withServers(text)).toBe(shown);
  });
});

describe('the words of the command line', () => {
  const pages: readonly (readonly [string, readonly string[]])[] = [
    ['without a command', firstSteps()],
    ['of all commands', overview(COMMANDS)],
    ...COMMANDS.map((one) => [`of ${one.name}`, commandHelp(one)] as const),
  ];

  test.each(pages)('call it a server in the help %s', (_, lines) => {
    // To deploy the service itself is a deployment.
    const text = lines.join('\n').replaceAll('after a deployment', '');

    expect(text).not.toMatch(/(?<!-)\bdeployments?\b/i);
  });

  test.each(COMMANDS.map((one) => [one.name, one] as const))(
    'are 20 at most in a sentence of %s',
    (_, { summary, details = [], options }) => {
      const texts = [summary, details.join(' '), ...Object.values(options).map(({ help }) => help)];
      const sentences = texts.flatMap((text) => text.split(/(?<=[.?!:;]) +/));
      const long = sentences.filter((one) => (one.match(/\S*[A-Za-z]\S*/g) ?? []).length > 20);

      expect(long).toEqual([]);
    },
  );
});

test('what the service refuses is said of a server, and names of limits stay', () => {
  const text = JSON.stringify({
    code: 'limit_reached',
    detail: 'The deployment has 5 resources (limit resources_per_deployment). Deployments end.',
  });
  const { message } = failureOf(
    { status: 422, headers: new Headers(), text, bytes: new Uint8Array() },
    'http://a.example',
  );

  expect(message).toBe('The server has 5 resources (limit resources_per_deployment). Servers end.');
});

test('a reference that leads nowhere is told once, and flaws of one kind are one', () => {
  const flaw = (where: string, what: string) => ({ where, what, hint: '' });
  const noticed = flaw('/a', 'refers to "#/x", which does not exist; any value is accepted');
  const violations = [
    flaw('/a', 'Missing $ref pointer "#/x". Token "x" does not exist.'),
    flaw('/b', 'must NOT have additional properties (one); must have required property'),
    flaw('/c', 'must NOT have additional properties (two)'),
  ];
  const told = descriptionWarnings([noticed], violations);

  expect(told.map(({ where, what }) => `${where}: ${what}`)).toEqual([
    `/a: ${noticed.what}`,
    '/b and another place: must NOT have additional properties (one, two)',
    '/b: must have required property',
  ]);
});

test('a title or version that is no text is told once', () => {
  const noticed = [{ where: '/info/version', what: 'is a number', hint: 'Write it in quotes.' }];
  const violations = ['/info/version', '/info/title'].map((where) => ({
    where,
    what: 'must be string',
    hint: '',
  }));

  expect(descriptionWarnings(noticed, violations).map(({ where }) => where)).toEqual([
    '/info/version',
    '/info/title',
  ]);
});

test('a difference begins with what breaks callers', () => {
  const changed = [
    { name: 'b', breaking: false, changes: ['its title'] },
    { name: 'c', breaking: true, changes: ['id is required'] },
  ];
  const lines = changeLines({ added: ['d'], removed: ['a'], changed, breaking: true });

  expect(lines).toEqual([
    'Tools: 1 added, 1 removed, 2 changed.',
    '  - a',
    '  ~ c (breaking): id is required.',
    '  + d',
    '  ~ b: its title.',
    'Calls that worked before may fail now.',
  ]);
});

test('a difference tells renamed tools and a moved API as such, and few of what breaks nobody', () => {
  const changed = Array.from({ length: 12 }, (_, at) => ({
    name: `t${at}`,
    breaking: false,
    changes: ['the description changed'],
  }));
  const lines = changeLines({
    renamed: [{ before: 'getBook', after: 'readBook' }],
    moved: [{ before: 'https://a.example', after: 'https://b.example' }],
    changed,
    breaking: true,
  });

  expect(lines.slice(0, 4)).toEqual([
    'Tools: 0 added, 0 removed, 1 renamed, 12 changed.',
    'Calls that went to https://a.example go to https://b.example now.',
    '  ~ getBook is readBook now (breaking)',
    '  ~ t0: the description changed.',
  ]);
  expect(lines.slice(-2)).toEqual([
    '  and 2 more tools changed without breaking calls (all with --json).',
    'Calls that worked before may fail now.',
  ]);
});
