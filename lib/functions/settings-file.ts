import { createHash } from 'node:crypto';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes a function's folder: its code, and the stage's settings for `lambdas/wiring/environment.ts`.
 * @param folder - is emptied first: it may have the settings of an earlier synthesis
 * @returns the file's name, with a hash of the settings: a version of the function without its file fails at its
 * start
 */
export const writeWithSettings = (
  folder: string,
  bundle: string,
  settings: Readonly<Record<string, string>>,
): { readonly SETTINGS_FILE: string } => {
  const content = JSON.stringify(settings);
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  const SETTINGS_FILE = `settings-${hash}.json`;
  rmSync(folder, { recursive: true, force: true });
  cpSync(bundle, folder, { recursive: true });
  writeFileSync(join(folder, SETTINGS_FILE), content);
  return { SETTINGS_FILE };
};
