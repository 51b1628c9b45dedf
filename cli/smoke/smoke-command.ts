import { operating } from '../admin/operate.ts';
import { targetOf } from '../admin/target.ts';
import { readBaseUrl } from '../api/base-url.ts';
import { type Command, command } from '../command.ts';
import { secretFrom } from '../input/ask.ts';
import { failed, ok, skipped, type Step, stepLines } from '../doctor/step.ts';
import { visiting } from '../doctor/visit.ts';
import { EXIT, Failure, usageFailure } from '../failure.ts';
import { count } from '../text/words.ts';
import type { World } from '../world.ts';
import { mailSteps } from './mail-steps.ts';
import { ownerSteps } from './owner-steps.ts';
import { serviceAddresses, serviceSteps } from './service-steps.ts';

const DEFAULT_TARGET = 'https://example.com/';

const smoke = command({
  name: 'smoke',
  summary: 'Tries a whole service after a deployment, and says what is wrong and how to mend it',
  places: ['url'],
  options: {
    email: {
      value: 'EMAIL',
      help: 'of an account: then it also uploads, logs in and calls a tool',
    },
    'password-stdin': { help: 'read its password from standard input' },
    target: {
      value: 'URL',
      help: `the page that its one tool reads; ${DEFAULT_TARGET} if omitted`,
    },
    'no-mail': { help: 'ask for no mail' },
    stage: {
      value: 'NAME',
      help: 'of the stack on AWS: then an operator removes the OAuth client, too',
    },
  },
  details: [
    'The URL is the output BaseUrl of the stack. What it makes it removes; without --stage one OAuth client ends',
    'only when nobody has used it for a while. Without --email it tries what works without an account.',
  ],
  run: async ({ ask, output, world }, { url }, given) => {
    const {
      email,
      target = DEFAULT_TARGET,
      'password-stdin': fromInput,
      'no-mail': noMail,
      stage,
    } = given;
    const addresses = serviceAddresses(readBaseUrl(url));
    const page = URL.canParse(target) ? new URL(target) : undefined;
    if (!page || !/^https?:$/.test(page.protocol)) {
      throw usageFailure(`--target must be an http or https URL, not "${target}".`);
    }
    if (email === undefined && fromInput) throw usageFailure('--password-stdin needs --email.');
    const password =
      email && (await secretFrom(ask, fromInput, '--password-stdin', `Password of ${email}`));

    const steps: Step[] = [];
    const print = (found: readonly Step[]) => {
      steps.push(...found);
      for (const step of found) output.part(stepLines(step, output));
    };
    const visit = visiting(world);
    try {
      print(await serviceSteps(visit, addresses));
      print([ok('reach', `${addresses.base} answered all requests`)]);
      if (email !== undefined && password !== undefined && password !== '') {
        if (!noMail) print(await mailSteps(visit, ask, addresses, email));
        const person = { email, password };
        await ownerSteps({
          world,
          visit,
          addresses,
          person,
          target: page,
          endClient: stage === undefined ? undefined : clientEnder(world, stage),
          print,
          note: output.note,
        });
      } else {
        print([skipped('owner', 'upload, login and tool call need an account: --email EMAIL')]);
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const { message, details } = error;
      print([
        failed('reach', {
          what: message.replace(/\.$/, ''),
          cause: 'No connection, or none that holds.',
          hint: details.hint ?? 'Try again.',
        }),
      ]);
    }
    const faults = steps.filter(({ outcome }) => outcome === 'failed');
    const verdict =
      faults.length === 0
        ? 'The service does all that was tried.'
        : `${count(faults.length, 'fault')}: ${faults.map(({ step }) => step).join(', ')}.`;
    output.result({ url: addresses.base, ok: faults.length === 0, steps }, ['', verdict]);
    return faults.length === 0 ? EXIT.ok : EXIT.refused;
  },
});

/** Asks for the stack when it is needed, so that a run does not begin with what belongs to its end. */
const clientEnder =
  (world: Pick<World, 'environment' | 'fetch'>, stage: string) =>
  async (clientId: string): Promise<unknown> => {
    const operate = await operating(world, await targetOf(world, { stage }));
    return operate('end-client', { clientId });
  };

export const smokeCommands: readonly Command[] = [smoke];
