import { buildSync } from 'esbuild';
import { fileURLToPath } from 'node:url';

/** Source of a handler without types, for a template and its reviewers. */
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
