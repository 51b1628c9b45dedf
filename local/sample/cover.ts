import { crc32, deflateSync } from 'node:zlib';

const WIDTH = 48;
const HEIGHT = 72;

/** A small picture for each book: a frame on a colour of its own. PNG, 8-bit RGB. */
export const coverOf = (id: number): Buffer => {
  const colour = [90 + ((id * 53) % 130), 60 + ((id * 97) % 130), 80 + ((id * 31) % 130)];
  const rows = Array.from({ length: HEIGHT }, (_, y) => [
    0,
    ...Array.from({ length: WIDTH }, (_, x) => (isFrame(x, y) ? [250, 245, 230] : colour)).flat(),
  ]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

const isFrame = (x: number, y: number): boolean =>
  Math.min(x, y, WIDTH - 1 - x, HEIGHT - 1 - y) === 4;

const chunk = (type: string, data: Buffer): Buffer => {
  const typed = Buffer.concat([Buffer.from(type), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, checksum]);
};
