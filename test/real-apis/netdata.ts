import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { installDebian } from './install.ts';
import {
  at,
  listAt,
  namesAt,
  type Call,
  type Direct,
  directly,
  folderIn,
  freePort,
  type RealApi,
  startProgram,
} from './real-api.ts';

const DESCRIPTION = '/usr/share/netdata/web/netdata-swagger.yaml';
const CHART = 'system.cpu';

/** Debian's `netdata`. Its OpenAPI 3.0 is in the package, and names a server of its makers under `/api/v1`. */
export const netdata: RealApi = {
  name: 'Netdata',
  install: () => installDebian('netdata'),
  start: async (folder) => {
    const port = await freePort();
    for (const name of ['cache', 'lib', 'logs', 'etc']) await folderIn(folder, name);
    const file = join(folder, 'etc', 'netdata.conf');
    await writeFile(file, configuration(folder, port));
    const program = await startProgram(folder, '/usr/sbin/netdata', [
      '-D',
      '-c',
      file,
      '-P',
      `${folder}/pid`,
    ]);
    const origin = `http://127.0.0.1:${port}`;
    const api = directly(`${origin}/api/v1`);
    // The first values come some seconds after the start.
    await program.up(
      async () => listAt(await api(`/data?chart=${CHART}&after=-2`), 'data').length > 0,
    );
    return {
      origin,
      headers: {},
      description: { file: 'netdata.yaml', text: await readFile(DESCRIPTION, 'utf8') },
      deploy: [],
      files: {},
      credentials: [],
      calls: calls(api),
      [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
    };
  },
};

const configuration = (folder: string, port: number): string => `
[global]
  run as user = ${userInfo().username}
[db]
  mode = ram
[directories]
  cache = ${folder}/cache
  lib = ${folder}/lib
  log = ${folder}/logs
  config = ${folder}/etc
[web]
  bind to = 127.0.0.1:${port}
[plugins]
${['go.d', 'python.d', 'apps', 'cgroups', 'tc', 'charts.d', 'node.d', 'fping', 'ioping']
  .map((plugin) => `  ${plugin} = no`)
  .join('\n')}
`;

const calls = (api: Direct): readonly Call[] => {
  const columns = ['time', 'softirq', 'user', 'system'];
  return [
    {
      title: 'says its version',
      tool: 'get_info',
      args: () => ({}),
      check: async (answer) =>
        assert.equal(at(answer.json(), 'version'), at(await api('/info'), 'version')),
    },
    {
      title: 'lists all charts, within the budget of an answer',
      tool: 'get_charts',
      args: () => ({}),
      check: async (answer) => {
        const charts = namesAt(await api('/charts'), 'charts');
        const shown = namesAt(answer.json(), 'charts');
        assert.ok(shown.length > 10 && shown.length <= charts.length);
        assert.deepEqual(
          shown.filter((name) => !charts.includes(name)),
          [],
        );
      },
    },
    {
      title: 'describes a chart',
      tool: 'get_chart',
      args: () => ({ chart: CHART }),
      check: async (answer) =>
        assert.equal(at(answer.json(), 'title'), at(await api(`/chart?chart=${CHART}`), 'title')),
    },
    {
      title: 'gives data without the group and format that have defaults',
      tool: 'get_data',
      args: () => ({ chart: CHART, after: -5, points: 2 }),
      check: (answer) => {
        const labels = listAt(answer.json(), 'labels');
        assert.ok(columns.every((column) => labels.includes(column)));
        assert.equal(listAt(answer.json(), 'data').length, 2);
      },
    },
    {
      title: 'gives data as a table of text',
      tool: 'get_data',
      args: () => ({ chart: CHART, after: -5, points: 3, group: 'max', format: 'csv' }),
      check: (answer) => {
        const [head = '', ...lines] = answer.text.trim().split(/\r?\n/);
        assert.ok(columns.every((column) => head.split(',').includes(column)));
        assert.equal(lines.length, 3);
      },
    },
    {
      title: 'draws a badge, without what the description requires',
      tool: 'get_badge_svg',
      args: () => ({ chart: CHART, label: 'processor' }),
      check: (answer) => {
        const [first] = answer.content;
        const svg = first?.data ?? first?.resource?.blob;
        const text = svg === undefined ? (first?.resource?.text ?? answer.text) : decoded(svg);
        assert.match(text, /^<svg [^]*processor[^]*<\/svg>\s*$/);
      },
    },
    {
      title: 'gives all metrics that match',
      tool: 'get_allmetrics',
      args: () => ({ format: 'json', filter: CHART }),
      check: (answer) => assert.deepEqual(namesAt(answer.json()), [CHART]),
    },
    {
      title: 'lists contexts',
      tool: 'get_contexts',
      args: () => ({}),
      check: async (answer) => {
        const contexts = namesAt(await api('/contexts'), 'contexts');
        const shown = namesAt(answer.json(), 'contexts');
        assert.ok(shown.length > 5);
        assert.deepEqual(
          shown.filter((name) => !contexts.includes(name)),
          [],
        );
      },
    },
    {
      title: 'lists what variables an alarm may use',
      tool: 'get_alarm_variables',
      args: () => ({ chart: CHART }),
      check: async (answer) => {
        const direct = await api(`/alarm_variables?chart=${CHART}`);
        for (const member of ['chart', 'family']) {
          assert.equal(at(answer.json(), member), at(direct, member));
        }
      },
    },
    {
      title: 'lists active alarms',
      tool: 'get_alarms',
      args: () => ({ active: true }),
      check: async (answer) => {
        const direct = await api('/alarms?active=true');
        assert.equal(at(answer.json(), 'hostname'), at(direct, 'hostname'));
        assert.deepEqual(namesAt(answer.json(), 'alarms'), namesAt(direct, 'alarms'));
      },
    },
  ];
};

const decoded = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8');
