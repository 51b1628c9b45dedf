import { operating } from '../admin/operate.ts';
import { targetOf } from '../admin/target.ts';
import { readBaseUrl } from '../api/base-url.ts';
import { command } from '../command.ts';
import { type Ask, secretFrom } from '../input/ask.ts';
import {
  failed,
  judged,
  ok,
  skipped,
  type Step,
  stepLines,
  unreachable,
  warning,
} from '../doctor/step.ts';
import { statusFault, type Visit, visiting } from '../doctor/visit.ts';
import { EXIT, Failure, usageFailure } from '../failure.ts';
import { count } from '../text/words.ts';
import type { World } from '../world.ts';
import { ownerSteps } from './owner-steps.ts';
import { type ServiceAddresses, serviceAddresses, serviceSteps } from './service-steps.ts';

const DEFAULT_TARGET = 'https://example.com/';

export const smokeCommand = command({
  name: 'smoke',
  summary: 'Tries a whole service after a deployment, and says what is wrong and how to mend it',
  places: ['url'],
  options: {
    email: {
      value: 'EMAIL',
      help: 'of an account: then it also uploads, signs in and calls a tool',
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
      print([unreachable(error, 'reach')]);
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

const MAIL = 'mail';
const LINK = 'link of the mail';

const UNSEEN = {
  cause: 'Nobody but the reader of the mailbox can tell.',
  hint:
    'Check the mailbox, spam included. Nothing there? On AWS: the queue UnsentMails and the log of the ' +
    'function mails say why (identity not verified, account in the sandbox); locally: .local/outbox/.',
} as const;

/** Requests the mail for a forgotten password, which changes nothing while its link is only opened. */
const mailSteps = async (
  visit: Visit,
  ask: Ask,
  { base, management }: ServiceAddresses,
  email: string,
): Promise<readonly Step[]> => {
  const answer = await visit.postJson(`${management}/accounts/password-reset`, { email });
  const asked = judged(MAIL, statusFault(answer, [202]), `asked for one to ${email}`);
  if (asked.outcome === 'failed') return [asked];
  if (!ask.isPossible) {
    return [
      asked,
      warning(LINK, { what: 'not seen: this is no terminal to type it at', ...UNSEEN }),
    ];
  }
  const link = (await ask.line('The link in the mail (empty: there is none)')).trim();
  if (link === '') return [asked, failed(LINK, { what: 'no mail came', ...UNSEEN })];
  if (!link.startsWith(`${base}/`) || !URL.canParse(link)) {
    return [
      asked,
      failed(LINK, {
        what: `the link does not begin with ${base}`,
        cause: 'The service was set up with another base URL, or a mail filter rewrites links.',
        hint: 'Set domain in config/<stage>.json; exempt the sender from rewriting.',
      }),
    ];
  }
  // Opening the link changes nothing: mail scanners do it, too.
  const page = await visit.get(link, { accept: 'text/html' });
  return [asked, judged(LINK, statusFault(page, [200]), 'opens the page of a new password')];
};

/** Removes an OAuth client as an operator. The target is looked up only then, at the end of a run. */
const clientEnder =
  (world: Pick<World, 'environment' | 'fetch'>, stage: string) =>
  async (clientId: string): Promise<unknown> => {
    const operate = await operating(world, await targetOf(world, { stage }));
    return operate('end-client', { clientId });
  };
