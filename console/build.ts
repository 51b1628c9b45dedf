import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build, type BuildResult, type Metafile, type Plugin } from 'esbuild';

/** A file of the console as it is served: its Brotli and gzip forms, each in base64. */
export interface ConsoleAsset {
  readonly mediaType: string;
  readonly etag: string;
  readonly br: string;
  readonly gzip: string;
}

export interface ConsoleAssets {
  readonly page: ConsoleAsset;
  /** Keys are file names, which contain a hash of the content. */
  readonly assets: Readonly<Record<string, ConsoleAsset>>;
}

const ASSETS = '/v1/console/assets/';

const SOURCES = fileURLToPath(new URL('src/', import.meta.url));
const FIRST_VIEW = `${SOURCES}main.tsx`;

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
};

/**
 * Bundles the console: the shell in one script and one style, each page in a script of its own that is
 * loaded when somebody opens it.
 * @param isDeployed - packs as small as can be, which takes as long as all else together
 * @throws Error if a source cannot be bundled
 */
export const buildConsole = async (isDeployed: boolean): Promise<ConsoleAssets> => {
  const built = await bundled();
  const files = built.outputFiles.map(({ path, contents }) => [basename(path), contents] as const);
  return {
    page: packed('.html', Buffer.from(htmlOf(built)), isDeployed),
    assets: Object.fromEntries(
      files.map(([name, contents]) => [name, packed(extname(name), contents, isDeployed)]),
    ),
  };
};

/** The modules that esbuild bundled (its metafile), with paths relative to `folder`. */
export const bundledConsole = async (): Promise<{
  readonly metafile: Metafile;
  readonly folder: string;
}> => ({ metafile: (await bundled()).metafile, folder: SOURCES });

/** Pages import the first view: otherwise, esbuild splits it into a chunk for each part that some page shares. */
const onFirstView = (): Plugin => ({
  name: 'on-first-view',
  setup: ({ onResolve, onLoad }) => {
    const loadedLater = new Set<string>();
    onResolve({ filter: /^\.{1,2}\// }, ({ kind, path, resolveDir }) => {
      if (kind === 'dynamic-import') loadedLater.add(join(resolveDir, path));
      return undefined;
    });
    onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
      if (!loadedLater.has(path)) return undefined;
      const contents = `import ${JSON.stringify(FIRST_VIEW)};\n${await readFile(path, 'utf8')}`;
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' };
    });
  },
});

const bundled = () =>
  build({
    entryPoints: { console: FIRST_VIEW },
    plugins: [onFirstView()],
    outdir: '/assets',
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome119', 'firefox121', 'safari17.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    metafile: true,
    absWorkingDir: SOURCES,
    logLevel: 'warning',
  });

/** The page names the scripts that the first one imports: browsers load them without parsing it first. */
const htmlOf = ({ metafile }: BuildResult): string => {
  const outputs = Object.entries(metafile?.outputs ?? {});
  const style = outputs.find(([, { entryPoint }]) => entryPoint === 'main.tsx')?.[1].cssBundle;
  // With code splitting, the entry file only imports the script that contains main.tsx.
  const script = outputs.find(([path, { inputs }]) => path.endsWith('.js') && 'main.tsx' in inputs);
  if (style === undefined || !script) throw new Error('the console has no entry');
  const [path, { imports }] = script;
  const addressOf = (file: string) => ASSETS + basename(file);
  const next = imports.filter(({ kind }) => kind === 'import-statement');
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex">',
    '<meta name="color-scheme" content="light dark">',
    '<title>Hosted MCP</title>',
    `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">`,
    `<link rel="stylesheet" href="${addressOf(style)}">`,
    ...next.map(({ path: file }) => `<link rel="modulepreload" href="${addressOf(file)}">`),
    `<script type="module" src="${addressOf(path)}"></script>`,
    '</head>',
    '<body>',
    '<div id="console"></div>',
    '<noscript>The console needs JavaScript. Without it there is the command line: npx --no-install hosted-mcp --help</noscript>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
};

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#5b6af0" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"><path d="M9 2v5M15 2v5M6 7h12v4a6 6 0 0 1-12 0zM12 17v5"/></svg>';

const QUICK = { brotli: 4, gzip: 1 };
const SMALL = { brotli: constants.BROTLI_MAX_QUALITY, gzip: constants.Z_BEST_COMPRESSION };

const packed = (extension: string, contents: Uint8Array, isDeployed: boolean): ConsoleAsset => ({
  mediaType: MEDIA_TYPES[extension] ?? 'application/octet-stream',
  etag: `"${createHash('sha256').update(contents).digest('base64url').slice(0, 22)}"`,
  br: brotliCompressSync(contents, {
    params: {
      [constants.BROTLI_PARAM_SIZE_HINT]: contents.length,
      [constants.BROTLI_PARAM_QUALITY]: (isDeployed ? SMALL : QUICK).brotli,
    },
  }).toString('base64'),
  gzip: gzipSync(contents, { level: (isDeployed ? SMALL : QUICK).gzip }).toString('base64'),
});
