import { EXIT, type ExitCode, Failure } from '../failure.ts';
import { type Json, stringOf, textsOf } from '../json.ts';
import { type Addresses, serverFormsOf } from './addresses.ts';
import {
  challengeFault,
  discoveryFault,
  keysFault,
  type Mode,
  modeOf,
  offeredFault,
  resourceFault,
  serverFault,
} from './metadata.ts';
import { register, tryRegistration } from './registration.ts';
import { INITIALIZE, preflightStep, servedIn, sessionSteps, versionsStep } from './session.ts';
import { judged, ok, skipped, type Step, unreachable } from './step.ts';
import type { OwnToken } from './own-server.ts';
import type { Visit } from './visit.ts';

export interface Wishes {
  readonly register: boolean;
  /** Access token for steps that need one. */
  readonly token: string | undefined;
  /** Gets a token, once the server has answered, if none is given. */
  readonly signIn?: () => Promise<Pick<OwnToken, 'steps' | 'token'>>;
}

export interface Examination {
  readonly steps: readonly Step[];
  readonly exitCode: ExitCode;
}

export const examine = async (
  visit: Visit,
  addresses: Addresses,
  wishes: Wishes,
  onStep: (step: Step) => void,
): Promise<Examination> => {
  const steps: Step[] = [];
  const add = (...found: readonly Step[]) => {
    for (const step of found) {
      steps.push(step);
      onStep(step);
    }
  };
  try {
    const document = await visit.get(addresses.discovery);
    add(ok('reach', `${addresses.origin} answers`));
    const mode = modeOf(document);
    const fault = discoveryFault(document, addresses);
    add(judged('discovery', fault, `the server is there, mode ${mode ?? ''}`));
    if (!mode) return { steps, exitCode: document.status === 404 ? EXIT.notFound : EXIT.refused };

    add(await challengeStep(visit, addresses, mode));
    add(...(await loginSteps(visit, addresses, mode, wishes)));
    add(await preflightStep(visit, addresses));
    const served = servedIn(document);
    const own = await wishes.signIn?.();
    add(...(own?.steps ?? []));
    const token = wishes.token ?? own?.token;
    add(...(await sessionSteps(visit, addresses, mode, token, served)));
    add(versionsStep(served));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    add(unreachable(error, steps.length === 0 ? 'reach' : 'going on'));
    return { steps, exitCode: error.exitCode };
  }
  const isWell = steps.every(({ outcome }) => outcome !== 'failed');
  return { steps, exitCode: isWell ? EXIT.ok : EXIT.refused };
};

const challengeStep = async (visit: Visit, addresses: Addresses, mode: Mode): Promise<Step> => {
  const answer = await visit.rpc(addresses.messages, INITIALIZE);
  const good = mode === 'none' ? 'none: everybody is let in' : 'a request without a token: 401';
  return judged('challenge', challengeFault(answer, mode, addresses), good);
};

/** Checks what a client needs to log in, at every URL where clients look for it. */
const loginSteps = async (
  visit: Visit,
  { resourceForms, serverForms, messages }: Addresses,
  mode: Mode,
  wishes: Wishes,
): Promise<readonly Step[]> => {
  const steps: Step[] = [];
  let issuer: string | undefined;
  for (const form of resourceForms) {
    const answer = await visit.get(form.url);
    const fault = mode === 'oauth' ? resourceFault(answer, form) : offeredFault(answer);
    const good = mode === 'oauth' ? `names ${form.about}` : '404, as it must be without a login';
    steps.push(judged(`resource metadata ${form.name}`, fault, good));
    issuer ??= textsOf(answer.json?.authorization_servers).find((url) => URL.canParse(url));
  }
  if (mode !== 'oauth') return steps;
  if (issuer === undefined) {
    return [...steps, skipped('server metadata', 'no authorization server is known')];
  }

  let server: Json | undefined;
  for (const form of [...serverFormsOf(issuer), ...serverForms]) {
    const answer = await visit.get(form.url);
    const fault = serverFault(answer, issuer);
    steps.push(judged(`server metadata ${form.name}`, fault, `issuer ${issuer}`));
    if (!fault) server ??= answer.json;
  }
  if (!server) return [...steps, skipped('registration', 'no usable metadata')];

  const keys = await visit.get(stringOf(server.jwks_uri));
  steps.push(judged('signing keys', keysFault(keys), 'there are keys'));
  const registered = wishes.register
    ? await register(visit, server, messages)
    : [await tryRegistration(visit, stringOf(server.registration_endpoint))];
  return [...steps, ...registered];
};
