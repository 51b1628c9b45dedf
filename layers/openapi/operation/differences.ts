import type { FoundOperation } from '../document.ts';
import { shownPath } from './path-places.ts';

/** Texts that may distinguish operations, best first: words of their paths, methods, both. */
export const differences = (group: readonly FoundOperation[]): readonly (readonly string[])[] => {
  const words = differingWords(group);
  const methods = group.map(({ method }) => method);
  const both = words.map((text, index) => [text, methods[index]].filter(Boolean).join(', '));
  return [words, methods, both];
};

/** Path segments, and with `withPlaces` variables, method and trailing slash, that not all operations have. */
export const differingWords = (
  group: readonly FoundOperation[],
  withPlaces = false,
): readonly string[] => {
  const segments = group.map(({ method, path }) => [
    ...new Set([
      ...shownPath(path)
        .split('/')
        .filter((text) => text !== '' && (withPlaces || !text.includes('{'))),
      ...(withPlaces ? [method] : []),
      ...(withPlaces && /.\/$/.test(path) ? ['slash'] : []),
    ]),
  ]);
  const counts = new Map<string, number>();
  for (const text of segments.flat()) counts.set(text, (counts.get(text) ?? 0) + 1);
  return segments.map((its) => its.filter((text) => counts.get(text) !== group.length).join(' '));
};
