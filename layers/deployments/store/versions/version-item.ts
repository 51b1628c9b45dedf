import * as z from 'zod/mini';
import { Fault } from '../../../platform/rules/fault.ts';
import {
  compress,
  type CompressedText,
  decompress,
} from '../../../platform/compression/compressed-text.ts';
import type { StoredVersion, VersionFile } from '../../rules/versions.ts';
import { VERSION_PARTS, versionKey, type VersionPart } from '../../../platform/dynamodb/keys.ts';
import { ABSENT, parseItem } from '../../../platform/dynamodb/items.ts';
import type { Write } from '../../../platform/dynamodb/writes.ts';

/** Bucket for contents that are too large for the table. */
export interface Files {
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** @param bytes - expected size @throws Fault if the file is missing or its size differs */
  get(key: string, bytes: number): Promise<Uint8Array>;
  /** Idempotent. */
  remove(key: string): Promise<void>;
  list(prefix: string): Promise<readonly { readonly key: string }[]>;
  /** Lists files page by page, sorted by name. */
  page(
    prefix: string,
    limit: number,
    after: string | undefined,
  ): Promise<{ readonly files: readonly { readonly key: string }[]; readonly isLast: boolean }>;
}

/**
 * Leaves room for the item's other attributes under DynamoDB's 400 KB.
 * Source: docs/decisions/storage.md, "Where versions are stored".
 */
const INLINE_BYTES = 350 * 1024;

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

const Item = z.object({
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  textBytes: z.int().check(z.minimum(0)),
  storedBytes: z.int().check(z.minimum(0)),
  content: z.union([
    z.object({ inline: bytes }),
    z.object({ file: z.string().check(z.minLength(1)) }),
  ]),
});

/** Whether the table can hold it, if its version may be inline at all. */
export const fitsInline = ({ bytes }: CompressedText): boolean => bytes.length < INLINE_BYTES;

export const deploymentFiles = (deploymentId?: string): string =>
  deploymentId === undefined ? 'deployments/' : `deployments/${deploymentId}/`;

/**
 * File name that is unique to each attempt to store a version, so that concurrent attempts do not overwrite each other,
 * and removing the files of a failed attempt spares those of a later one.
 */
export const fileKey = (
  {
    deploymentId,
    version,
    part,
    createdAt,
  }: Pick<VersionFile, 'createdAt' | 'deploymentId' | 'part' | 'version'>,
  { sha256 }: CompressedText,
): string =>
  `${deploymentFiles(deploymentId)}v${version}/${part.toLowerCase()}-${createdAt}-${sha256}`;

const FILE_KEY = /^deployments\/([^/]+)\/v(\d+)\/([a-z]+)-(\d+)-/;

/** Parses names of files; others than those of versions are skipped. */
export const versionFilesIn = (keys: readonly string[]): readonly VersionFile[] =>
  keys.flatMap((key) => {
    const [, deploymentId, version, part, createdAt] = FILE_KEY.exec(key) ?? [];
    return deploymentId === undefined || part === undefined
      ? []
      : [{ key, deploymentId, version: Number(version), part, createdAt: Number(createdAt) }];
  });

export const isHeldBy = (item: unknown, key: string, what: string): boolean => {
  const { content } = parseItem(Item, item, what);
  return 'file' in content && content.file === key;
};

export const versionItem = (compressed: CompressedText, file: string | undefined) => ({
  sha256: compressed.sha256,
  textBytes: compressed.textBytes,
  storedBytes: compressed.bytes.length,
  content: file === undefined ? { inline: compressed.bytes } : { file },
});

/** @throws Fault if item or file were corrupted */
export const readText = async (item: unknown, files: Files, what: string): Promise<string> => {
  const { content, ...read } = parseItem(Item, item, what);
  const bytes =
    'inline' in content ? content.inline : await files.get(content.file, read.storedBytes);
  const neighbour = 'inline' in content ? 'dynamodb' : 's3';
  return decompress({ bytes, sha256: read.sha256, textBytes: read.textBytes }).catch((cause) => {
    throw new Fault(neighbour, `${what} is not what was stored`, cause);
  });
};

type Writes = Readonly<Record<string, Write>>;

/**
 * Writes of a new version, each conditional on its absence, since readers cache versions for ever. Contents too large
 * for the table are uploaded at once; if the transaction then fails, the sweep removes the files.
 */
export const versionWrites = async (
  TableName: string,
  files: Files,
  stored: StoredVersion,
): Promise<Writes> => {
  const { deploymentId, version, inline, notes } = stored;
  const { index, searchIndex, description, report } = stored;

  const write = async (part: VersionPart, text: string, mayBeInline = true): Promise<Writes> => {
    const compressed = await compress(text);
    const isInline = mayBeInline && fitsInline(compressed);
    const file = isInline
      ? undefined
      : fileKey({ deploymentId, version, part, createdAt: notes.createdAt }, compressed);
    if (file !== undefined) await files.put(file, compressed.bytes);
    const Item = { ...versionKey(deploymentId, version, part), ...versionItem(compressed, file) };
    return { [partName(version, part)]: { Put: { TableName, Item, ...ABSENT } } };
  };

  const written = await Promise.all([
    write('INDEX', JSON.stringify(index), inline),
    ...(searchIndex ? [write('SEARCH', JSON.stringify(searchIndex))] : []),
    write('SPEC', description, inline),
    write('NOTES', JSON.stringify(notes)),
    write('REPORT', JSON.stringify(report)),
  ]);
  return Object.assign({}, ...written);
};

/** Removes the items of versions; the sweep removes their files. */
export const removedVersionWrites = (
  TableName: string,
  deploymentId: string,
  versions: readonly number[],
): Writes =>
  Object.fromEntries(
    versions.flatMap((version) =>
      VERSION_PARTS.map((part) => [
        partName(version, part),
        { Delete: { TableName, Key: versionKey(deploymentId, version, part) } },
      ]),
    ),
  );

const partName = (version: number, part: VersionPart): string => `version ${version} ${part}`;
