import { describe, expect, test } from '@jest/globals';
import { joseSignature } from '../../../layers/core/adapters/kms/jose-signature.ts';

const integer = (hex: string) => `02${(hex.length / 2).toString(16).padStart(2, '0')}${hex}`;
const sequence = (content: string) =>
  `30${(content.length / 2).toString(16).padStart(2, '0')}${content}`;
const der = (r: string, s: string) => sequence(integer(r) + integer(s));
const jose = (hex: string) => joseSignature(Buffer.from(hex, 'hex')).toString('hex');

const full = '7f'.repeat(32);
const high = 'ff'.repeat(32);

describe('the two numbers of a signature', () => {
  test.each([
    ['of full length', full, full, full + full],
    ['behind a zero that keeps them positive', `00${high}`, `00${high}`, high + high],
    ['one short, one long', '7f'.repeat(31), `00${high}`, `00${'7f'.repeat(31)}${high}`],
    ['of one byte', '01', '02', `${'00'.repeat(31)}01${'00'.repeat(31)}02`],
    ['with a zero within', `7f00${'7f'.repeat(29)}`, full, `007f00${'7f'.repeat(29)}${full}`],
  ])('stand side by side, 32 bytes each: %s', (_, r, s, expected) => {
    expect(jose(der(r, s))).toBe(expected);
  });

  test.each([
    ['nothing', ''],
    ['half a header', '30'],
    ['no sequence', der(full, full).replace('30', '31')],
    ['a length that lies', der(full, full).replace('3044', '3045')],
    ['one number', sequence(integer(full))],
    ['three numbers', sequence(integer(full) + integer(full) + integer(full))],
    ['bytes behind it', `${der(full, full)}00`],
    ['a first number that is none', sequence(integer(full).replace('02', '03') + integer(full))],
    ['a second number that is none', sequence(integer(full) + integer(full).replace('02', '03'))],
    ['an empty number', der('', full)],
    ['a number that is too large', der('7f'.repeat(33), full)],
    ['a first number that reaches behind the end', sequence(`02ff${full}`)],
  ])('are a fault where there is %s', (_, hex) => {
    expect(() => jose(hex)).toThrow('kms: the signature is not readable');
  });
});
