import { describe, expect, test } from '@jest/globals';
import { readBody } from '../../../layers/tools/answer/answer-body.ts';

const header = (stream: number, length: number) => [stream, 0, 0, 0, 0, 0, 0, length];

const frame = (stream: number, text: string) => [
  ...header(stream, Buffer.byteLength(text)),
  ...Buffer.from(text),
];

const RAW = 'application/vnd.docker.raw-stream';

const bodyOf = (bytes: readonly number[], type: string | undefined = RAW, isCut = false) =>
  readBody({
    status: 200,
    headers: type === undefined ? {} : { 'content-type': type },
    body: Uint8Array.from(bytes),
    ...(isCut && { cut: { by: 'time' } }),
  });

describe("a container's output in frames", () => {
  test.each([RAW, 'application/octet-stream', 'text/plain', undefined])(
    'is the text that the program wrote: %s',
    (type) => {
      const frames = [...frame(1, 'hello\n'), ...frame(2, 'no such file\n'), ...frame(1, '')];

      expect(bodyOf(frames, type)).toEqual({ kind: 'text', text: 'hello\nno such file\n' });
    },
  );

  test('may divide a character between two frames', () => {
    const [first = 0, second = 0] = Buffer.from('ü');

    expect(bodyOf([...header(1, 1), first, ...header(1, 1), second])).toEqual({
      kind: 'text',
      text: 'ü',
    });
  });

  test.each([
    ['in a frame', 11, 'hello\nthe'],
    ['in a header', 5, 'hello\n'],
  ])('is shown as far as it came if it was cut %s', (_, length, text) => {
    const next = frame(1, 'the next line\n').slice(0, length);

    expect(bodyOf([...frame(1, 'hello\n'), ...next], RAW, true)).toEqual({ kind: 'text', text });
  });

  test.each([
    ['a frame is longer than the rest', [...header(1, 9), 0x61]],
    ['bytes are left over', [...frame(1, 'a'), 0]],
    ['there is no such stream', frame(4, 'a')],
    ['the header has no zeros', [1, 0, 1, 0, 0, 0, 0, 1, 0x61]],
    ['what was written is no text', [...header(1, 1), 0]],
    ['nothing was written, as in a file of zeros', [...header(0, 0), ...header(0, 0)]],
  ])('is bytes if %s', (_, bytes) => {
    expect(bodyOf(bytes).kind).toBe('binary');
  });
});
