import { describe, expect, test } from '@jest/globals';
import { joseSignature } from '../../../layers/tokens/store/jose-signature.ts';

const integer = (hex: string) => `02${(hex.length / 2).toString(16).padStart(2, '0')}${hex}`;
const sequence = (content: string) =>
  `30${(content.length / 2).toString(16).padStart(2, '0')}${content}`;
const der = (r: string, s: string) => sequence(integer(r) + integer(s));
const jose = (hex: string) => joseSignature(Buffer.from(hex, 'hex')).toString('hex');

const full = '7f'.repeat(32);
const high = 'ff'.repeat(32);

describe('converting a DER signature to JOSE format', () => {
  test.each([
    ['two integers of full length', full, full, full + full],
    ['two integers with a leading zero', `00${high}`, `00${high}`, high + high],
    ['one short and one long integer', '7f'.repeat(31), `00${high}`, `00${'7f'.repeat(31)}${high}`],
    ['two integers of one byte', '01', '02', `${'00'.repeat(31)}01${'00'.repeat(31)}02`],
    ['a zero in the middle', `7f00${'7f'.repeat(29)}`, full, `007f00${'7f'.repeat(29)}${full}`],
  ])('writes 32 bytes each for %s', (_, r, s, expected) => {
    expect(jose(der(r, s))).toBe(expected);
  });

  test.each([
    ['no bytes', ''],
    ['half a header', '30'],
    ['another tag than SEQUENCE', der(full, full).replace('30', '31')],
    ['a wrong length', der(full, full).replace('3044', '3045')],
    ['one integer', sequence(integer(full))],
    ['three integers', sequence(integer(full) + integer(full) + integer(full))],
    ['trailing bytes', `${der(full, full)}00`],
    ['a first tag not INTEGER', sequence(integer(full).replace('02', '03') + integer(full))],
    ['a second tag not INTEGER', sequence(integer(full) + integer(full).replace('02', '03'))],
    ['an empty integer', der('', full)],
    ['an integer that is too large', der('7f'.repeat(33), full)],
    ['a first integer that exceeds the input', sequence(`02ff${full}`)],
  ])('fails for %s', (_, hex) => {
    expect(() => jose(hex)).toThrow('kms: the signature is not readable');
  });
});
