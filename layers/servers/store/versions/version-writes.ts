import type { StoredVersion } from '../../rules/versions.ts';
import { VERSION_PARTS, versionKey, type VersionPart } from '../../../platform/dynamodb/keys.ts';
import { ABSENT } from '../../../platform/dynamodb/items.ts';
import type { Write } from '../../../platform/dynamodb/transact.ts';
import { compress } from '../../../platform/compression/compressed-text.ts';
import { fileKey, type Files, fitsInline, versionItem } from './version-item.ts';

type Writes = Readonly<Record<string, Write>>;

/**
 * What stores a version, for a transaction: written once and for ever, since those who have read it keep
 * it. What is too large for the table is put into files at once; those of a transaction that is never made
 * are for the sweep.
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
    return { [nameOf(version, part)]: { Put: { TableName, Item, ...ABSENT } } };
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

/** What removes versions from the table, for a transaction; their files are for the sweep. */
export const removedVersionWrites = (
  TableName: string,
  deploymentId: string,
  versions: readonly number[],
): Writes =>
  Object.fromEntries(
    versions.flatMap((version) =>
      VERSION_PARTS.map((part) => [
        nameOf(version, part),
        { Delete: { TableName, Key: versionKey(deploymentId, version, part) } },
      ]),
    ),
  );

const nameOf = (version: number, part: VersionPart): string => `version ${version} ${part}`;
