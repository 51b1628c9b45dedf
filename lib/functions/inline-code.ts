import { buildSync } from 'esbuild';
import { fileURLToPath } from 'node:url';

/** A handler without its types, for a template to carry and a reviewer to read there. */
export const inlineCode = (handler: URL): string => {
  const [built] = buildSync({
    entryPoints: [fileURLToPath(handler)],
    bundle: true,
    write: false,
    external: ['@aws-sdk/*'],
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    legalComments: 'none',
  }).outputFiles;
  return built?.text ?? '';
};
