import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { announcement } from '../local/run/announcement.ts';
import { bundlesIn } from '../local/run/bundles.ts';
import { consoleLink } from '../local/run/console-link.ts';
import { openDataFolder } from '../local/run/data-folder.ts';
import { openDemoIdp } from '../local/run/demo-idp.ts';
import { applyIdentityProviders } from '../local/run/identity-providers.ts';
import { declareServers } from '../local/run/declare.ts';
import { HELP } from '../local/run/help.ts';
import { readOptions } from '../local/run/options.ts';
import { provisionOwner, signInOwner } from '../local/run/owner.ts';
import { prepareSource, publishPrepared } from '../local/run/prepare-source.ts';
import { readSource } from '../local/run/publish.ts';
import { openSample } from '../local/run/sample.ts';
import { startSchedules } from '../local/run/schedules.ts';
import { startService } from '../local/run/service.ts';
import { StartRefused } from '../local/run/start-refused.ts';

/** `npm start`: the whole service on this machine, until a signal ends it. */
const main = async (): Promise<void> => {
  const checkout = join(import.meta.dirname, '..');
  const options = readOptions(process.argv.slice(2), process.env, checkout);
  if (options.help) return void process.stdout.write(HELP);

  const {
    help: _,
    publication,
    declaration,
    identityProviders,
    demoIdp,
    dataFolder,
    ...settings
  } = options;
  const prepared = publication && (await prepareSource(publication, await readSource(publication)));
  if (prepared && prepared.bundled.length > 0) {
    console.error(`Bundled into one: ${prepared.bundled.join(', ')}`);
  }
  const folder = await openDataFolder(dataFolder);
  process.once('exit', folder.release);

  // Lifts the launcher's limit for this thread, which V8 would prefer to the limits of the functions' threads.
  setFlagsFromString('--max-semi-space-size=0');
  console.error('Starting the service ...');
  // Tests alone set HOSTED_MCP_BUNDLES: a start with ready bundles costs half, but does not try the sources.
  const bundles = process.env['HOSTED_MCP_BUNDLES'];
  const service = await startService({
    ...settings,
    dataFolder: folder.path,
    ...(bundles !== undefined && { bundles: bundlesIn(bundles) }),
  });
  ending = service.close;

  const idp = demoIdp ? await openDemoIdp(service, folder.path) : undefined;
  ending = async () => void (await Promise.all([service.close(), idp?.close()]));
  await applyIdentityProviders(service, identityProviders, folder.path, idp);
  console.error('Publishing ...');
  const ownerId = await provisionOwner(service, folder.owner);
  const wanted =
    publication && prepared && (await publishPrepared(service, ownerId, publication, prepared));
  const { baseUrl, sampleApiUrl } = service;
  const api = await signInOwner(baseUrl, folder.owner);
  const sample = api && (await openSample(api, folder.path, sampleApiUrl).catch(unlessRefused));
  process.stdout.write(
    announcement({
      baseUrl,
      dataFolder: folder.path,
      owner: folder.owner,
      consoleLink: api && (await consoleLink(api)),
      sampleApiUrl,
      sample,
      demoIssuer: idp?.issuer,
      wanted,
    }),
  );
  if (declaration !== undefined) {
    void declareServers(baseUrl, folder.owner, declaration).catch(printError);
  }
  startSchedules(service, (what) => ended || console.error(`Not done: ${what}`));
};

const printError = (error: unknown): void => {
  if (!ended) console.error(error instanceof StartRefused ? error.message : error);
};

/** Limits may refuse the sample; the service runs all the same. */
const unlessRefused = (error: unknown): undefined => {
  if (!(error instanceof StartRefused)) throw error;
  console.error(error.message);
};

let ending: () => Promise<void> = () => Promise.resolve();
let ended = false;

/** A second Ctrl-C changes nothing: the first never takes long. */
const end = async (exitCode: number): Promise<void> => {
  if (ended) return;
  ended = true;
  await ending();
  process.exit(exitCode);
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void end(0));
// Without the launcher nobody is left to end this process.
process.on('disconnect', () => void end(0));
process.channel?.unref();

main().catch((error: unknown) => {
  printError(error);
  return end(1);
});
