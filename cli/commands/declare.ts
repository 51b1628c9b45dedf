import { fstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { command, type Context } from '../command.ts';
import { declaredServer, type DeclaredServer } from '../declared/declared-server.ts';
import { exported } from '../declared/export.ts';
import { managerOf } from '../declared/manager.ts';
import { changesOf, checkReviewed, planFile, type PlannedServers } from '../declared/plan-file.ts';
import { readServersFile, type ServersFile, unusable } from '../declared/servers-file.ts';
import { applyOf, forEach, hasWork, inFile, planOf } from '../declared/service.ts';
import {
  EXIT,
  type ExitCode,
  Failure,
  type Finding,
  findingsOf,
  usageFailure,
} from '../failure.ts';
import { OUT, outputBeside, STANDARD, writeNew, writeOut } from '../files.ts';
import { agree, textFrom } from '../input/ask.ts';
import { confirmExposures, YES } from '../input/opening.ts';
import { watching } from '../input/watching.ts';
import { jsonOf } from '../json.ts';
import { planLines, planMarkdown, type ServerChange } from '../text/plan.ts';
import { count } from '../text/words.ts';

const DEFAULT_FILE = 'servers.yaml';

const FILE_OPTIONS = {
  file: {
    value: 'FILE',
    help: `the declaration; ${DEFAULT_FILE} if omitted, - reads standard input`,
  },
  manager: {
    value: 'NAME',
    help: 'what the declaration is known by; if omitted, its repository and path there',
  },
} as const;

interface Wanted {
  readonly file: string;
  readonly by: string;
  readonly prunes: boolean;
  readonly onFile: (path: string) => void;
}

interface Planned extends PlannedServers {
  readonly file: ServersFile;
}

/** @throws Failure with all faults of all servers */
const planned = async (
  context: Context,
  { file: path, by, prunes, onFile }: Wanted,
): Promise<Planned> => {
  const { api, ask } = context;
  onFile(path);
  const file = readServersFile(path, await textFrom(ask, path));
  const findings: Finding[] = [];
  const declared = await forEach([...file.servers], ([slug, entry]) =>
    declaredServer(entry, { context, file, slug, findings, onFile }),
  );
  if (findings.length > 0) throw unusable(path, findings);
  const asked = await forEach(declared, async (server: DeclaredServer) => {
    try {
      return await planOf(api, server);
    } catch (error) {
      findings.push(...(await inFile(api, error, file, server)));
      return undefined;
    }
  });
  if (findings.length > 0) throw unusable(path, findings);
  const servers = asked.filter((one) => one !== undefined);
  return { by, file, servers, gone: await goneFrom(context, file, by, prunes) };
};

const goneFrom = async (
  { api }: Context,
  { servers }: ServersFile,
  by: string,
  prunes: boolean,
): Promise<Planned['gone']> => {
  const all = await api.list('GET /deployments', {});
  const gone = all.filter(({ slug, managed_by: manager }) => manager === by && !servers.has(slug));
  return forEach(gone, async ({ slug }) => {
    const { body } = await api.present('GET /deployments/{slug}/declaration', { path: { slug } });
    const isProtected = jsonOf(body.declaration).protected === true;
    if (isProtected) return { slug, stays: 'is not in the file any more, and protected: it stays' };
    return prunes ? { slug } : { slug, stays: 'is not in the file any more: --prune removes it' };
  });
};

const showPlan = (
  { output }: Pick<Context, 'output'>,
  plan: Planned,
  value: unknown,
): { readonly differs: boolean } => {
  const changes = changesOf(plan);
  const differing = changes.filter(({ action }) => action !== 'same');
  const sum = `${count(differing.length, 'server')} of ${changes.length} ${differing.length === 1 ? 'differs' : 'differ'} from ${nameOf(plan.file)}.`;
  output.result(value, [
    ...planLines(changes),
    differing.length === 0 ? `All is as ${nameOf(plan.file)} says.` : sum,
  ]);
  output.warnings(warningsOf(plan));
  return { differs: differing.length > 0 };
};

const nameOf = ({ path }: Pick<ServersFile, 'path'>): string =>
  path === STANDARD ? 'standard input' : path;

const warningsOf = ({ servers }: Planned): readonly Finding[] =>
  servers.flatMap(({ server: { slug }, plan }) =>
    findingsOf(plan.warnings).map((one) => ({ ...one, where: `${slug} ${one.where}`.trim() })),
  );

const wantedOf = (given: {
  readonly file: string | undefined;
  readonly manager: string | undefined;
  readonly prune?: boolean;
}): Wanted => {
  const { file = DEFAULT_FILE, manager, prune = false } = given;
  if (file === STANDARD && manager === undefined) {
    throw usageFailure('A declaration on standard input has no path: name it with --manager.');
  }
  return { file, by: manager ?? managerOf(file), prunes: prune, onFile: () => undefined };
};

const plan = command({
  name: 'plan',
  summary: 'Shows what apply would change; ends with 6 if there is something',
  options: {
    ...FILE_OPTIONS,
    prune: { help: 'count servers that are not in the file any more as removed' },
    out: { ...OUT, help: 'writes the plan, for apply --plan; - is standard output' },
    markdown: { help: 'as a comment on a pull request' },
  },
  details: [
    'Also tells what has drifted: what was changed beside the file, differs from it. Texts are compared by their',
    'digests; a secret is never compared, and sent by apply where it is needed.',
  ],
  run: async (context, _, { out, markdown, ...given }) => {
    const made = await planned(context, wantedOf(given));
    const value = planFile(made);
    if (out !== undefined) {
      await writeOut(context.world, out, `${JSON.stringify(value, null, 2)}\n`);
    }
    const output = outputBeside(context.output, out);
    if (markdown) {
      const changes = changesOf(made);
      output.result(value, planMarkdown(nameOf(made.file), changes).split('\n'));
      return changes.some(({ action }) => action !== 'same') ? EXIT.differs : EXIT.ok;
    }
    return showPlan({ output }, made, value).differs ? EXIT.differs : EXIT.ok;
  },
});

const apply = command({
  name: 'apply',
  summary: 'Makes your servers what a file declares',
  options: {
    ...FILE_OPTIONS,
    plan: {
      value: 'FILE',
      help: 'only what this plan of `plan --out` says; - reads standard input',
    },
    prune: { help: 'remove servers that are not in the file any more, unless they are protected' },
    adopt: { help: 'take over servers that are there and that no file manages' },
    'send-secrets': { help: 'send all secrets again, also where nothing else differs' },
    watch: { help: 'apply again whenever the file, or one that it names, is saved' },
    ...YES,
  },
  details: [
    'Servers that a file declares are changed by it alone from then on. What the file does not say is as for a',
    'new server. One server is changed as a whole; where it breaks off, apply again does the rest.',
  ],
  run: async (
    context,
    _,
    { plan: reviewed, adopt, 'send-secrets': secrets, watch, yes, ...given },
  ) => {
    const wanted = wantedOf(given);
    const terms = { adopts: adopt, secrets, yes };
    if (!watch) return applied(context, { ...wanted, reviewed }, terms);
    if (context.output.isJson)
      throw usageFailure('--watch never ends by itself, so it has no --json.');
    if (reviewed !== undefined) throw usageFailure('A plan is applied once: --watch takes none.');
    if (wanted.file === STANDARD)
      throw usageFailure('Standard input is never saved: --watch needs a file.');
    return watched(context, wanted, terms);
  },
});

interface Terms {
  readonly adopts: boolean;
  readonly secrets: boolean;
  readonly yes: boolean;
}

const applied = async (
  context: Context,
  wanted: Wanted & { readonly reviewed?: string | undefined },
  { adopts, secrets, yes }: Terms,
): Promise<ExitCode> => {
  const { api, ask, output } = context;
  const made = await planned(context, wanted);
  if (wanted.reviewed !== undefined) await checkReviewed(ask, wanted.reviewed, made);
  const changes = changesOf(made);
  const removed = made.gone.filter(({ stays }) => stays === undefined);
  const work = made.servers.filter((one) => secrets || hasWork(one, made.by));
  if (work.length === 0 && removed.length === 0) {
    showPlan(context, made, { applied: [], removed: [] });
    return EXIT.ok;
  }
  output.note(planLines(changes).join('\n'));
  checkManagers(changes, made);
  if (!adopts) checkAdoptions(changes, made);
  await confirmExposures(
    ask,
    work.flatMap(({ plan: { exposures } }) => findingsOf(exposures)),
    yes,
  );
  if (!yes && wanted.reviewed === undefined) {
    await agree(ask, `change ${count(work.length + removed.length, 'server')}`);
  }

  const failures: Finding[] = [];
  const done = await forEach(work, async (one) => {
    const { slug } = one.server;
    try {
      const answer = await applyOf(api, one, { by: made.by, adopts, secrets });
      return { ...answer, slug };
    } catch (error) {
      failures.push(...(await inFile(api, error, made.file, one.server)));
      return undefined;
    }
  });
  const answers = done.filter((one) => one !== undefined);
  if (failures.length === 0) {
    for (const { slug } of removed) {
      const query = { managed_by: made.by };
      await api.call('DELETE /deployments/{slug}', { path: { slug }, query });
    }
  }
  const lines = answers.map(
    ({ slug, version, mcp_url: url }) => `${slug} is at version ${version}: ${url}`,
  );
  const gone = failures.length === 0 ? removed.map(({ slug }) => slug) : [];
  const outcome = { applied: answers, removed: gone };
  const shown = [...lines, ...gone.map((slug) => `${slug} is removed.`)];
  if (failures.length === 0) output.result(outcome, shown);
  else output.part(shown);
  output.warnings(
    answers.flatMap(({ slug, warnings }) =>
      findingsOf(warnings).map((one) => ({ ...one, where: `${slug} ${one.where}`.trim() })),
    ),
  );
  if (failures.length === 0) return EXIT.ok;
  throw new Failure(
    EXIT.refused,
    'not_applied',
    `${count(work.length - answers.length, 'server')} could not be made what ${nameOf(made.file)} says${removed.length > 0 ? ', and none is removed' : ''}.`,
    {
      findings: failures,
      hint: 'Apply again once that is mended: it does what is left.',
      done: outcome,
    },
  );
};

/** @throws Failure before anything is changed, where another declaration manages servers */
const checkManagers = (changes: readonly ServerChange[], { file }: Pick<Planned, 'file'>): void => {
  const others = changes.filter(({ action }) => action === 'managed');
  if (others.length === 0) return;
  const of = others.map(({ slug, plan }) => `${slug} is managed by ${plan?.managed_by}.`);
  throw new Failure(EXIT.refused, 'managed', `${of.join(' ')} Nothing is changed.`, {
    hint: `Take it out of ${nameOf(file)}, or let it go from there: npx --no-install hosted-mcp release ${others[0]?.slug}`,
  });
};

/** @throws Failure before anything is changed, where servers exist that no file manages */
const checkAdoptions = (
  changes: readonly ServerChange[],
  { file, by }: Pick<Planned, 'file' | 'by'>,
): void => {
  const slugs = changes.filter(({ action }) => action === 'adopt').map(({ slug }) => slug);
  if (slugs.length === 0) return;
  const [exist, them] = slugs.length === 1 ? ['exists', 'it'] : ['exist', 'them'];
  const manager = file.path === STANDARD ? ` --manager ${by}` : '';
  throw new Failure(
    EXIT.refused,
    'managed',
    `${slugs.join(', ')} ${exist}, and no file manages ${them}. Nothing is changed.`,
    {
      hint: `Adopting removes what ${nameOf(file)} does not say. To adopt ${them}: npx --no-install hosted-mcp apply --file ${file.path}${manager} --adopt`,
    },
  );
};

const watched = async (context: Context, wanted: Wanted, terms: Terms): Promise<ExitCode> => {
  const { output, world } = context;
  const ended = world.interrupted?.() ?? new AbortController().signal;
  while (!ended.aborted) {
    const files = watching();
    await applied(context, { ...wanted, onFile: files.add }, terms).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      output.failure(error);
      output.note('What was there stays.');
    });
    output.note(`Watching ${count(files.size(), 'file')}; Ctrl-C ends it.`);
    await files.saved(ended);
  }
  return EXIT.ok;
};

