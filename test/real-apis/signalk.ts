import assert from 'node:assert/strict';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installNpm, modulesFolder } from './install.ts';
import {
  at,
  type Call,
  type Direct,
  directly,
  freePort,
  namesAt,
  type RealApi,
  startProgram,
} from './real-api.ts';

const PACKAGES = ['signalk-server@2.23.0'];
const DESCRIPTION = 'dist/api/resources/openApi.json';

/** It would listen on every address, and ask npm for newer versions. */
const GUARD = new URL('loopback-only.mjs', import.meta.url).href;

/** Signal K, a server of data on boats, from npm, and its OpenAPI 3.0 of routes, waypoints, regions and notes. */
export const signalK: RealApi = {
  name: 'Signal K',
  install: async (cache) => void (await installNpm(cache, PACKAGES)),
  start: async (folder, cache) => {
    const modules = join(modulesFolder(cache, PACKAGES), 'node_modules');
    const package_ = join(modules, 'signalk-server');
    // Plugins are those beside its configuration: what stores resources is one.
    await symlink(modules, join(folder, 'node_modules'));
    const port = await freePort();
    const settings = {
      port,
      mdns: false,
      // They send to every machine around, and listen for boats.
      interfaces: { mfd_webapp: false, tcp: false, 'nmea-tcp': false },
      pipedProviders: [],
      vessel: { name: 'Kestrel', uuid: `urn:mrn:signalk:uuid:${OWN}` },
    };
    await writeFile(join(folder, 'settings.json'), JSON.stringify(settings));
    const program = await startProgram(
      folder,
      process.execPath,
      ['--import', GUARD, join(package_, 'bin/signalk-server')],
      { SIGNALK_NODE_CONFIG_DIR: folder },
    );
    const origin = `http://127.0.0.1:${port}`;
    const api = directly(`${origin}/signalk/v2/api/resources`);
    await program.up(async () => (await api.status('/waypoints')) === 200);
    return {
      origin,
      headers: {},
      description: {
        file: 'signalk.json',
        text: await readFile(join(package_, DESCRIPTION), 'utf8'),
      },
      deploy: ['--overlay', 'lists.yaml'],
      files: { 'lists.yaml': LISTS },
      credentials: [],
      calls: calls(api),
      [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
    };
  },
};

/** Its lists are described with commas between, and read where they are repeated. */
const LISTS = `
overlay: 1.0.0
info: { title: Lists, version: '1' }
actions:
  - target: $.components.parameters[?@.explode == false]
    update: { explode: true }
`;

const OWN = 'c0d79334-4e25-4245-8892-54e8ccc8021d';
const SECOND = 'ac3a3b2d-07e8-4f25-92bc-98e7c92f7f1a';

const calls = (api: Direct): readonly Call[] => {
  const waypoint = (name: string, ...coordinates: readonly number[]) => ({
    name,
    feature: { type: 'Feature', geometry: { type: 'Point', coordinates } },
  });
  const harbour = waypoint('Harbour', 24.9, 60.15);
  const lighthouse = waypoint('Lighthouse', 24.67, 59.62);
  const route = {
    name: 'Out',
    feature: {
      type: 'Feature',
      geometry: {
        type: 'LineString',
        coordinates: [
          [24.9, 60.15],
          [24.67, 59.62],
        ],
      },
      properties: {
        coordinatesMeta: [{ name: 'start' }, { href: `/resources/waypoints/${SECOND}` }],
      },
    },
  };
  const region = {
    name: 'Shoal',
    feature: {
      type: 'Feature',
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [24, 60],
            [25, 60],
            [25, 61],
            [24, 60],
          ],
        ],
      },
    },
  };
  const note = {
    title: 'Fuel',
    description: 'Until six.',
    position: { latitude: 60.1, longitude: 24.9 },
  };
  const about = { title: 'Lamp', href: `/resources/waypoints/${SECOND}` };
  const names = (list: unknown) =>
    namesAt(list)
      .map((id) => String(at(list, id, 'name') ?? at(list, id, 'title')))
      .sort();
  let id = '';
  const noteId = async () => {
    id = namesAt(await api('/waypoints'))[0] ?? '';
  };
  return [
    {
      title: 'says which resources there are',
      tool: 'get_resources',
      args: () => ({}),
      check: (answer) => assert.ok(namesAt(answer.json()).includes('waypoints')),
    },
    {
      title: 'makes a waypoint',
      tool: 'post_resources_waypoints',
      args: () => harbour,
      check: async (answer) => {
        await noteId();
        assert.equal(at(answer.json(), 'id'), id);
        assert.deepEqual(names(await api('/waypoints')), ['Harbour']);
      },
      instead: async () => {
        await api('/waypoints', { method: 'POST', body: harbour });
        await noteId();
      },
    },
    {
      title: 'makes one with an id of the caller',
      tool: 'put_resources_waypoints_by_id',
      args: () => ({ id: SECOND, ...lighthouse }),
      check: async () => assert.equal(at(await api(`/waypoints/${SECOND}`), 'name'), 'Lighthouse'),
      instead: () => api(`/waypoints/${SECOND}`, { method: 'PUT', body: lighthouse }),
    },
    {
      title: 'reads one',
      tool: 'get_resources_waypoints_by_id',
      args: () => ({ id }),
      check: async (answer) => assert.deepEqual(answer.json(), await api(`/waypoints/${id}`)),
    },
    {
      title: 'finds those around a position',
      tool: 'get_resources_waypoints',
      args: () => ({ position: [24.9, 60.15], distance: 2000 }),
      check: (answer) => assert.deepEqual(names(answer.json()), ['Harbour']),
    },
    {
      title: 'finds those in a box',
      tool: 'get_resources_waypoints',
      args: () => ({ bbox: [24, 59, 24.8, 60] }),
      check: (answer) => assert.deepEqual(names(answer.json()), ['Lighthouse']),
    },
    {
      title: 'makes a route, whose points are of two kinds',
      tool: 'post_resources_routes',
      args: () => route,
      check: async () => {
        const routes = await api('/routes');
        const [made = ''] = namesAt(routes);
        const points = at(routes, made, 'feature', 'properties', 'coordinatesMeta');
        assert.deepEqual(points, route.feature.properties.coordinatesMeta);
      },
    },
    {
      title: 'makes a region',
      tool: 'post_resources_regions',
      args: () => region,
      check: async () => assert.deepEqual(names(await api('/regions')), ['Shoal']),
    },
    {
      title: 'makes a note at a position',
      tool: 'post_resources_notes',
      args: () => ({ body: note }),
      check: async () => assert.deepEqual(names(await api('/notes')), ['Fuel']),
      instead: () => api('/notes', { method: 'POST', body: note }),
    },
    {
      title: 'makes a note about a waypoint',
      tool: 'post_resources_notes',
      args: () => ({ body: about }),
      check: async () => assert.deepEqual(names(await api('/notes')), ['Fuel', 'Lamp']),
      instead: () => api('/notes', { method: 'POST', body: about }),
    },
    {
      title: 'finds the notes about it',
      tool: 'get_resources_notes',
      args: () => ({ href: about.href }),
      check: (answer) => assert.deepEqual(names(answer.json()), ['Lamp']),
    },
    {
      title: 'deletes a waypoint',
      tool: 'delete_resources_waypoints_by_id',
      args: () => ({ id }),
      check: async () => assert.deepEqual(names(await api('/waypoints')), ['Lighthouse']),
    },
  ];
};
