import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { faultsIn, sentencesOf, StageFile, type StageSettings, withDefaults } from './file.ts';
import { placeFaults, type Shell } from './place.ts';
import { whatToWrite } from './words.ts';
import { parsedJson } from '../../layers/platform/rules/json/parsed-json.ts';

const FOLDER = new URL('../../config/', import.meta.url);

export type Stage = StageSettings & {
  readonly name: string;
  readonly file: string;
};

export interface Source extends Shell {
  /** Name of the stage; `dev` if undefined. */
  readonly name: string | undefined;
  /** Path of its file; if undefined, the file of this name in `config/`. */
  readonly path?: string | undefined;
}

/** @throws Error that names the file and its faults, or lists the stages */
export const readStage = ({ path, name, ...shell }: Source): Stage => {
  if (path !== undefined && name === undefined) {
    throw new Error(`${path}: write \`--context stage=NAME\` too: the stacks are named by it`);
  }
  const stage = path === undefined ? fromRepository(name ?? 'dev') : fromOutside(name ?? '', path);
  return inPlace(stage, shell);
};

/** @throws Error that names what does not fit its place */
export const inPlace = (stage: Stage, shell: Shell): Stage => {
  const faults = placeFaults(stage, shell);
  if (faults.length > 0) throw faultsOf(stage.file, faults);
  return stage;
};

const NAME = /^[a-z][a-z0-9-]{0,19}$/;

const fromRepository = (name: string): Stage => {
  const path = fileURLToPath(new URL(`${name}.json`, FOLDER));
  if (NAME.test(name) && existsSync(path)) return stageOf(name, readFileSync(path, 'utf8'));
  const names = readdirSync(FOLDER).map((file) => file.replace(/\.json$/, ''));
  throw new Error(`there is no stage "${name}"; config/ has ${names.join(', ')}`);
};

const fromOutside = (name: string, path: string): Stage => {
  checkName(name);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`${path}: it cannot be read (${(error as Error).message})`, { cause: error });
  }
  return stageOf(name, text, path);
};

const checkName = (name: string): void => {
  if (NAME.test(name)) return;
  throw new Error(
    `"${name}" is no name of a stage: write up to 20 lower-case letters, digits and hyphens`,
  );
};

/** @throws Error with a sentence for each fault, which names the key and what helps */
export const stageOf = (name: string, text: string, file = `config/${name}.json`): Stage => {
  checkName(name);
  let sent: unknown;
  try {
    sent = parsedJson(text);
  } catch (error) {
    throw faultsOf(file, [(error as Error).message]);
  }
  const read = StageFile.safeParse(withDefaults(sent), { error: whatToWrite });
  if (!read.success) throw faultsOf(file, faultsIn(read.error.issues).flatMap(sentencesOf));
  return { name, file, ...read.data };
};

const faultsOf = (file: string, sentences: readonly string[]): Error =>
  new Error(sentences.map((sentence) => `${file}: ${sentence}`).join('\n'));
