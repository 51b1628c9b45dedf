import type { Random } from '../support/random.ts';

type Tree = Record<string, unknown> | unknown[];

/** Keys that mean something to JavaScript, or to whoever walks descriptions. */
const KEYS = (
  '__proto__ constructor prototype toString hasOwnProperty __defineGetter__ valueOf length $ref $id ' +
  '$anchor $dynamicRef $schema x-y allOf anyOf oneOf not if then else properties items required type ' +
  'enum const default example nullable discriminator additionalProperties patternProperties schema ' +
  'content parameters requestBody responses get post servers security in name style explode format'
).split(' ');

const REFERENCES = (
  '# #/ #/paths #/components #/components/schemas #/components/schemas/Pet #/components/schemas/Node ' +
  '#/definitions/Node #/__proto__ #/constructor/prototype #/paths/~1p0 #/components/schemas/Pet/properties/ ' +
  '#Pet #/%E0%A4%A #/%00 other.yaml#/Pet https://example.com/a.json#/b file:///etc/passwd % ~2 #/a/~2'
).split(' ');

const PATTERNS = [
  '(a+)+$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(',
  '[',
  '\\',
  '(?<n>a)\\k<n>',
  '^.{1,99999}$',
  '\\p{L}+',
];

const TEXTS = [
  '',
  '\u0000',
  '\ud800',
  '\u202e\ufeff',
  'e\u0301'.repeat(50),
  '👩‍👩‍👧‍👦'.repeat(20),
  '../../..',
  '{a}{b}{',
  '/a/{b}/{b}',
  '\r\nX: y',
  'x'.repeat(70_000),
  '${7*7}',
  'true',
  '1e999',
  'https://{h}.example.com:{p}/',
];

const NUMBERS = [0, -0, -1, 1e9, 1e308, -1e308, 0.1, 2 ** 53, 2 ** 31, 1e-300, 65_536];

/** Something that may stand in the place of anything. */
const junk = (random: Random, depth = 0): unknown => {
  switch (random.below(depth > 3 ? 6 : 11)) {
    case 0:
      return null;
    case 1:
      return random.oneIn(2);
    case 2:
      return random.pick(NUMBERS);
    case 3:
      return random.pick(TEXTS);
    case 4:
      return random.pick(PATTERNS);
    case 5:
      return random.pick(KEYS);
    case 6:
      return { $ref: random.pick(REFERENCES) };
    case 7:
      return nested(random);
    case 8:
      return Array.from({ length: random.below(4) }, () => junk(random, depth + 1));
    case 9:
      return Array.from({ length: 3000 }, (_, index) => index);
    default:
      return withKey({}, random.pick(KEYS), junk(random, depth + 1));
  }
};

/** Something of one kind in another of its kind, and so on. */
const nested = (random: Random): unknown => {
  const wrap = random.pick<(inner: unknown) => unknown>([
    (inner) => [inner],
    (inner) => ({ properties: { a: inner } }),
    (inner) => ({ type: 'array', items: inner }),
    (inner) => ({ allOf: [inner, { type: 'object' }] }),
    (inner) => ({ anyOf: [inner, inner] }),
    (inner) => withKey({}, '__proto__', inner),
  ]);
  const levels = random.pick([3, 15, 19, 21, 40, 70, 498, 700]);
  // What doubles at each level is kept small.
  const doubles = JSON.stringify(wrap(1)).match(/1/g)?.length === 2;
  let node: unknown = random.pick<unknown>([1, {}, 'x', { type: 'string' }, null]);
  for (let level = 0; level < (doubles ? 8 : levels); level += 1) node = wrap(node);
  return node;
};

/** Sets a key of its own, whatever it is called. */
const withKey = <Node extends object>(node: Node, key: string, value: unknown): Node =>
  Object.defineProperty(node, key, { value, enumerable: true, configurable: true, writable: true });

/**
 * A copy of a JSON tree with some things wrong in it: keys that are gone, renamed, doubled or swapped,
 * values of other types, deep nesting, huge texts, references in circles, keys of `Object.prototype`.
 */
export const mutatedTree = (original: unknown, random: Random): unknown => {
  let tree = structuredClone(original);
  for (let times = 1 + random.below(6); times > 0; times -= 1) {
    const places = random.oneIn(4) ? [] : walk(tree, random);
    const place = places.at(-1);
    if (!place) {
      if (random.oneIn(30)) tree = junk(random);
      continue;
    }
    change(place.node, place.key, tree, random);
  }
  return tree;
};

interface Step {
  readonly node: Tree;
  readonly key: string;
}

/** A way down from the root to somewhere, each step at random. */
const walk = (root: unknown, random: Random): readonly Step[] => {
  const steps: Step[] = [];
  for (let node = root; isTree(node);) {
    const keys = Object.keys(node);
    if (keys.length === 0 || (steps.length > 0 && random.oneIn(7))) break;
    const key = random.pick(keys);
    steps.push({ node, key });
    node = (node as Record<string, unknown>)[key];
  }
  return steps;
};

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

const change = (node: Tree, key: string, root: unknown, random: Random): void => {
  const value = (node as Record<string, unknown>)[key];
  switch (random.below(9)) {
    case 0:
      if (Array.isArray(node)) node.splice(Number(key), 1);
      else delete node[key];
      return;
    case 1:
      withKey(node, Array.isArray(node) ? String(node.length) : random.pick(KEYS), value);
      return;
    case 2: {
      const other = random.pick(Object.keys(node));
      const theirs = (node as Record<string, unknown>)[other];
      withKey(node, other, value);
      withKey(node, key, theirs);
      return;
    }
    case 3: {
      // A part of the tree in another place; a copy, so that the tree stays one.
      const { node: from, key: at } = walk(root, random).at(-1) ?? { node: {}, key: '' };
      const part = JSON.stringify((from as Record<string, unknown>)[at] ?? null);
      withKey(node, key, part.length < 20_000 ? JSON.parse(part) : null);
      return;
    }
    case 4:
      withKey(node, key, { $ref: random.pick(REFERENCES) });
      return;
    case 5:
      if (!Array.isArray(node)) withKey(node, random.pick(KEYS), junk(random));
      return;
    case 6:
      withKey(node, key, typeof value === 'string' ? random.pick(TEXTS) : [value]);
      return;
    default:
      withKey(node, key, junk(random));
  }
};