const exportCommand = command({
  name: 'export',
  summary: 'Writes a file that declares servers as they are',
  places: ['slug?'],
  options: {
    out: {
      ...OUT,
      help: `where to; ${DEFAULT_FILE} if omitted, - prints the declaration and writes no file`,
    },
  },
  details: [
    'Without a slug: all of yours. Descriptions, documents and templates are written beside it, below a folder of the',
    'name of each server. Secrets are not read: they stay (`keep: true`). Nothing that is there is overwritten.',
  ],
  run: async ({ api, output, world }, { slug }, { out = DEFAULT_FILE }) => {
    const slugs =
      slug === undefined ? (await api.list('GET /deployments', {})).map((one) => one.slug) : [slug];
    if (slugs.length === 0) throw new Failure(EXIT.notFound, 'not_found', 'You have no servers.');
    const files = await exported(api, slugs, out);
    const declaration = files.get(out) ?? '';
    const others = new Map([...files].filter(([path]) => path !== out));
    if (out === STANDARD) {
      await writeOut(world, out, declaration);
      const left = [...others.keys()].join(', ');
      if (left !== '') output.note(`Not written: ${left}. --out FILE writes them.`);
      return;
    }
    const isRedirected = isStandardOutput(world, out);
    await writeNew(isRedirected ? others : files);
    if (isRedirected) await writeOut(world, STANDARD, declaration);
    const names = [...files.keys()];
    outputBeside(output, isRedirected ? STANDARD : out).result({ files: names }, [
      `${count(slugs.length, 'server')}, ${count(names.length, 'file')}: ${names.join(', ')}`,
    ]);
    const file = join(out);
    output.note(
      `Next: npx --no-install hosted-mcp plan --file ${file}, and apply --file ${file} --adopt has this file manage them.`,
    );
  },
});

