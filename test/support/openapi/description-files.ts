import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  type Preparation,
  prepareDescription,
  type PreparedDescription,
} from '../../../cli/descriptions/prepare-description.ts';

/** A folder of files that make a description together. */
export interface DescriptionFolder {
  readonly path: string;
  /** Texts as they are, all else as JSON. */
  readonly write: (files: Readonly<Record<string, unknown>>) => Promise<void>;
  /** The description in one of the files, made ready for the service. */
  readonly prepare: (file: string, how?: Partial<Preparation>) => Promise<PreparedDescription>;
  readonly remove: () => Promise<void>;
}

export const aDescriptionFolder = async (): Promise<DescriptionFolder> => {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'hosted-mcp-files-')));
  const texts = new Map<string, string>();
  return {
    path,
    write: async (files) => {
      for (const [name, content] of Object.entries(files)) {
        const file = join(path, name);
        const text = typeof content === 'string' ? content : JSON.stringify(content);
        texts.set(name, text);
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, text);
      }
    },
    prepare: (name, how = {}) =>
      prepareDescription(
        { text: texts.get(name) ?? '', file: join(path, name) },
        { fetchRefs: false, strict: false, fetch: nobody, ...how },
      ),
    remove: () => rm(path, { recursive: true }),
  };
};

const nobody = async (url: string): Promise<never> => {
  throw new Error(`${url} is fetched`);
};
