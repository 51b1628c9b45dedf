import { createHash } from 'node:crypto';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The variable by which a function finds its settings. */
export interface SettingsVariable {
  readonly SETTINGS_FILE: string;
}

/**
 * Writes a function as Lambda lays it out: its code, and beside it the settings of its stage, for
 * `lambdas/wiring/environment.ts` to read. Each stage has code of its own that way, which is a line: what functions do
 * is in the layer.
 *
 * @param folder - is emptied first: it may have the settings of an earlier synthesis
 * @param bundle - folder of the code
 * @returns the name of the file of settings. It changes with them, so that they are part of each version of the
 * function, and one without the right ones fails at its start
 */
export const writeWithSettings = (
  folder: string,
  bundle: string,
  settings: Readonly<Record<string, string>>,
): SettingsVariable => {
  const content = JSON.stringify(settings);
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  const SETTINGS_FILE = `settings-${hash}.json`;
  rmSync(folder, { recursive: true, force: true });
  cpSync(bundle, folder, { recursive: true });
  writeFileSync(join(folder, SETTINGS_FILE), content);
  return { SETTINGS_FILE };
};
