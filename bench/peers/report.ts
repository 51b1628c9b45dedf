/** Tables of what was measured. */
import { basename } from 'node:path';
import { type ModelTool, MODEL_APIS } from '../../layers/core/domain/model-apis/index.ts';
import { strictly } from '../../test/support/json-schema.ts';
import { kb, median, printTable, type Row } from '../table.ts';
import { isolation, type Took } from './contender.ts';
import { type Measured, type Name, NAMES } from './measure.ts';

/** The faster of these is what ours is compared with. */
const PEERS: readonly Name[] = ['generator', 'ivotoby'];

export const print = (measured: readonly Measured[]): void => {
  const title = ({ file, bytes }: Measured) => `${basename(file)}, ${kb(bytes)}`;
  const middle = (took: readonly Took[], key: keyof Took) => median(took.map((one) => one[key]));
  /** What all took, and ours beside the faster peer. */
  const times = (one: Measured, phase: 'cold' | 'warm', own: readonly Took[]): Row => {
    const of = (name: Name, key: keyof Took) => middle(one.results[name][phase], key);
    const ratio = (key: keyof Took) =>
      middle(own, key) / Math.min(...PEERS.map((peer) => of(peer, key)).filter(Number.isFinite));
    return [
      title(one),
      shown(middle(own, 'wallMs')),
      ...NAMES.slice(1).map((name) => shown(of(name, 'wallMs'))),
      ratio('wallMs').toFixed(2),
      ratio('cpuMs').toFixed(2),
    ];
  };
  const peers = NAMES.slice(1);
  const ratios = ['/ faster', 'processor time'];
  const note = 'milliseconds, medians; goal: ours / faster of generator and ivotoby at most 1.00';
  printTable(
    'From the start of a server to a tool list: our router reads what was compiled at publication',
    ['router', ...peers, ...ratios],
    measured.map((one) => times(one, 'cold', one.routers)),
    [note],
  );
  printTable(
    'From the start of a process to a list made of the description',
    ['compiler', ...peers, ...ratios],
    measured.map((one) => times(one, 'cold', one.results.ours.cold)),
    [note],
  );
  printTable(
    'The same in a process that has made many lists',
    ['compiler', ...peers, ...ratios],
    measured.map((one) => times(one, 'warm', one.results.ours.warm)),
    [note],
  );

  const share = (of: (one: Measured, name: Name) => string) =>
    measured.map((one): Row => [title(one), ...NAMES.map((name) => of(one, name))]);
  printTable('Operations of the description with a tool', NAMES, share(covered), ['goal: all']);
  printTable(
    'Tools that Claude, OpenAI, Gemini and Bedrock all accept, and schemas that Ajv compiles strictly',
    NAMES,
    share(accepted),
    ['goal: 100 %, 100 %', `contenders were kept within loopback by ${isolation}`],
  );
  printTable(
    'Fields that all tools together describe: what a list leaves out, a model cannot send',
    NAMES,
    share(described),
  );
  for (const { file, results } of measured) {
    for (const name of NAMES) {
      const { failed } = results[name];
      if (failed !== undefined) console.log(`  ${name}, ${basename(file)}: ${failed}`);
    }
  }
};

const shown = (milliseconds: number): string =>
  Number.isFinite(milliseconds) ? milliseconds.toFixed(1) : 'none';

/** Two tools of one name cannot both be called. */
const covered = ({ operations, results }: Measured, name: Name): string => {
  const { tools } = results[name];
  return tools ? `${new Set(tools.map((tool) => tool.name)).size} of ${operations}` : 'none';
};

const accepted = ({ results }: Measured, name: Name): string => {
  const { tools } = results[name];
  if (!tools) return 'none';
  const percent = (is: (tool: ModelTool) => boolean) =>
    `${Math.floor((tools.filter(is).length / tools.length) * 100)} %`;
  const checkers = Object.values(MODEL_APIS);
  return `${percent((tool) => checkers.every((check) => check(tool).length === 0))}, ${percent(isStrict)}`;
};

const described = ({ results }: Measured, name: Name): string => {
  const { tools } = results[name];
  return tools
    ? String(tools.reduce((sum, { inputSchema }) => sum + fieldsIn(inputSchema), 0))
    : 'none';
};

/** All members of `properties`, at any depth. */
const fieldsIn = (schema: unknown): number => {
  if (typeof schema !== 'object' || schema === null) return 0;
  const own = 'properties' in schema ? Object.keys(schema.properties ?? {}).length : 0;
  return Object.values(schema).reduce((sum: number, part) => sum + fieldsIn(part), own);
};

const isStrict = ({ inputSchema }: ModelTool): boolean => {
  try {
    strictly(inputSchema);
    return true;
  } catch {
    return false;
  }
};
