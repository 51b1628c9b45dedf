/** Where neighbours stand beside each other. */
const ROWS: readonly string[] = [
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789012345',
  '!@#$%^&*()_+',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  'qazwsxedcrfvtgbyhnujm',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
];
const LINES: readonly string[] = ROWS.flatMap((row) => [row, [...row].reverse().join('')]);

/** How far a text runs along a row of keys, the alphabet or the figures, either way, or repeats one character. */
export const runLength = (text: string): number => {
  let length = Math.min(1, text.length);
  while (length < text.length && isRun(text.slice(0, length + 1))) length += 1;
  return length;
};

const isRun = (text: string): boolean =>
  LINES.some((line) => line.includes(text)) || [...text].every((one) => one === text[0]);
