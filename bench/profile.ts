import { type Profiler, Session } from 'node:inspector/promises';

/** Microseconds between two looks at the stack. */
const INTERVAL = 200;

/**
 * Runs something and tells, in milliseconds of this thread, what the time was spent on: the package or
 * the part of this repository whose function was on the stack, nearest to its end. What Node does for
 * it counts as its own; what nobody on the stack had asked for is Node's.
 */
export const profiled = async (run: () => Promise<void>): Promise<Record<string, number>> => {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: INTERVAL });
  await session.post('Profiler.start');
  await run();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  return byOwner(profile);
};

const byOwner = ({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile) => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((one) => [one, id])),
  );

  const ownerOf = (id: number): string => {
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const frame = byId.get(at)?.callFrame;
      if (!frame) break;
      const { functionName, url } = frame;
      if (functionName === '(idle)') return '(idle)';
      if (functionName === '(garbage collector)') return 'garbage collection';
      const owner = partOf(url);
      if (owner !== undefined) return owner;
    }
    return "node's own (sockets, timers, streams)";
  };
  const owners = new Map(nodes.map(({ id }) => [id, ownerOf(id)]));

  const spent: Record<string, number> = {};
  for (const [index, id] of samples.entries()) {
    const owner = owners.get(id) ?? '';
    if (owner !== '(idle)') spent[owner] = (spent[owner] ?? 0) + (timeDeltas[index] ?? 0) / 1000;
  }
  return spent;
};

const PARTS: readonly (readonly [RegExp, string])[] = [
  [/node_modules\/(@aws-sdk|@smithy|@aws-crypto)\//, 'AWS SDK (counting the request)'],
  [/node_modules\/@modelcontextprotocol\//, 'MCP SDK'],
  [/node_modules\/((?:@[^/]+\/)?[^/]+)\//, '$1'],
  [/layers\/target\/client\//, 'our client towards the target API'],
  [/layers\/platform\/([^/]+)\//, 'our platform: $1'],
  [/layers\/([^/]+)\/(store|routes|steps|rules)\//, 'our $1: $2'],
  [/layers\/([^/]+)\//, 'our $1'],
  [/lambdas\//, 'our entries'],
  [/bench\//, 'the benchmark'],
];

const partOf = (url: string): string | undefined => {
  for (const [pattern, name] of PARTS) {
    const match = pattern.exec(url);
    if (match) return name.replace('$1', match[1] ?? '');
  }
  return undefined;
};
