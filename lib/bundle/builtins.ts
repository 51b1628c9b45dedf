import type { ImportKind, Plugin } from 'esbuild';
import { builtinModules } from 'node:module';

/**
 * An `import` of one of node's own modules reads all its members, the lazy ones too: `node:http` alone
 * takes 24 ms that way, and 4 ms this way, which reads only the members that somebody names.
 */
export const builtinsOnDemand = (): Plugin => ({
  name: 'builtins-on-demand',
  setup: ({ onResolve, onLoad }) => {
    const names = new Set(builtinModules);
    onResolve({ filter: /^(node:)?[a-z_/0-9]+$/ }, ({ path, kind }) => {
      const name = path.replace(/^node:/, '');
      if (!names.has(name)) return undefined;
      return { path: name, namespace: NAMESPACES[kind] ?? 'imported-builtin', sideEffects: false };
    });
    onLoad({ filter: /./, namespace: 'required-builtin' }, ({ path }) => ({
      contents: `module.exports = ${builtin(path)};`,
    }));
    // The SDK asks for `node:http` so. With named exports, all of them would be read at each cold start.
    onLoad({ filter: /./, namespace: 'builtin-imported-on-demand' }, ({ path }) => ({
      contents: `export default ${builtin(path)};`,
    }));
    onLoad({ filter: /./, namespace: 'imported-builtin' }, async ({ path }) => ({
      contents: await exportsOf(path),
    }));
  },
});

const NAMESPACES: Partial<Record<ImportKind, string>> = {
  'require-call': 'required-builtin',
  'require-resolve': 'required-builtin',
  'dynamic-import': 'builtin-imported-on-demand',
};

const builtin = (name: string): string => `process.getBuiltinModule('node:${name}')`;

/** Each export is a call without effects to the bundler, which leaves out those that nobody imports. */
const exportsOf = async (name: string): Promise<string> => {
  const members = Object.keys(await import(`node:${name}`)).filter(
    (member) => member !== 'default' && member !== 'module.exports',
  );
  return [
    `const builtin = /* @__PURE__ */ ${builtin(name)};`,
    'const read = (member) => builtin[member];',
    'export default builtin;',
    ...members.map((member, index) => `const _${index} = /* @__PURE__ */ read('${member}');`),
    `export { ${members.map((member, index) => `_${index} as ${member}`).join(', ')} };`,
  ].join('\n');
};
