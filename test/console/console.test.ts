import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { buildConsole } from '../../console/build.ts';
import { PALETTE } from '../../layers/pages/palette.ts';

const SOURCES = join(import.meta.dirname, '../../console/src');
const read = (file: string) => readFileSync(join(SOURCES, file), 'utf8');
const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /\.tsx?$/.test(file),
);

const bytesOf = (base64: string): number => Buffer.from(base64, 'base64').length;

describe('what the console is made of', () => {
  test('nothing asks the network but its client of the API, which knows documented operations alone, and those of models', () => {
    const asking = sources.filter((file) =>
      /\bfetch\(|XMLHttpRequest|sendBeacon|WebSocket|EventSource/.test(read(file)),
    );

    expect(asking.toSorted()).toEqual([
      'api/ask-model.ts',
      'api/call.ts',
      'api/model-hosts.ts',
      'api/session.ts',
    ]);
  });

  test('no text becomes markup, and no token is stored', () => {
    const unsafe = sources.filter((file) =>
      /innerHTML|outerHTML|insertAdjacent|document\.write|localStorage|indexedDB|document\.cookie/.test(
        read(file).replaceAll(/\/\*\*?[^]*?\*\/|\/\/.*/g, ''),
      ),
    );
    const storing = sources.filter((file) => read(file).includes('sessionStorage'));

    expect(unsafe).toEqual([]);
    expect(storing.toSorted()).toEqual(['api/session.ts', 'state/draft.ts']);
  });

  test('its colours are those of the account pages', () => {
    const words = (css: string) =>
      css
        .replaceAll(/\/\*[^]*?\*\//g, '')
        .replaceAll(/\s+/g, ' ')
        .trim();

    expect(words(read('style/palette.css'))).toBe(words(PALETTE));
  });

  test('the first view is at most 20 KB, packed', async () => {
    const { page, assets } = await buildConsole(true);
    const html = brotliDecompressSync(Buffer.from(page.br, 'base64')).toString();
    const named = Object.entries(assets).filter(([name]) => html.includes(name));
    const sizes = [page, ...named.map(([, file]) => file)].map(({ br }) => bytesOf(br));

    expect(named.map(([name]) => name.replace(/.*\./, ''))).toEqual(['js', 'css']);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(20 * 1024);
  });
});
