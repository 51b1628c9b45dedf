import { mayUse } from '../../../deployments/rules/access/access-policy.ts';
import { beginning } from '../../../accounts/rules/signed-out.ts';
import type { User } from '../../../accounts/rules/user.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import { authorizationServer } from '../../../platform/rules/addresses.ts';
import {
  isRecording,
  type Recording,
  recordsCallsOf,
} from '../../../deployments/rules/recording.ts';
import { type Fingerprint, fingerprint } from '../../../platform/rules/fingerprint.ts';
import { codeOfDecision } from '../../rules/tokens/tokens.ts';
import { authorizationResponse } from '../../../platform/http/authorization-response.ts';
import type { AuthorizationRequest, Decision } from '../../../tokens/rules/oauth-records.ts';
import { clientInWords } from '../../rules/authorization/consent-display.ts';
import { type Choice, readChoice } from '../../rules/authorization/choice.ts';
import type { EpochSeconds } from '../../../platform/rules/time.ts';
import type { LimitsSettings } from '../../../limits/ports.ts';
import type { OauthPorts } from '../../ports.ts';
import type { PlatformPorts, PlatformSettings, PortsOf } from '../../../platform/ports.ts';
import type { FoundRequest } from '../../store/authorization-requests.ts';
import type { Write } from '../../../platform/dynamodb/writes.ts';
import { endedTicket, findAnswerable } from './find-authorization.ts';
import { findLoginDeployment } from './find-login-deployment.ts';

export type DecidePorts = PortsOf<typeof findAnswerable> &
  Pick<OauthPorts, 'codes' | 'deployments' | 'events' | 'random' | 'transactions'> & {
    readonly settings: PlatformSettings & LimitsSettings;
  };

export interface Answerable {
  readonly ticket: string;
  readonly found: FoundRequest;
  readonly user: User;
  readonly session: Fingerprint;
  /** When the account was read. */
  readonly asOf: EpochSeconds;
  /** When the user signed in; 0 if unknown. */
  readonly signedInAt: EpochSeconds;
}

export type Approval =
  | { readonly outcome: 'approved'; readonly location: string; readonly slug: string }
  /** Nothing was stored: the page asks again. */
  | { readonly outcome: ChoiceFault }
  | { readonly outcome: 'recorded'; readonly recording: Recording };

export type ChoiceFault = Extract<Choice, { readonly fault: unknown }>['fault'] | 'not_open';

/**
 * Gives the client an authorization code for one deployment. An unknown deployment and one that the user may not use
 * get the same answer. The same browser may repeat the answer for a minute and gets the same redirect, until the code
 * is exchanged: so a double click works.
 * @param chosen - choice of a deployment, where the client named none
 * @param toldOf - name of the recording that the page announced
 * @returns the address to send the browser to
 * @throws PageRefusal ended_ticket for all but the first answer and its repetition
 * Source: OAuth 2.1 §4.1.2; docs/decisions/oauth.md, "One resource, three names", "Authorization requests";
 * docs/decisions/accounts.md, "Who may use a deployment".
 */
export const approve = async (
  ports: DecidePorts,
  answerable: Answerable,
  chosen: { readonly listed: string; readonly typed: string },
  toldOf: string,
): Promise<Approval> => {
  const { clock, codes, events, random, settings } = ports;
  const { ticket, found, user } = answerable;
  const { request } = found;
  const choice: Choice =
    request.slug === undefined
      ? readChoice(settings.baseUrl, chosen.listed, chosen.typed)
      : { slug: request.slug };
  if ('fault' in choice) return { outcome: choice.fault };
  const approved = ({ seed, slug = '' }: Decision): Approval => {
    const code = codeOfDecision(ticket, seed);
    return { outcome: 'approved', location: backTo(settings.baseUrl, request, { code }), slug };
  };
  if (found.isAnswered) {
    return approved(await repeated(ports, answerable, 'approve', choice.slug));
  }

  const opens = (one: Deployment) => mayUse(one, { userId: user.id, email: user.email });
  // Bypasses the cache: the user must learn of a recording that has just begun.
  const deployment = await findLoginDeployment(ports, choice.slug, () => false);
  if (!deployment || !opens(deployment)) {
    return { outcome: 'not_open' };
  }

  const now = clock.now();
  const { recording } = deployment;
  if (isRecording(recording, now) && toldOf !== recordingName(recording)) {
    if (recordsCallsOf(recording, user.id, user.email)) return { outcome: 'recorded', recording };
  }

  const { slug, id: deploymentId } = deployment;
  const decision = decisionOf(ports, answerable, 'approve', slug);
  const code = codes.storing(fingerprint(codeOfDecision(ticket, decision.seed)), {
    grant: {
      id: random.id(),
      userId: user.id,
      email: user.email,
      plan: user.plan,
      clientId: request.clientId,
      clientName: request.clientName,
      ...(request.clientAuthMethod && { clientAuthMethod: request.clientAuthMethod }),
      deploymentId,
      slug,
      scopes: request.scopes,
      ...(request.withoutRefresh && { withoutRefresh: request.withoutRefresh }),
      ...(request.offlineAccess && { offlineAccess: request.offlineAccess }),
      createdAt: beginning(user, answerable.asOf),
    },
    redirectUri: request.redirectUri,
    codeChallenge: request.codeChallenge,
    ...(request.nonce !== undefined && { nonce: request.nonce }),
    // Identity providers may omit when the user signed in.
    ...(answerable.signedInAt > 0 && { authTime: answerable.signedInAt }),
    expiresAt: now + settings.limits.authorization_code_seconds,
  });
  const held = await answer(ports, answerable, decision, { code });
  if (held === decision) {
    const why = clientInWords(request);
    const event = 'access_granted';
    events.record({ type: 'security', event, deploymentId, slug, subject: user.id, why });
  }
  return approved(held);
};

