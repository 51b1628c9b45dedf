const { transformSync } = require('esbuild');
const options = { loader: 'ts', format: 'esm', target: 'node24', sourcemap: 'inline' };
exports.process = (source, sourcefile) => transformSync(source, { ...options, sourcefile });
