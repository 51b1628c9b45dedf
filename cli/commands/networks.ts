import { type Command, command } from '../command.ts';

const list = command({
  name: 'networks',
  summary: 'Lists the private networks that your servers may be in',
  run: async ({ api, output }) => {
    const { items } = await api.call('GET /networks');
    output.rows(
      items,
      {
        name: 'name',
        hosts: (one) => one.hosts.join(', '),
        http: (one) => (one.http ? 'yes' : ''),
      },
      'There is none: the operator of the service can name some in its configuration.',
    );
  },
});

export const networkCommands: readonly Command[] = [list];
