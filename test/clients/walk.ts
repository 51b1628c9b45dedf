/** Starts the service, has each of the named clients connect to it, and prints what came of it. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { authorize } from '../support/oauth/form-browser.ts';
import {
  type Person,
  startWholeService,
  type WholeService,
} from '../support/service/whole-service.ts';
import { environmentOf } from './environment.ts';
import { fileOf } from './install.ts';
import { CLIENTS } from './list.ts';
import { runProgram } from './program.ts';
import type { RealClient, Visit } from './real-client.ts';
import { printTable } from '../../bench/table.ts';

const [folder = '', ...ids] = process.argv.slice(2);

/** One client at one deployment. */
interface Outcome {
  readonly slug: string;
  /** Undefined if it does not do this without a model. */
  readonly said: string | undefined;
  readonly fault?: string;
}

const visitOf = async (
  service: WholeService,
  person: Person,
  client: RealClient,
  url: string,
): Promise<Visit> => {
  const home = await mkdtemp(join(folder, 'home-'));
  const environment = environmentOf(home);
  const settings = { env: environment, cwd: home };
  const path = (file: string) => fileOf(folder, client.package ?? '', file);
  const signIn = (address: string) => authorize(service.browser(), address, person);
  const entry = `${service.issuer}/authorize?`;
  return {
    url,
    home,
    environment,
    issuer: service.issuer,
    path,
    signIn,
    run: async (file, ...args) => runProgram([await path(file), ...args], settings),
    runWithLogin: async (file, ...args) => {
      let isSent = false;
      const onText = async (text: string) => {
        const from = text.indexOf(entry);
        const [address = ''] = from < 0 ? [] : (/^\S+(?=\s)/.exec(text.slice(from)) ?? []);
        if (isSent || address === '') return undefined;
        isSent = true;
        const back = await signIn(address);
        // Most listen for it; those that do not take it from a person.
        await fetch(back).catch(() => undefined);
        return `${back.href}\n`;
      };
      return runProgram([await path(file), ...args], { ...settings, onText });
    },
  };
};

const outcomeOf = async (
  service: WholeService,
  person: Person,
  client: RealClient,
  authMethod: 'none' | 'oauth',
): Promise<Outcome> => {
  const act = authMethod === 'none' ? client.open : client.login;
  if (!act) return { slug: '', said: undefined };
  const { slug, messagesUrl } = await service.publish(person, { authMethod });
  try {
    const said = await act(await visitOf(service, person, client, messagesUrl));
    return { slug, said };
  } catch (error) {
    return { slug, said: '', fault: error instanceof Error ? error.message : String(error) };
  }
};

/** What the service has logged of a deployment: versions that were spoken, and methods that were answered. */
const loggedOf = async ({ dataFolder }: WholeService): Promise<ReadonlyMap<string, Logged>> => {
  const logs = join(dataFolder, 'logs');
  const names = (await readdir(logs)).filter((name) => name.startsWith('router-'));
  const texts = await Promise.all(names.map((name) => readFile(join(logs, name), 'utf8')));
  const bySlug = new Map<string, Logged>();
  for (const line of texts.join('').split('\n')) {
    const { slug, rpc = [] } = line === '' ? {} : (JSON.parse(line) as LogLine);
    if (slug === undefined) continue;
    const logged = bySlug.get(slug) ?? { versions: new Set(), methods: new Set() };
    bySlug.set(slug, logged);
    for (const { method, outcome, version } of rpc) {
      if (outcome === 'ok' && version !== undefined) logged.versions.add(version);
      if (outcome === 'ok' && version !== undefined) logged.methods.add(method);
    }
  }
  return bySlug;
};

interface Logged {
  readonly versions: Set<string>;
  readonly methods: Set<string>;
}

interface LogLine {
  readonly slug?: string;
  readonly rpc?: readonly { method: string; outcome: string; version?: string }[];
}

const shown = ({ said, fault }: Outcome): string =>
  fault !== undefined ? 'NO' : (said ?? 'not without a model');

const service = await startWholeService();
try {
  const person = await service.person();
  const walked: [RealClient, Outcome, Outcome][] = [];
  for (const client of CLIENTS.filter(({ id }) => ids.includes(id))) {
    process.stdout.write(`${client.name} ...\n`);
    const open = await outcomeOf(service, person, client, 'none');
    walked.push([client, open, await outcomeOf(service, person, client, 'oauth')]);
  }
  // Lines of the log come a moment after the answers.
  await setTimeout(1000);
  const logged = await loggedOf(service);
  const versionOf = (packageName: string | undefined) => packageName?.split('@').at(-1) ?? '';
  printTable(
    'Real clients',
    ['version', 'public', 'login', 'spoke', 'asked for'],
    walked.map(([{ name, package: packageName }, open, login]) => {
      const { versions = [], methods = [] } = logged.get(open.slug) ?? {};
      const asked = [...methods].filter((method) => !method.startsWith('notification'));
      const cells = [shown(open), shown(login), [...versions].join(', '), asked.join(', ')];
      return [name, versionOf(packageName), ...cells];
    }),
    walked.flatMap(([{ name }, ...outcomes]) =>
      outcomes.flatMap(({ fault }) => (fault === undefined ? [] : [`${name}: ${fault}`])),
    ),
  );
  const failed = walked.some(([, ...outcomes]) =>
    outcomes.some(({ fault }) => fault !== undefined),
  );
  process.exitCode = failed ? 1 : 0;
} finally {
  await service.stop();
  for (const name of await readdir(folder)) {
    if (name.startsWith('home-')) await rm(join(folder, name), { recursive: true, force: true });
  }
}
