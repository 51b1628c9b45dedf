import * as z from 'zod/mini';
import { Fault } from '../../domain/fault.ts';
import type { EpochSeconds } from '../../domain/time.ts';
import { type Packed, unpack } from './packing.ts';
import { stored } from './stored.ts';

/** Where content goes that is too large for the table. Keys are never written twice with other content. */
export interface Files {
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** @param bytes - how many there must be @throws Fault if there is no such file or its size differs */
  get(key: string, bytes: number): Promise<Uint8Array>;
  /** Also if there is none. */
  remove(key: string): Promise<void>;
  /** Names that begin so, each with when the file was written, in epoch seconds. */
  list(prefix: string): Promise<readonly { readonly key: string; readonly writtenAt: number }[]>;
}

export type VersionPart = 'INDEX' | 'SEARCH' | 'SPEC' | 'NOTES' | 'REPORT';

/** Source: D31. Leaves room for the item's other attributes under DynamoDB's 400 KB. */
const INLINE_BYTES = 350 * 1024;

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

const Item = z.object({
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  text_bytes: z.int().check(z.minimum(0)),
  stored_bytes: z.int().check(z.minimum(0)),
  content: z.union([
    z.object({ inline: bytes }),
    z.object({ file: z.string().check(z.minLength(1)) }),
  ]),
});

export const versionKey = (deploymentId: string, version: number, part: VersionPart) => ({
  pk: `DEP#${deploymentId}`,
  sk: `${versionPrefix(version)}${part}`,
});

/** What the sort keys of a version's items begin with. */
export const versionPrefix = (version: number): string => `V#${String(version).padStart(6, '0')}#`;

/** Whether this content stands in the item itself, given that its version may. */
export const fitsInline = ({ bytes }: Packed): boolean => bytes.length < INLINE_BYTES;

/** The hash is in the name, so that two racing publications write two files. */
export const fileKey = (
  deploymentId: string,
  version: number,
  part: VersionPart,
  { sha256 }: Packed,
): string => `${versionFiles(deploymentId, version)}${part.toLowerCase()}-${sha256}`;

/** What the names of a deployment's files begin with. */
export const deploymentFiles = (deploymentId: string): string => `deployments/${deploymentId}/`;

export const versionFiles = (deploymentId: string, version: number): string =>
  `${deploymentFiles(deploymentId)}v${version}/`;

export const versionItem = (packed: Packed, file: string | undefined, storedAt: EpochSeconds) => ({
  stored_at: storedAt,
  sha256: packed.sha256,
  text_bytes: packed.textBytes,
  stored_bytes: packed.bytes.length,
  content: file === undefined ? { inline: packed.bytes } : { file },
});

/** @throws Fault if item or file are not what was stored */
export const textOf = async (item: unknown, files: Files, what: string): Promise<string> => {
  const { content, ...read } = stored(Item, item, what);
  const bytes =
    'inline' in content ? content.inline : await files.get(content.file, read.stored_bytes);
  const neighbour = 'inline' in content ? 'dynamodb' : 's3';
  return unpack({ bytes, sha256: read.sha256, textBytes: read.text_bytes }).catch((cause) => {
    throw new Fault(neighbour, `${what} is not what was stored`, cause);
  });
};
