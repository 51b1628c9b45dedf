import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { installDebian } from './install.ts';
import {
  at,
  type Call,
  folderIn,
  freePort,
  listAt,
  type RealApi,
  startProgram,
} from './real-api.ts';

const DESCRIPTION = '/usr/share/doc/lxd/rest-api.yaml.gz';

/**
 * Debian's `lxd`, over TLS that is signed by itself, with a client certificate. Its Swagger 2.0 of some 200 operations is
 * among its documents. It runs no instance here, which a sandbox may not allow: empty ones are made and changed.
 */
export const lxd: RealApi = {
  name: 'LXD',
  install: () => installDebian('lxd'),
  start: async (folder) => {
    const port = await freePort();
    const data = await folderIn(folder, 'lxd');
    const [server, client] = [
      await certificateIn(data, 'server'),
      await certificateIn(folder, 'ada'),
    ];
    const program = await startProgram(folder, '/usr/bin/lxd', ['--group', 'root'], {
      LXD_DIR: data,
    });
    const api = overSocket(join(data, 'unix.socket'));
    await program.up(async () => (await api('/1.0')).status === 200);
    await api('/1.0', 'PATCH', { config: { 'core.https_address': `127.0.0.1:${port}` } });
    const der = client.certificate.replaceAll(/-----.*?-----|\n/g, '');
    await api('/1.0/certificates', 'POST', { type: 'client', name: 'ada', certificate: der });
    return {
      origin: `https://127.0.0.1:${port}`,
      headers: {},
      description: {
        file: 'lxd.yaml',
        text: gunzipSync(await readFile(DESCRIPTION)).toString('utf8'),
      },
      deploy: ['--tool-mode', 'operations', '--certificate-authority', 'server.crt'],
      files: {
        'server.crt': server.certificate,
        'ada.crt': client.certificate,
        'ada.key': client.key,
      },
      credentials: [
        {
          args: ['--type', 'mutual_tls', '--certificate-file', 'ada.crt', '--key-file', 'ada.key'],
        },
      ],
      calls: calls(api, await folderIn(folder, 'pool')),
      [Symbol.asyncDispose]: async () => {
        // Its folder is mounted as long as the pool is there.
        const { metadata } = await api('/1.0/instances/first', 'DELETE');
        await api(`/1.0/operations/${at(metadata, 'id')}/wait?timeout=20`);
        await api('/1.0/storage-pools/here', 'DELETE');
        await program[Symbol.asyncDispose]();
      },
    };
  },
};

/** Signed by itself, for loopback. */
const certificateIn = async (folder: string, name: string) => {
  const [key, certificate] = [join(folder, `${name}.key`), join(folder, `${name}.crt`)];
  await promisify(execFile)('openssl', [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
    '-subj',
    `/CN=${name}`,
    '-addext',
    'subjectAltName=IP:127.0.0.1',
    '-keyout',
    key,
    '-out',
    certificate,
  ]);
  return { key: await readFile(key, 'utf8'), certificate: await readFile(certificate, 'utf8') };
};

interface Socketed {
  (
    path: string,
    method?: string,
    body?: object,
  ): Promise<{
    readonly status: number;
    /** Of the answer, what LXD puts into an envelope. */
    readonly metadata: unknown;
  }>;
}

/** Requests to the socket of the machine, which asks for no certificate. */
const overSocket =
  (socketPath: string): Socketed =>
  (path, method = 'GET', body) =>
    new Promise((resolve, reject) => {
      const sent = request({ socketPath, path, method }, (response) => {
        response.toArray().then((parts) => {
          const metadata = at(JSON.parse(Buffer.concat(parts).toString()), 'metadata');
          resolve({ status: response.statusCode ?? 0, metadata });
        }, reject);
      });
      sent.on('error', reject).end(body && JSON.stringify(body));
    });

