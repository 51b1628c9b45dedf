/**
 * Puts real APIs behind this service and calls them, as their owners would:
 *
 *   npm run real-apis                        all of them
 *   npm run real-apis -- PowerDNS Netdata    some
 *   npm run real-apis -- --record            and writes their descriptions to test/fixtures/descriptions
 *
 * They are installed from Debian (`apt-get`) and npm, the latter into a cache outside of the checkout, and started on
 * loopback with configuration and data in temporary folders. Each one's own description is deployed by the command
 * line; the official client makes ten calls, and each is held against what the API itself says. Everything that was
 * started is stopped. The exit code is 1 if a call was wrong, or an API could not be installed or started.
 */
import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { printTable, type Row } from '../../bench/table.ts';
import { aMachineFor, type TestMachine } from '../support/cli/command-line.ts';
import { startWholeService } from '../support/service/whole-service.ts';
import { alertmanager } from './alertmanager.ts';
import { crowdsec } from './crowdsec.ts';
import { directus } from './directus.ts';
import { etcd } from './etcd.ts';
import { jupyterHub } from './jupyterhub.ts';
import { jupyterServer } from './jupyter-server.ts';
import { loopback } from './loopback.ts';
import { lxd } from './lxd.ts';
import { netdata } from './netdata.ts';
import { orthanc } from './orthanc.ts';
import { bookshop } from './bookshop.ts';
import { powerdns } from './powerdns.ts';
import { signalK } from './signalk.ts';
import { strapi } from './strapi.ts';
import { unleash } from './unleash.ts';
import { emptyFolder, folderIn, type RealApi, type RunningApi } from './real-api.ts';
import { connected, listTokens, madeCalls } from './calls.ts';

const APIS: readonly RealApi[] = [
  directus,
  powerdns,
  alertmanager,
  netdata,
  etcd,
  jupyterServer,
  orthanc,
  jupyterHub,
  lxd,
  strapi,
  unleash,
  bookshop,
  loopback,
  crowdsec,
  signalK,
];

const FIXTURES = join(import.meta.dirname, '../fixtures/descriptions');

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const names = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
const isRecording = process.argv.includes('--record');
const unknown = names.find((name) => !APIS.some((api) => api.name === name));
if (unknown !== undefined) {
  process.stderr.write(`There is no ${unknown}: ${APIS.map(({ name }) => name).join(', ')}.\n`);
  process.exit(2);
}

/** Deploys a description as its owner would, with the command line. @returns the address for clients */
const deployed = async (machine: TestMachine, api: RunningApi): Promise<string> => {
  const files = { ...api.files, [api.description.file]: api.description.text };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(machine.folder, name), text);
  }
  const command = async (args: readonly string[], input?: string): Promise<string> => {
    const said = await machine.run(args, input === undefined ? {} : { input });
    if (said.code === 0) return said.out + said.errors;
    throw new Error(`hosted-mcp ${args.join(' ')} ended with ${said.code}: ${said.errors}`);
  };
  const slug = api.description.file.replace(/\..*/, '');
  const inFolder = (arg: string) => (Object.hasOwn(files, arg) ? join(machine.folder, arg) : arg);
  const args = ['deploy', api.description.file, ...api.deploy].map(inFolder);
  // Merely where the API is: the path of the description stays.
  const choices = ['--slug', slug, '--api-base', api.origin, '--auth', 'none', '--yes'];
  // Without what it says of the deployment: the warnings.
  const [, ...lines] = (await command([...args, ...choices])).split('Publishing ...\n');
  say(lines.join('').trim().replaceAll(/^/gm, '    '));
  for (const { args: how, value } of api.credentials) {
    const secret = value === undefined ? [] : ['--value-stdin'];
    await command(['credential', 'set', slug, ...how.map(inFolder), ...secret, '--yes'], value);
  }
  return slug;
};

const cache = await folderIn(
  process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
  'hosted-mcp-real-apis',
);
const service = await startWholeService({ active_deployments_per_user: 100 });
const machine = await aMachineFor(service.baseUrl);
const rows: Row[] = [];
const faults: string[] = [];
try {
  const owner = await service.person('ada@example.com');
  await machine.run(['login', owner.email, '--password-stdin'], { input: owner.password });
  for (const api of APIS.filter(({ name }) => names.length === 0 || names.includes(name))) {
    say(`${api.name} ...`);
    try {
      await api.install(cache);
      await using folder = await emptyFolder();
      await using running = await api.start(folder.path, cache);
      const { file, text } = running.description;
      if (isRecording) await writeFile(join(FIXTURES, file), text);
      const slug = await deployed(machine, running);
      await using client = await connected(`${service.baseUrl}/mcp-router/${slug}/messages`);
      const made = await madeCalls(client, running.calls);
      rows.push([
        api.name,
        `${made.right} of ${running.calls.length}`,
        await listTokens(client),
        made.tokens,
      ]);
      faults.push(...made.faults.map((fault) => `${api.name} ${fault}`));
    } catch (error) {
      rows.push([api.name, 'none', '', '']);
      faults.push(`${api.name}: ${String(error)}`);
    }
  }
} finally {
  await machine.remove();
  await service.stop();
}
printTable(
  'Real APIs behind this service, by the official client',
  ['calls right', 'tokens of tools/list', 'tokens of ten answers'],
  rows,
  faults,
);
process.exitCode = faults.length === 0 ? 0 : 1;
