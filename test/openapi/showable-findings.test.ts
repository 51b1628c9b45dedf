import { describe, expect, test } from '@jest/globals';
import { compiled } from '../support/openapi/compile.ts';
import { aDescription, anOperation, refusalOf } from '../support/openapi/intake.ts';

const withParameter = (name: string) =>
  aDescription({
    paths: {
      '/pets': { get: anOperation({ parameters: [{ name, in: 'path', required: true }] }) },
    },
  });

describe('a warning about a description', () => {
  test.each([
    ['control characters', 'a\u0000b\u001b[2J', 'a\uFFFDb\uFFFD[2J'],
    ['very long names', 'x'.repeat(5000), 'x'.repeat(300)],
  ])('can be shown whatever names the description has: %s', (_, name, told) => {
    const [{ what, hint } = { what: '', hint: '' }] = compiled(withParameter(name)).warnings;

    expect(what).toContain(told);
    expect(what.length).toBeLessThan(500);
    expect(hint.length).toBeLessThan(500);
    expect(hint).not.toMatch(/\p{Cc}/u);
  });

  test('can be shown as a note of its tool as well', () => {
    const notes = [...compiled(withParameter('a\u0000b')).notes.values()].flat();

    expect(notes).not.toEqual([]);
    expect(JSON.stringify(notes)).not.toContain('\\u0000');
  });

  test('can be shown even where its path cannot', () => {
    const paths = { [`/a\u0000${'b'.repeat(5000)}`]: { get: anOperation() } };
    const { findings } = refusalOf(() => compiled(aDescription({ servers: [], paths })));

    expect(findings[0]?.where.length).toBeLessThan(1100);
    expect(findings[0]?.where).not.toMatch(/\p{Cc}/u);
  });
});