const calls = (api: Socketed, folder: string): readonly Call[] => {
  const get = async (path: string) => (await api(path)).metadata;
  const config = { 'limits.memory': '256MiB' };
  return [
    {
      title: 'says who asks, by the certificate',
      tool: 'server_get',
      args: () => ({}),
      check: (answer) => {
        assert.equal(at(answer.json(), 'metadata', 'auth'), 'trusted');
      },
    },
    {
      title: 'makes a profile',
      tool: 'profiles_post',
      args: () => ({ name: 'small', description: 'Little memory', config }),
      check: async () => assert.deepEqual(at(await get('/1.0/profiles/small'), 'config'), config),
      instead: () => api('/1.0/profiles', 'POST', { name: 'small', config }),
    },
    {
      title: 'reads it, with the ETag of its header',
      tool: 'profile_get',
      args: () => ({ name: 'small' }),
      check: (answer) => {
        assert.equal(at(answer.json(), 'metadata', 'description'), 'Little memory');
        assert.match(answer.text, /etag/i);
      },
    },
    {
      title: 'changes one member of it',
      tool: 'profile_patch',
      args: () => ({ name: 'small', description: 'Very little memory' }),
      check: async () => {
        const changed = await get('/1.0/profiles/small');
        assert.deepEqual(
          [at(changed, 'description'), at(changed, 'config')],
          ['Very little memory', config],
        );
      },
    },
    {
      title: 'renames it',
      tool: 'profile_post',
      args: () => ({ name: 'small', body: { name: 'tiny' } }),
      check: async () => assert.equal(at(await get('/1.0/profiles/tiny'), 'name'), 'tiny'),
      instead: () => api('/1.0/profiles/small', 'POST', { name: 'tiny' }),
    },
    {
      title: 'makes a project with a configuration whose keys have dots',
      tool: 'projects_post',
      args: () => ({ name: 'research', config: { 'features.profiles': 'false' } }),
      check: async () =>
        assert.equal(
          at(await get('/1.0/projects/research'), 'config', 'features.profiles'),
          'false',
        ),
    },
    {
      title: 'makes a pool in a folder',
      tool: 'storage_pools_post',
      args: () => ({ name: 'here', driver: 'dir', config: { source: folder } }),
      check: async () => assert.equal(at(await get('/1.0/storage-pools/here'), 'driver'), 'dir'),
      instead: () => api('/1.0/storage-pools', 'POST', { name: 'here', driver: 'dir' }),
    },
    {
      title: 'makes an empty instance, by an object beside which raw bytes would do',
      tool: 'instances_post',
      args: () => ({
        name: 'first',
        type: 'container',
        source: { type: 'none' },
        devices: { root: { type: 'disk', path: '/', pool: 'here' } },
      }),
      check: async (answer) => {
        const operation = String(at(answer.json(), 'operation'));
        await api(`${operation}/wait?timeout=20`);
        assert.equal(at(await get('/1.0/instances/first'), 'status'), 'Stopped');
      },
    },
    {
      title: 'lists instances with all that they are',
      tool: 'instances_get_recursion1',
      args: () => ({}),
      check: (answer) => assert.equal(at(answer.json(), 'metadata', 0, 'name'), 'first'),
    },
    {
      title: 'changes one member of the instance',
      tool: 'instance_patch',
      args: () => ({ name: 'first', config }),
      check: async () =>
        assert.equal(at(await get('/1.0/instances/first'), 'config', 'limits.memory'), '256MiB'),
    },
    {
      title: 'lists profiles',
      tool: 'profiles_get',
      args: () => ({}),
      check: async (answer) =>
        assert.deepEqual(listAt(answer.json(), 'metadata'), await get('/1.0/profiles')),
    },
    {
      title: 'deletes a profile',
      tool: 'profile_delete',
      args: () => ({ name: 'tiny' }),
      check: async () => assert.equal((await api('/1.0/profiles/tiny')).status, 404),
    },
  ];
};