/** Whether the shell has just created this file for standard output, as `export > servers.yaml` does. */
const isStandardOutput = ({ stdout }: Context['world'], path: string): boolean => {
  const { fd } = stdout as { readonly fd?: unknown };
  const there = statSync(path, { throwIfNoEntry: false });
  if (typeof fd !== 'number' || !there) return false;
  const { dev, ino, size } = fstatSync(fd);
  return size === 0 && dev === there.dev && ino === there.ino;
};

const validate = command({
  name: 'validate',
  summary: 'Checks a file that declares servers, and changes nothing',
  options: FILE_OPTIONS,
  details: [
    'The service reads it as apply would have it read; faults come with file, line and column.',
  ],
  run: async (context, _, given) => {
    const { file, servers } = await planned(context, wantedOf(given));
    context.output.result({ valid: true }, [
      `${nameOf(file)} declares ${count(servers.length, 'server')}, and can be applied.`,
    ]);
  },
});

const release = command({
  name: 'release',
  summary: 'Lets a server go from the file that declares it; it stays as it is',
  places: ['slug'],
  run: async ({ api, output }, { slug }) => {
    const { body } = await api.present('GET /deployments/{slug}', { path: { slug } });
    if (body.managed_by === undefined) {
      throw new Failure(EXIT.refused, 'not_managed', `${slug} is not managed by a file.`, {
        hint: 'Nothing has to be done: you change it yourself.',
      });
    }
    await api.call('DELETE /deployments/{slug}/manager', { path: { slug } });
    output.result({ released: true }, [`${slug} is no longer managed by a file.`]);
  },
});

export const declareCommands = [plan, apply, exportCommand, validate, release];
