import type { Plugin } from 'esbuild';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { buildConsole } from '../../console/build.ts';

/** Puts the gallery's descriptions into the bundle: on AWS there are no files beside it. */
export const galleryAsText = (): Plugin => ({
  name: 'gallery-as-text',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/gallery\/descriptions\.ts$/ }, async ({ path }) => {
      const folder = join(dirname(path), 'descriptions');
      const texts = Object.fromEntries(
        readdirSync(folder).map((name) => [
          basename(name, '.yaml'),
          readFileSync(join(folder, name), 'utf8'),
        ]),
      );
      return { contents: `export const descriptionOf = (id) => (${JSON.stringify(texts)})[id];` };
    });
  },
});

/** Puts the console's built files into its function's bundle. */
export const consoleAsText = (): Plugin => ({
  name: 'console-as-text',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/layers\/console\/assets\.ts$/ }, async () => ({
      contents: `export const readAssets = async () => (${JSON.stringify(await buildConsole(true))});`,
    }));
  },
});

/** The core has the same minimum, and filters again. */
const SHORTEST_PASSWORD = 12;

/** Keeps, of the 49,233 commonest passwords, the 308 that are long enough to be chosen: 5 KB instead of 380. */
export const longPasswords = (): Plugin => ({
  name: 'long-passwords',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/language-common\/dist\/passwords\.json\.mjs$/ }, async ({ path }) => {
      const { default: ranked } = (await import(path)) as { default: readonly string[] };
      const long = ranked.filter(({ length }) => length >= SHORTEST_PASSWORD);
      return { contents: `export default ${JSON.stringify(long)};` };
    });
  },
});