/** Identifies a recording in the form of the consent page. */
export const recordingName = ({ since }: Recording): string => String(since);

/**
 * Sends the user's denial to the client; it may be repeated as an approval may.
 * @returns the address to send the browser to
 * @throws PageRefusal ended_ticket for all but the first answer and its repetition. Source: RFC 6749 §4.1.2.1.
 */
export const deny = async (ports: DecidePorts, answerable: Answerable): Promise<string> => {
  const { found, user } = answerable;
  const { request } = found;
  const decision = decisionOf(ports, answerable, 'deny');
  const held = found.isAnswered
    ? await repeated(ports, answerable, 'deny')
    : await answer(ports, answerable, decision);
  if (held === decision) {
    const why = clientInWords(request);
    ports.events.record({ type: 'security', event: 'access_denied', subject: user.id, why });
  }
  return backTo(ports.settings.baseUrl, request, {
    error: 'access_denied',
    error_description: 'The user denied the request.',
  });
};

const decisionOf = (
  { clock, random }: Pick<PlatformPorts, 'clock' | 'random'>,
  { session }: Answerable,
  decision: Decision['decision'],
  slug?: string,
): Decision => ({
  decision,
  ...(slug !== undefined && { slug }),
  session,
  decidedAt: clock.now(),
  seed: random.secret(),
});

/**
 * Stores an answer and its code in one transaction, so that one of two tabs wins.
 * @returns the decision that holds: this one, or the earlier one that it repeats
 */
const answer = async (
  ports: DecidePorts,
  answerable: Answerable,
  decision: Decision,
  given: { readonly code?: Write } = {},
): Promise<Decision> => {
  const { authorizationRequests, transactions } = ports;
  const { ticket } = answerable;
  const request = authorizationRequests.answering(fingerprint(ticket), decision);
  if ((await transactions.commit({ request, ...given })).size === 0) return decision;
  const found = await findAnswerable(ports, ticket);
  return repeated(ports, { ...answerable, found }, decision.decision, decision.slug);
};

/** In seconds. */
const REPEATABLE_FOR = 60;

/**
 * The decision that a browser may still repeat.
 * @returns undefined for another browser, after a minute, or once the code was exchanged
 */
export const repeatable = async (
  { clock, codes }: Pick<OauthPorts, 'clock' | 'codes'>,
  { ticket, found: { decided }, session }: Pick<Answerable, 'ticket' | 'found' | 'session'>,
): Promise<Decision | undefined> => {
  if (decided?.session !== session || clock.now() >= decided.decidedAt + REPEATABLE_FOR) {
    return undefined;
  }
  const code = await codes.find(fingerprint(codeOfDecision(ticket, decided.seed)));
  // A client that presents a used code again would lose its tokens.
  return code?.usedAt === undefined ? decided : undefined;
};

/** @throws PageRefusal ended_ticket if the answer is not repeatable, or is another one */
const repeated = async (
  ports: Pick<OauthPorts, 'clock' | 'codes'>,
  answerable: Answerable,
  decision: Decision['decision'],
  slug?: string,
): Promise<Decision> => {
  const decided = await repeatable(ports, answerable);
  if (decided?.decision === decision && decided.slug === slug) return decided;
  throw endedTicket('answered before');
};

const backTo = (
  baseUrl: string,
  { redirectUri, state }: AuthorizationRequest,
  answer: Readonly<Record<string, string>>,
): string =>
  authorizationResponse(
    { redirectUri, ...(state !== undefined && { state }), issuer: authorizationServer(baseUrl) },
    answer,
  );
