import { pathOf } from '../api/api.ts';
import { type Command, command } from '../command.ts';
import { listOf } from '../json.ts';
import { deploymentLines } from './deployments.ts';
import { findingsIn } from './findings.ts';

const list = command({
  name: 'gallery',
  summary: 'Lists ready descriptions of public APIs',
  places: [],
  options: {},
  run: async ({ api, output }) => {
    const gallery = await api.callOpenly('GET', '/gallery');
    output.rows(
      gallery,
      listOf(gallery['items']),
      {
        id: (one) => one['id'],
        name: (one) => one['name'],
        credential: (one) => one['credential'],
        description: (one) => one['description'],
      },
      'The gallery is empty.',
    );
  },
});

const deploy = command({
  name: 'gallery deploy',
  summary: 'Deploys one of them',
  places: ['id'],
  options: {
    slug: { value: 'NAME', help: 'its name in its address; otherwise made from the title' },
    name: { value: 'TEXT', help: 'what people see' },
    auth: { value: 'MODE', help: 'who may use it: oauth (if omitted), jwt or none' },
  },
  run: async ({ api, output }, { id }, { slug, name, auth }) => {
    const deployment = await api.call('POST', `${pathOf('gallery', id)}/deployments`, {
      json: { slug, name, mcp_auth_method: auth },
    });
    output.result(deployment, deploymentLines(deployment));
    output.warnings(findingsIn(deployment));
  },
});

export const galleryCommands: readonly Command[] = [list, deploy];
