import { createHash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openFolder, removeFile, replaceFile } from '../disk.ts';
import { openSerial } from '../serial.ts';
import { parsedJson } from '../../../layers/platform/rules/json/parsed-json.ts';

interface ObjectHead {
  readonly key: string;
  readonly size: number;
  /** With the quotes of the header. */
  readonly etag: string;
  /** Epoch milliseconds, of whole seconds. */
  readonly modifiedAt: number;
  /** Headers that are returned with the content, `x-amz-meta-*` among them. */
  readonly headers: Readonly<Record<string, string>>;
}

export type Bucket = Awaited<ReturnType<typeof openBucket>>;

/**
 * Objects in one folder. A file is named by the hash of its key, so that no key can leave the folder, and
 * holds head and content, so that both change in one step: 4 bytes length, the head as JSON, the content.
 */
export const openBucket = async (folder: string) => {
  const heads = new Map<string, ObjectHead>();
  for (const file of await openFolder(folder)) {
    const head = await readHead(join(folder, file));
    heads.set(head.key, head);
  }
  const serially = openSerial();
  const pathOf = (key: string) =>
    join(folder, `${createHash('sha256').update(key).digest('hex')}.object`);

  return {
    /** Sorted by the bytes of their keys. */
    list: () => [...heads.values()].sort((one, other) => byBytes(one.key, other.key)),
    read: (key: string) =>
      serially(key, async () => {
        if (!heads.has(key)) return undefined;
        const file = await readFile(pathOf(key));
        const { head, start } = parseHead(file);
        return { head, content: file.subarray(start) };
      }),
    put: (key: string, content: Buffer, headers: ObjectHead['headers']) =>
      serially(key, async () => {
        const head: ObjectHead = {
          key,
          size: content.length,
          etag: `"${createHash('md5').update(content).digest('hex')}"`,
          modifiedAt: Math.floor(Date.now() / 1000) * 1000,
          headers,
        };
        const json = Buffer.from(JSON.stringify(head));
        const length = Buffer.alloc(4);
        length.writeUInt32BE(json.length);
        await replaceFile(pathOf(key), length, json, content);
        heads.set(key, head);
        return head;
      }),
    delete: (key: string) =>
      serially(key, async () => {
        if (!heads.has(key)) return;
        await removeFile(pathOf(key));
        heads.delete(key);
      }),
  };
};

/** Compares by bytes, as S3 orders its lists. */
export const byBytes = (one: string, other: string): number =>
  Buffer.compare(Buffer.from(one), Buffer.from(other));

const readHead = async (path: string): Promise<ObjectHead> => {
  const file = await open(path, 'r');
  try {
    const length = Buffer.alloc(4);
    await file.read(length, 0, 4, 0);
    const json = Buffer.alloc(length.readUInt32BE());
    await file.read(json, 0, json.length, 4);
    return parsedJson(json.toString()) as ObjectHead;
  } finally {
    await file.close();
  }
};

const parseHead = (file: Buffer): { head: ObjectHead; start: number } => {
  const start = 4 + file.readUInt32BE();
  return { head: parsedJson(file.toString('utf8', 4, start)) as ObjectHead, start };
};
