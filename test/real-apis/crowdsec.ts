import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { modulesFolder, unpackDebian } from './install.ts';
import {
  at,
  type Call,
  type Direct,
  directly,
  folderIn,
  freePort,
  listAt,
  type RealApi,
  startProgram,
} from './real-api.ts';

const PACKAGES = ['crowdsec', 'golang-github-crowdsecurity-crowdsec-dev'];
const SOURCES = 'usr/share/gocode/src/github.com/crowdsecurity/crowdsec';
const PASSWORD = 'kestrel umbrella';
const KEY = 'kestrel-umbrella-key';

/**
 * The local API of Debian's `crowdsec`, whose Swagger 2.0 is among its sources. Half of its operations want the JWT of
 * a login, half the key of a bouncer. It is unpacked only, since its installation registers at a service elsewhere.
 */
export const crowdsec: RealApi = {
  name: 'CrowdSec',
  install: async (cache) => void (await unpackDebian(cache, PACKAGES)),
  start: async (folder, cache) => {
    const package_ = modulesFolder(cache, PACKAGES);
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    for (const name of ['data', 'plugins', 'notifications']) await folderIn(folder, name);
    const file = join(folder, 'config.yaml');
    const files = filesOf(folder, package_, port);
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const cscli = (...args: readonly string[]) =>
      promisify(execFile)(join(package_, 'usr/bin/cscli'), ['-c', file, ...args], { cwd: folder });
    const access = join(folder, 'access.yaml');
    await cscli('machines', 'add', 'ada', '--password', PASSWORD, '--force', '-f', access);
    await cscli('bouncers', 'add', 'firewall', '--key', KEY);
    const program = await startProgram(folder, join(package_, 'usr/bin/crowdsec'), [
      '-c',
      file,
      '-no-cs',
    ]);
    const base = `${origin}/v1`;
    // The login refuses agents without a version.
    const agent = { 'user-agent': 'real-apis/1.0' };
    const bouncer = { ...agent, 'x-api-key': KEY };
    await program.up(async () => (await directly(base, bouncer).status('/decisions')) === 200);
    const login = { machine_id: 'ada', password: PASSWORD };
    const session = await directly(base, agent)('/watchers/login', {
      method: 'POST',
      body: login,
    });
    const headers = { authorization: `Bearer ${String(at(session, 'token'))}`, ...bouncer };
    return {
      origin,
      headers,
      description: {
        file: 'crowdsec.yaml',
        text: await readFile(join(package_, SOURCES, 'pkg/models/localapi_swagger.yaml'), 'utf8'),
      },
      // Durations are described as moments.
      deploy: ['--argument-checks', 'lenient'],
      files: {},
      credentials: [
        {
          args: [
            '--type',
            'session',
            '--scheme',
            'JWTAuthorizer',
            '--credential',
            'watcher',
            '--login',
            'POST /watchers/login',
            '--token-at',
            '/token',
            '--expiry',
            '/expire',
            '--field',
            'machine_id=ada',
            '--field',
            'password',
          ],
          value: PASSWORD,
        },
        {
          args: ['--type', 'api_key', '--scheme', 'APIKeyAuthorizer', '--credential', 'bouncer'],
          value: KEY,
        },
      ],
      calls: calls(directly(base, headers)),
      [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
    };
  },
};

const filesOf = (folder: string, package_: string, port: number) => ({
  'config.yaml': `
common: { daemonize: false, log_media: stdout, log_level: info, working_dir: . }
config_paths:
  config_dir: ${folder}
  data_dir: ${folder}/data
  simulation_path: ${folder}/simulation.yaml
  hub_dir: ${package_}/usr/share/crowdsec/hub
  index_path: ${package_}/usr/share/crowdsec/hub/.index.json
  notification_dir: ${folder}/notifications
  plugin_dir: ${folder}/plugins
cscli: { output: json, color: no }
db_config: { log_level: info, type: sqlite, db_path: ${folder}/data/crowdsec.db }
plugin_config: { user: nobody, group: nogroup }
api:
  client: { insecure_skip_verify: false, credentials_path: ${folder}/access.yaml }
  server:
    log_level: info
    listen_uri: 127.0.0.1:${port}
    profiles_path: ${folder}/profiles.yaml
    trusted_ips: [127.0.0.1]
prometheus: { enabled: false }
`,
  'simulation.yaml': 'simulation: false\n',
  'profiles.yaml': 'name: nobody\nfilters: ["false"]\non_success: break\n',
  'access.yaml': `url: http://127.0.0.1:${port}\nlogin: ada\npassword: none\n`,
});

const calls = (api: Direct): readonly Call[] => {
  const moment = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const decision = (value: string, type: string) => ({
    origin: 'cscli',
    type,
    scope: 'Ip',
    value,
    duration: '4h',
    scenario: 'ssh',
  });
  const alert = (value: string, type: string) => ({
    scenario: 'ssh',
    scenario_hash: '',
    scenario_version: '1',
    message: 'many tries',
    events_count: 3,
    capacity: 5,
    leakspeed: '10s',
    simulated: false,
    events: [],
    start_at: moment(2),
    stop_at: moment(1),
    source: { scope: 'Ip', value, ip: value },
    decisions: [decision(value, type)],
  });
  const alerts = [alert('192.0.2.7', 'ban'), alert('198.51.100.9', 'captcha')];
  const addresses = (list: unknown) =>
    listAt(list)
      .map((one) => String(at(one, 'source', 'value') ?? at(one, 'value')))
      .sort();
  const all = ['192.0.2.7', '198.51.100.9'];
  return [
    {
      title: 'has no decision yet, and says null',
      tool: 'getDecisions',
      args: () => ({}),
      check: (answer) => assert.equal(answer.json(), null),
    },
    {
      title: 'takes alerts',
      tool: 'pushAlerts',
      args: () => ({ body: alerts }),
      check: async (answer) => {
        assert.deepEqual(answer.json(), ['1', '2']);
        assert.deepEqual(addresses(await api('/alerts')), all);
      },
      instead: () => api('/alerts', { method: 'POST', body: alerts }),
    },
    {
      title: 'finds alerts of the last hours, by a duration',
      tool: 'searchAlerts',
      args: () => ({ since: '4h', decision_type: 'ban' }),
      check: (answer) => assert.deepEqual(addresses(answer.json()), ['192.0.2.7']),
    },
    {
      title: 'finds as many as asked for',
      tool: 'searchAlerts',
      args: () => ({ limit: 1 }),
      check: (answer) => assert.equal(listAt(answer.json()).length, 1),
    },
    {
      title: 'reads one',
      tool: 'GetAlertbyID',
      args: () => ({ alert_id: '1' }),
      check: async (answer) =>
        assert.equal(at(answer.json(), 'message'), at(await api('/alerts/1'), 'message')),
    },
    {
      title: 'says that one is there',
      tool: 'HeadAlertbyID',
      args: () => ({ alert_id: '1' }),
      check: (answer) => assert.match(answer.text, /200/),
    },
    {
      title: 'has decisions of an address, by the key of a bouncer',
      tool: 'getDecisions',
      args: () => ({ ip: '192.0.2.7' }),
      check: (answer) => assert.deepEqual(addresses(answer.json()), ['192.0.2.7']),
    },
    {
      title: 'has all decisions for a bouncer that begins',
      tool: 'getDecisionsStream',
      args: () => ({ startup: true }),
      check: (answer) => assert.deepEqual(addresses(at(answer.json(), 'new')), all),
    },
    {
      title: 'ends the decisions of an address',
      tool: 'deleteDecisions',
      args: () => ({ value: '198.51.100.9' }),
      check: async (answer) => {
        assert.equal(at(answer.json(), 'nbDeleted'), '1');
        assert.deepEqual(addresses(await api('/decisions')), ['192.0.2.7']);
      },
    },
    {
      title: 'ends one decision',
      tool: 'DeleteDecision',
      args: () => ({ decision_id: '1' }),
      check: async () => assert.equal(await api('/decisions'), null),
    },
    {
      title: 'deletes alerts of an address',
      tool: 'deleteAlerts',
      args: () => ({ ip: '192.0.2.7' }),
      check: async () => assert.deepEqual(addresses(await api('/alerts')), ['198.51.100.9']),
    },
    {
      title: 'registers a machine, which nothing but a status answers',
      tool: 'RegisterWatcher',
      args: () => ({ machine_id: 'two', password: PASSWORD }),
      check: (answer) => assert.match(answer.text, /201/),
    },
  ];
};
