import { mayUse } from '../../../servers/rules/access/access-policy.ts';
import { beginning } from '../../../accounts/rules/signed-out.ts';
import type { User } from '../../../accounts/rules/user.ts';
import type { Deployment } from '../../../servers/rules/deployment.ts';
import { authorizationServer } from '../../../platform/rules/addresses.ts';
import {
  isRecording,
  type Recording,
  recordsCallsOf,
} from '../../../recordings/rules/recording.ts';
import { fingerprint } from '../../../platform/rules/fingerprint.ts';
import { authorizationCodeOf } from '../../rules/tokens/tokens.ts';
import { authorizationResponse } from '../../../platform/http/authorization-response.ts';
import type { AuthorizationRequest } from '../../../tokens/rules/oauth-records.ts';
import { type Choice, readChoice } from '../../rules/authorization/choice.ts';
import type { Ports } from '../../../ports.ts';
import { endedTicket } from './find-authorization.ts';
import { findLoginDeployment } from './find-login-deployment.ts';

export type DecidePorts = Pick<
  Ports,
  'authorizationRequests' | 'clock' | 'codes' | 'deployments' | 'events' | 'random' | 'settings'
>;

/** An authorization request in the hands of the user who answers it. */
export interface Answerable {
  readonly ticket: string;
  readonly request: AuthorizationRequest;
  readonly user: User;
}

/** Which deployment was chosen, where the client named none. */
export interface Chosen {
  readonly listed: string;
  readonly typed: string;
}

export type Approval =
  | { readonly outcome: 'approved'; readonly location: string; readonly slug: string }
  /** Nothing has happened: the page asks again. */
  | { readonly outcome: ChoiceFault }
  | { readonly outcome: 'recorded'; readonly recording: Recording };

export type ChoiceFault = Extract<Choice, { readonly fault: unknown }>['fault'] | 'not_open';

/**
 * Gives the client a code for one deployment. An unknown deployment and one that is not open to the
 * user look the same.
 *
 * @param toldOf - which recording of calls the person was told of, as the page has it
 * @returns the address to send the browser to
 * @throws PageRefusal ended_ticket for all but the first who answers
 *
 * Source: OAuth 2.1 §4.1.2; docs/decisions/oauth.md, "One resource, three names";
 * docs/decisions/accounts.md, "Who may use a
 * deployment".
 */
export const approve = async (
  ports: DecidePorts,
  { ticket, request, user }: Answerable,
  chosen: Chosen,
  toldOf: string,
): Promise<Approval> => {
  const { clock, codes, events, random, settings } = ports;
  const choice = chosenSlug(settings.baseUrl, request, chosen);
  if ('fault' in choice) return { outcome: choice.fault };
  const opens = (one: Deployment) => mayUse(one, { userId: user.id, email: user.email });
  // As it is now: whether calls are recorded is not to be known later than it is so.
  const deployment = await findLoginDeployment(ports, choice.slug, () => false);
  if (!deployment || !opens(deployment)) {
    return { outcome: 'not_open' };
  }

  const now = clock.now();
  const { recording } = deployment;
  if (isRecording(recording, now) && toldOf !== recordingName(recording)) {
    if (recordsCallsOf(recording, user.id, user.email)) return { outcome: 'recorded', recording };
  }

  await take(ports, ticket);
  const { slug, id: deploymentId } = deployment;
  const code = authorizationCodeOf(random.secret());
  await codes.put(fingerprint(code), {
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
      createdAt: beginning(user, now),
    },
    redirectUri: request.redirectUri,
    codeChallenge: request.codeChallenge,
    expiresAt: now + settings.limits.authorization_code_seconds,
  });
  const why = request.clientId;
  const event = 'access_granted';
  events.record({ type: 'security', event, deploymentId, slug, subject: user.id, why });
  return { outcome: 'approved', location: backTo(settings.baseUrl, request, { code }), slug };
};

/** By which a page says of which recording it tells. */
export const recordingName = ({ since }: Recording): string => String(since);

/**
 * Tells the client that its user does not want it.
 *
 * @returns the address to send the browser to
 * @throws PageRefusal ended_ticket for all but the first who answers
 *
 * Source: RFC 6749 §4.1.2.1.
 */
export const deny = async (
  ports: DecidePorts,
  { ticket, request, user }: Answerable,
): Promise<string> => {
  await take(ports, ticket);
  const why = request.clientId;
  ports.events.record({ type: 'security', event: 'access_denied', subject: user.id, why });
  return backTo(ports.settings.baseUrl, request, {
    error: 'access_denied',
    error_description: 'The user denied the request.',
  });
};

const chosenSlug = (
  baseUrl: string,
  { slug }: AuthorizationRequest,
  { listed, typed }: Chosen,
): Choice => (slug === undefined ? readChoice(baseUrl, listed, typed) : { slug });

/** Before anything is given out, so that of a double click and two tabs one wins. */
const take = async (
  { authorizationRequests }: Pick<Ports, 'authorizationRequests'>,
  ticket: string,
): Promise<void> => {
  if (await authorizationRequests.take(fingerprint(ticket))) return;
  throw endedTicket('answered at the same time');
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
