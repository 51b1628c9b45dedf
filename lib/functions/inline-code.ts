import { buildSync } from 'esbuild';
import { fileURLToPath } from 'node:url';

/** By path of the handler: esbuild is a process of its own each time, and tests make a hundred stacks. */
const built = new Map<string, string>();

/** Source of a handler without types, for a template and its reviewers. */
export const inlineCode = (handler: URL): string => {
  const path = fileURLToPath(handler);
  const code = built.get(path) ?? codeOf(path);
  built.set(path, code);
  return code;
};

const codeOf = (path: string): string => {
  const [output] = buildSync({
    entryPoints: [path],
    bundle: true,
    write: false,
    external: ['@aws-sdk/*'],
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    legalComments: 'none',
  }).outputFiles;
  return output?.text ?? '';
};
