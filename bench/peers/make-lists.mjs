// One contender of the benchmark `peers`, in a process of its own: makes lists of tools of one
// description, from the file to the text that `tools/list` answers with, and tells what each took.
//
//   make-lists.mjs NAME FILE OUTPUT ENTRY    then one list for each line on standard input
//
// The first list is written to OUTPUT. ENTRY is this repository's own compiler, bundled.
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

const [name, file, output, entry] = process.argv.slice(2);
const BASE_URL = 'https://api.example.com';

/** Each yields a function from the file to the text of the list. */
const CONTENDERS = {
  ours: async () => {
    const { compileTools, MAX_BYTES, MAX_DEPTH, readDescription, selectOperations } = await import(
      entry
    );
    return async () => {
      const limits = { maxBytes: MAX_BYTES, maxDepth: MAX_DEPTH };
      const description = readDescription(await readFile(file), limits);
      const everything = { include: [], exclude: [] };
      const operations = selectOperations(description, everything, Infinity);
      const serverBase = { apiBaseUrl: BASE_URL };
      const { tools } = compileTools(description, operations, { serverBase });
      return JSON.stringify({ tools: tools.map(({ listed }) => listed) });
    };
  },

  // Called as its documentation shows.
  generator: () => generator({}),

  // What the generator's own command does: references are replaced by what they point at.
  'generator-dereferencing': () => generator({ dereference: true }),

  ivotoby: async () => {
    const { ToolsManager } = await import('@ivotoby/openapi-mcp-server');
    return async () => {
      const manager = new ToolsManager({
        name: 'bench',
        version: '1',
        apiBaseUrl: BASE_URL,
        openApiSpec: file,
        specInputMethod: 'file',
        transportType: 'stdio',
        toolsMode: 'all',
        verbose: false,
      });
      await manager.initialize();
      return listOf(manager.getAllTools());
    };
  },
};

// `/dist/api.js` is what the package's main file takes it from; the main file is its command.
const generator = async (options) => {
  const main = createRequire(import.meta.url).resolve('openapi-mcp-generator');
  const { getToolsFromOpenApi } = await import(join(dirname(main), 'api.js'));
  return async () => listOf(await getToolsFromOpenApi(file, { baseUrl: BASE_URL, ...options }));
};

const listOf = (tools) =>
  JSON.stringify({
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
  });

// What the peers say about each schema is not measured.
console.log = console.warn = console.error = () => {};

const tell = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

try {
  const list = await CONTENDERS[name]();
  const first = await list();
  const took = { wallMs: performance.now(), cpuMs: cpuMs() };
  await writeFile(output, first);
  tell(took);
  for await (const _ of createInterface({ input: process.stdin })) {
    const cpu = cpuMs();
    const began = performance.now();
    await list();
    tell({ wallMs: performance.now() - began, cpuMs: cpuMs() - cpu });
  }
} catch (error) {
  tell({ failed: String(error.message).slice(0, 200) });
}
process.exit();
