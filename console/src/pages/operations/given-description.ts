import type { GivenFile } from '../../several-files/given-file.ts';

export const DESCRIPTION_FILES =
  '.json,.yaml,.yml,.zip,.tgz,.gz,application/json,application/yaml,application/zip,application/gzip';

/** One description of chosen or dropped files, or of an archive's. A single file stays as it is. @throws Problem */
export const givenDescription = async (
  files: readonly GivenFile[],
): Promise<{ readonly name: string; readonly text: string }> => {
  const [only] = files;
  if (files.length === 1 && only && !/\.(?:zip|tgz|gz)$/i.test(only.path)) {
    return { name: only.path, text: await only.blob.text() };
  }
  const { oneDescription } = await import('../../several-files/one-description.ts');
  return oneDescription(files);
};

export const chosenFiles = (list: FileList | null): readonly GivenFile[] =>
  [...(list ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, blob: file }));

export const droppedFiles = async (dropped: DataTransfer | null): Promise<readonly GivenFile[]> => {
  // Browsers empty the list of dropped items after the event: entries are taken before the first await.
  const entries = [...(dropped?.items ?? [])].map((item) => item.webkitGetAsEntry());
  const found = await Promise.all(entries.map((entry) => entry && filesBelow(entry)));
  const all = found.flatMap((files) => files ?? []);
  const [first] = all;
  const folder = first?.path.split('/')[0] ?? '';
  const isOneFolder = all.length > 0 && all.every(({ path }) => path.startsWith(`${folder}/`));
  return isOneFolder
    ? all.map(({ path, blob }) => ({ path: path.slice(folder.length + 1), blob }))
    : all;
};

const filesBelow = async (entry: FileSystemEntry): Promise<readonly GivenFile[]> => {
  if (entry.name.startsWith('.') || entry.name === 'node_modules') return [];
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    return [{ path: entry.fullPath.replace('/', ''), blob: file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: GivenFile[] = [];
  for (;;) {
    // `readEntries` returns parts of a directory, at last an empty one.
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (part.length === 0) return found;
    for (const one of part) found.push(...(await filesBelow(one)));
  }
};
