import { styleText } from 'node:util';
import type { Screen, World } from '../world.ts';

type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow';

/** Colours for a screen, or none: not for files and pipes, and not where the person wants none. */
export type Paint = (style: Style, text: string) => string;

/** Source: no-color.org. */
export const paintFor = (screen: Screen, environment: World['environment']): Paint => {
  const plainWanted = environment['NO_COLOR'] || environment['TERM'] === 'dumb';
  return screen.isTTY && !plainWanted
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_, text) => text;
};
