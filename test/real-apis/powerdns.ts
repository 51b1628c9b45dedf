import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
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

const KEY = 'kestrel-umbrella';
const SCHEMA = '/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql';
const ZONE = 'example.org.';
const HOST = 'www.example.org.';

/** Debian's `pdns-server`. It serves its own Swagger 2.0, to who has the key. */
export const powerdns: RealApi = {
  name: 'PowerDNS',
  install: () => installDebian('pdns-server', 'pdns-backend-sqlite3'),
  start: async (folder) => {
    const database = new DatabaseSync(join(folder, 'zones.sqlite'));
    database.exec(await readFile(SCHEMA, 'utf8'));
    database.close();
    const [port, dnsPort] = [await freePort(), await freePort()];
    await writeFile(join(folder, 'pdns.conf'), configuration(folder, port, dnsPort));
    const program = await startProgram(folder, 'pdns_server', [`--config-dir=${folder}`]);
    const origin = `http://127.0.0.1:${port}`;
    const headers = { 'X-API-Key': KEY };
    const api = directly(`${origin}/api/v1/servers/localhost`, headers);
    await program.up(async () => (await api.status('')) === 200);
    return {
      origin,
      headers,
      description: {
        file: 'powerdns.yaml',
        text: await directly(origin, headers).text('/api/docs'),
      },
      // The id of the only server is an argument of nearly every operation.
      files: {
        'overrides.json': JSON.stringify({
          '*': { arguments: { server_id: { value: 'localhost' } } },
        }),
      },
      deploy: ['--overrides', 'overrides.json'],
      credentials: [{ args: ['--type', 'api_key', '--name', 'X-API-Key'], value: KEY }],
      calls: calls(api),
      [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
    };
  },
};

const configuration = (folder: string, port: number, dnsPort: number): string => `
launch=gsqlite3
gsqlite3-database=${folder}/zones.sqlite
local-address=127.0.0.1
local-port=${dnsPort}
api=yes
api-key=${KEY}
webserver=yes
webserver-address=127.0.0.1
webserver-port=${port}
webserver-allow-from=127.0.0.1
security-poll-suffix=
socket-dir=${folder}
setuid=
setgid=
daemon=no
guardian=no
`;

const calls = (api: Direct): readonly Call[] => {
  const zone = `/zones/${ZONE}`;
  const address = async () =>
    listAt(await api(zone), 'rrsets').find((set) => at(set, 'name') === HOST);
  const A = { name: HOST, type: 'A' };
  const set = {
    rrsets: [
      {
        ...A,
        ttl: 300,
        changetype: 'REPLACE',
        records: [{ content: '192.0.2.7', disabled: false }],
      },
    ],
  };
  const remove = { rrsets: [{ ...A, changetype: 'DELETE' }] };
  const metadata = { kind: 'ALLOW-AXFR-FROM', metadata: ['192.0.2.0/24'] };
  const made = { name: ZONE, kind: 'Native', nameservers: ['ns1.example.org.'] };
  return [
    {
      title: 'lists servers',
      tool: 'listServers',
      args: () => ({}),
      check: (answer) => assert.equal(at(answer.json(), 0, 'id'), 'localhost'),
    },
    {
      title: 'creates a zone',
      tool: 'createZone',
      args: () => ({ body: made }),
      check: async (answer) => {
        assert.equal(at(answer.json(), 'name'), ZONE);
        assert.equal(at(await api(zone), 'kind'), 'Native');
      },
      instead: () => api('/zones', { method: 'POST', body: made }),
    },
    {
      title: 'lists zones',
      tool: 'listZones',
      args: () => ({}),
      check: async (answer) => assert.deepEqual(answer.json(), await api('/zones')),
    },
    {
      title: 'adds a record',
      tool: 'patchZone',
      args: () => ({ zone_id: ZONE, ...set }),
      check: async () => assert.equal(at(await address(), 'records', 0, 'content'), '192.0.2.7'),
      instead: () => api(zone, { method: 'PATCH', body: set }),
    },
    {
      title: 'reads one record',
      tool: 'listZone',
      args: () => ({ zone_id: ZONE, rrset_name: HOST, rrset_type: 'A' }),
      check: (answer) => {
        const sets = listAt(answer.json(), 'rrsets');
        assert.deepEqual(
          sets.map((set) => [at(set, 'name'), at(set, 'ttl')]),
          [[HOST, 300]],
        );
      },
    },
    {
      title: 'finds it',
      tool: 'searchData',
      args: () => ({ q: 'www*', max: 10 }),
      check: async (answer) =>
        assert.deepEqual(answer.json(), await api('/search-data?q=www*&max=10')),
    },
    {
      title: 'deletes it, without the ttl and the records that the description requires',
      tool: 'patchZone',
      args: () => ({ zone_id: ZONE, ...remove }),
      check: async () => assert.equal(await address(), undefined),
      instead: () => api(zone, { method: 'PATCH', body: remove }),
    },
    {
      title: 'sets metadata',
      tool: 'createMetadata',
      args: () => ({ zone_id: ZONE, ...metadata }),
      check: async () =>
        assert.deepEqual(
          at(await api(`${zone}/metadata/${metadata.kind}`), 'metadata'),
          metadata.metadata,
        ),
      instead: () => api(`${zone}/metadata`, { method: 'POST', body: metadata }),
    },
    {
      title: 'exports the zone',
      tool: 'axfrExportZone',
      args: () => ({ zone_id: ZONE }),
      check: async (answer) => {
        const text = await api.text(`${zone}/export`);
        assert.match(text, /\tSOA\t/);
        assert.equal(at(answer.json(), 'zone'), text);
      },
    },
    {
      title: 'deletes the zone',
      tool: 'deleteZone',
      args: () => ({ zone_id: ZONE }),
      check: async () => assert.equal(await api.status(zone), 404),
      instead: () => api(zone, { method: 'DELETE' }),
    },
  ];
};
