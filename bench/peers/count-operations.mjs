// Counts the operations of one description, with a reader that is no contender's own.
import { readFile } from 'node:fs/promises';
import { load } from 'js-yaml';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

const text = await readFile(process.argv[2], 'utf8');
const root = text.trimStart().startsWith('{') ? JSON.parse(text) : load(text, { json: true });

const resolved = (node) =>
  typeof node?.$ref === 'string'
    ? node.$ref
        .slice(2)
        .split('/')
        .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
        .reduce((at, key) => at?.[key], root)
    : node;

const count = Object.entries(root.paths)
  .filter(([path]) => path.startsWith('/'))
  .map(([, item]) => ({ ...resolved(item) }))
  .flatMap((item) => [
    ...METHODS.filter((method) => item[method]),
    ...Object.keys(item.additionalOperations ?? {}),
  ]).length;
process.stdout.write(String(count));
