import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installDebian } from './install.ts';
import {
  at,
  listAt,
  type Call,
  type Direct,
  directly,
  freePort,
  type RealApi,
  startProgram,
} from './real-api.ts';

const PROGRAM = '/usr/bin/prometheus-alertmanager';
const PASSWORD = 'kestrel umbrella';
/** bcrypt of the password: Alertmanager reads no other. */
const HASH = '$2b$04$abcdefghijklmnopqrstuud0.tJGf8e9B4ifj1SONR6kzJMUChblm';

const CONFIGURATION = `
route: { receiver: nobody, group_by: [alertname] }
receivers: [{ name: nobody }]
`;

/** Debian's `prometheus-alertmanager`, with a password. Its Swagger 2.0 stands in the program. */
export const alertmanager: RealApi = {
  name: 'Alertmanager',
  install: () => installDebian('prometheus-alertmanager'),
  start: async (folder) => {
    const port = await freePort();
    await writeFile(join(folder, 'alertmanager.yml'), CONFIGURATION);
    await writeFile(join(folder, 'web.yml'), `basic_auth_users: { ada: '${HASH}' }\n`);
    const program = await startProgram(folder, PROGRAM, [
      `--config.file=${folder}/alertmanager.yml`,
      `--web.config.file=${folder}/web.yml`,
      `--storage.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
    ]);
    const origin = `http://127.0.0.1:${port}`;
    const token = Buffer.from(`ada:${PASSWORD}`).toString('base64');
    const headers = { authorization: `Basic ${token}` };
    const api = directly(`${origin}/api/v2`, headers);
    await program.up(async () => (await api.status('/status')) === 200);
    return {
      origin,
      headers,
      description: { file: 'alertmanager.json', text: descriptionIn(await readFile(PROGRAM)) },
      deploy: [],
      files: {},
      credentials: [{ args: ['--type', 'basic', '--username', 'ada'], value: PASSWORD }],
      calls: calls(api),
      [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
    };
  },
};

/** The description as its makers wrote it; a second one in the program has its references resolved. */
const descriptionIn = (program: Buffer): string => {
  const start = program.lastIndexOf('{\n', program.indexOf('"swagger": "2.0"'));
  // Indented JSON ends where the first closing brace stands at the beginning of a line.
  const end = program.indexOf('\n}', start) + 2;
  return program.toString('utf8', start, end);
};

const calls = (api: Direct): readonly Call[] => {
  const labelled = (alertname: string, host: string) => ({ labels: { alertname, host } });
  const alerts = [labelled('Disk', 'one'), labelled('Disk', 'two'), labelled('Memory', 'two')];
  const hosts = (list: unknown) =>
    listAt(list)
      .map((alert) => `${at(alert, 'labels', 'alertname')} ${at(alert, 'labels', 'host')}`)
      .sort();
  const silence = {
    matchers: [{ name: 'alertname', value: 'Disk', isRegex: false, isEqual: true }],
    startsAt: new Date().toISOString(),
    endsAt: new Date(Date.now() + 3_600_000).toISOString(),
    createdBy: 'ada',
    comment: 'maintenance',
  };
  let id = '';
  const noteId = async () => {
    id = String(at(await api('/silences'), 0, 'id'));
  };
  return [
    {
      title: 'says its version',
      tool: 'getStatus',
      args: () => ({}),
      check: async (answer) =>
        assert.deepEqual(at(answer.json(), 'versionInfo'), at(await api('/status'), 'versionInfo')),
    },
    {
      title: 'takes alerts',
      tool: 'postAlerts',
      args: () => ({ body: alerts }),
      check: async () =>
        assert.deepEqual(hosts(await api('/alerts')), ['Disk one', 'Disk two', 'Memory two']),
      instead: () => api('/alerts', { method: 'POST', body: alerts }),
    },
    {
      title: 'filters by one label',
      tool: 'getAlerts',
      args: () => ({ filter: ['alertname="Disk"'] }),
      check: (answer) => assert.deepEqual(hosts(answer.json()), ['Disk one', 'Disk two']),
    },
    {
      title: 'filters by two labels',
      tool: 'getAlerts',
      args: () => ({ filter: ['alertname="Disk"', 'host="two"'] }),
      check: (answer) => assert.deepEqual(hosts(answer.json()), ['Disk two']),
    },
    {
      title: 'groups alerts',
      tool: 'getAlertGroups',
      args: () => ({}),
      check: async (answer) => {
        const names = (groups: unknown) =>
          listAt(groups)
            .map((group) => at(group, 'labels', 'alertname'))
            .sort();
        assert.deepEqual(names(answer.json()), names(await api('/alerts/groups')));
        assert.deepEqual(names(answer.json()), ['Disk', 'Memory']);
      },
    },
    {
      title: 'silences some',
      tool: 'postSilences',
      args: () => silence,
      check: async (answer) => {
        await noteId();
        assert.equal(at(answer.json(), 'silenceID'), id);
      },
      instead: async () => {
        await api('/silences', { method: 'POST', body: silence });
        await noteId();
      },
    },
    {
      title: 'reads a silence',
      tool: 'getSilence',
      args: () => ({ silenceID: id }),
      check: async (answer) => assert.deepEqual(answer.json(), await api(`/silence/${id}`)),
    },
    {
      title: 'lists silences that match',
      tool: 'getSilences',
      args: () => ({ filter: ['alertname="Disk"'] }),
      check: async (answer) => assert.deepEqual(answer.json(), await api('/silences')),
    },
    {
      title: 'leaves out alerts that are silenced',
      tool: 'getAlerts',
      args: () => ({ silenced: false }),
      check: (answer) => assert.deepEqual(hosts(answer.json()), ['Memory two']),
    },
    {
      title: 'ends a silence',
      tool: 'deleteSilence',
      args: () => ({ silenceID: id }),
      check: async () =>
        assert.equal(at(await api(`/silence/${id}`), 'status', 'state'), 'expired'),
      instead: () => api(`/silence/${id}`, { method: 'DELETE' }),
    },
  ];
};
