import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
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

const DESCRIPTION = '/usr/share/doc/etcd-server/dev-guide/apispec/swagger/rpc.swagger.json.gz';

/** Debian's `etcd-server`, whose gateway speaks JSON. Its Swagger 2.0 is among its documents. */
export const etcd: RealApi = {
  name: 'etcd',
  install: () => installDebian('etcd-server'),
  start: async (folder) => {
    const [port, peerPort] = [await freePort(), await freePort()];
    const origin = `http://127.0.0.1:${port}`;
    const peer = `http://127.0.0.1:${peerPort}`;
    const program = await startProgram(folder, '/usr/bin/etcd', [
      `--data-dir=${folder}/data`,
      `--listen-client-urls=${origin}`,
      `--advertise-client-urls=${origin}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
    ]);
    const api = directly(origin);
    await program.up(async () => (await api.status('/health')) === 200);
    const text = gunzipSync(await readFile(DESCRIPTION)).toString('utf8');
    return {
      origin,
      headers: {},
      description: { file: 'etcd.json', text },
      deploy: [],
      files: {},
      credentials: [],
      calls: calls(api),
      [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
    };
  },
};

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const calls = (api: Direct): readonly Call[] => {
  const ask = (path: string, body: unknown = {}) => api(path, { method: 'POST', body });
  const [color, shape] = [base64('config/color'), base64('config/shape')];
  const valueOf = async (key: string): Promise<string> => {
    const [found] = listAt({ kvs: [], ...Object(await ask('/v3/kv/range', { key })) }, 'kvs');
    return Buffer.from(String(at(found, 'value') ?? ''), 'base64').toString();
  };
  let lease = '';
  return [
    {
      title: 'lists members, which takes nothing',
      tool: 'MemberList',
      args: () => ({}),
      check: async (answer) => {
        const members = listAt(await ask('/v3/cluster/member/list'), 'members');
        assert.deepEqual(listAt(answer.json(), 'members'), members);
      },
    },
    {
      title: 'says its version',
      tool: 'Status',
      args: () => ({}),
      check: async (answer) =>
        assert.equal(
          at(answer.json(), 'version'),
          at(await ask('/v3/maintenance/status'), 'version'),
        ),
    },
    {
      title: 'puts a value',
      tool: 'Put',
      args: () => ({ key: color, value: base64('blue') }),
      check: async () => assert.equal(await valueOf(color), 'blue'),
      instead: () => ask('/v3/kv/put', { key: color, value: base64('blue') }),
    },
    {
      title: 'gets it',
      tool: 'Range',
      args: () => ({ key: color }),
      check: (answer) => assert.equal(at(answer.json(), 'kvs', 0, 'value'), base64('blue')),
    },
    {
      title: 'puts another one in a transaction',
      tool: 'Txn',
      args: () => ({ success: [{ request_put: { key: shape, value: base64('round') } }] }),
      check: async () => assert.equal(await valueOf(shape), 'round'),
      instead: () => ask('/v3/kv/put', { key: shape, value: base64('round') }),
    },
    {
      title: 'lists a range of keys',
      tool: 'Range',
      args: () => ({ key: base64('config/'), range_end: base64('config0'), keys_only: true }),
      check: (answer) =>
        assert.deepEqual(
          listAt(answer.json(), 'kvs').map((one) => at(one, 'key')),
          [color, shape],
        ),
    },
    {
      title: 'grants a lease',
      tool: 'LeaseGrant',
      args: () => ({ TTL: '600' }),
      check: async (answer) => {
        lease = String(at(answer.json(), 'ID'));
        const left = await ask('/v3/lease/timetolive', { ID: lease });
        assert.equal(at(left, 'grantedTTL'), '600');
      },
    },
    {
      title: 'lists leases, which takes nothing',
      tool: 'LeaseLeases',
      args: () => ({}),
      check: (answer) => assert.equal(at(answer.json(), 'leases', 0, 'ID'), lease),
    },
    {
      title: 'deletes a key',
      tool: 'DeleteRange',
      args: () => ({ key: shape }),
      check: async () => assert.equal(await valueOf(shape), ''),
    },
    {
      title: 'adds a user',
      tool: 'UserAdd',
      args: () => ({ name: 'ada', password: 'kestrel umbrella' }),
      check: async () => assert.deepEqual(at(await ask('/v3/auth/user/list'), 'users'), ['ada']),
    },
  ];
};
