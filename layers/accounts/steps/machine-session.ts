import { accountEvent } from '../../events/rules/service-event.ts';
import { InvalidToken } from '../../tokens/rules/authorization.ts';
import { readJwt } from '../../tokens/rules/jwt.ts';
import { fingerprint } from '../../platform/rules/fingerprint.ts';
import { Fault } from '../../platform/rules/fault.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { AccountsPorts } from '../ports.ts';
import type { EventsPorts } from '../../events/ports.ts';
import type { PlatformSettings, PortsOf } from '../../platform/ports.ts';
import { AWS_ROLES, readCallerIdentity, roleIn } from '../rules/caller-identity.ts';
import {
  MACHINE_TOKEN_SECONDS,
  machineTokenId,
  machineTokenText,
} from '../rules/personal-token.ts';
import { beginning } from '../rules/signed-out.ts';
import {
  checkAsked,
  differingClaims,
  grantedScope,
  isTrustEnded,
  jwksUriOf,
  readMachineToken,
  type Trust,
  TRUST_ALGORITHMS,
} from '../rules/trust.ts';
import type { User } from '../rules/user.ts';
import { checkCompany } from './check-company.ts';
import { countRequest } from './count-request.ts';
import { IS_ID } from './trusts.ts';

export type MachineSessionPorts = PortsOf<typeof countRequest | typeof checkCompany> &
  Pick<
    AccountsPorts,
    | 'callerIdentities'
    | 'events'
    | 'issuerKeys'
    | 'jwtSignatures'
    | 'log'
    | 'personalTokens'
    | 'random'
    | 'transactions'
    | 'trusts'
    | 'usedMachineTokens'
    | 'users'
  > & { readonly settings: PlatformSettings };

const MOST_NAME = 100;

/**
 * Exchanges a token or signed request of a machine for a short-lived personal access token. Each token works once.
 * @throws ApiRefusal rate_limited, machine_refused, temporarily_unavailable
 * Source: docs/decisions/accounts.md, "Machines without a secret".
 */
export const openMachineSession = async (
  ports: MachineSessionPorts,
  sent: { readonly trust: string; readonly token: string; readonly sourceIp: string },
): Promise<{ readonly accessToken: string; readonly expiresInSeconds: number }> => {
  const { clock, personalTokens, random, transactions, trusts, usedMachineTokens, users } = ports;
  await countRequest(ports, 'logins_per_minute_per_ip', sent.sourceIp);
  const now = clock.now();
  const trust = IS_ID.test(sent.trust) ? await trusts.find(sent.trust) : undefined;
  const user = trust && (await users.find(trust.userId));
  if (!trust || !user || isTrustEnded(user, trust)) {
    throw machineRefused('There is no trust of this id (any more).');
  }
  const notAccepted = (why: string): ApiRefusal => {
    failed(ports, user, trust, why);
    return machineRefused(`The token is not accepted: ${why}.`);
  };
  const { claims, name, endsAt } = await believed(ports, trust, sent.token).catch(
    (error: unknown) => {
      throw error instanceof InvalidToken ? notAccepted(error.why) : error;
    },
  );
  // The company of the machine's owner is asked only after the machine is authenticated.
  await checkCompany(ports, user, 'machine', (why, description) => {
    failed(ports, user, trust, why);
    return machineRefused(description);
  });
  const secret = random.secret();
  const createdAt = beginning(user, now);
  // One transaction: of concurrent requests one wins, and after a failure the machine's token is still valid.
  const spent = await transactions.commit({
    shown: usedMachineTokens.spending(trust.issuer, name, endsAt),
    session: personalTokens.storing(machineTokenId(secret), {
      userId: user.id,
      name: `trust: ${trust.name}`.slice(0, MOST_NAME),
      scope: grantedScope(trust, claims),
      ...(trust.slugs && { slugs: trust.slugs }),
      trust: sent.trust,
      createdAt,
      expiresAt: createdAt + MACHINE_TOKEN_SECONDS,
      // If it differs, the management API records the day of use later: this function must not write trusts.
      ...(trust.usedOn !== undefined && { usedOn: trust.usedOn }),
    }),
  });
  if (spent.size > 0) throw notAccepted('it was used before');
  return { accessToken: machineTokenText(secret), expiresInSeconds: MACHINE_TOKEN_SECONDS };
};

type Claims = Readonly<Record<string, unknown>>;

/** Verified claims, and the name under which the token is remembered as used. @throws InvalidToken */
const believed = async (ports: MachineSessionPorts, trust: Trust, text: string): Promise<Shown> => {
  const shown = await (trust.issuer === AWS_ROLES
    ? ofRole(ports, text)
    : ofIssuer(ports, trust, text));
  checkAsked(trust, shown.claims);
  const [first] = differingClaims(trust, shown.claims);
  if (first) {
    const its = first.said === undefined ? 'absent' : JSON.stringify(first.said.slice(0, 200));
    throw new InvalidToken(`${first.name} is ${its}, and the trust wants another`);
  }
  return shown;
};

interface Shown {
  readonly claims: Claims;
  readonly name: string;
  readonly endsAt: number;
}

const ofIssuer = async (
  { clock, issuerKeys, jwtSignatures, settings }: MachineSessionPorts,
  trust: Trust,
  text: string,
): Promise<Shown> => {
  const terms = { baseUrl: settings.baseUrl, now: clock.now() };
  const { claims, keyId, jti, endsAt } = readMachineToken(readJwt(text), trust, terms);
  const jwksUri = jwksUriOf(trust);
  const keys = await issuerKeys
    .find(jwksUri, keyId)
    .catch(unreachable('the keys of its issuer cannot be had'));
  await jwtSignatures.check(text, keys, TRUST_ALGORITHMS);
  // The name includes the key set's URL: an attacker who publishes keys for a foreign issuer cannot use up its tokens.
  const name = JSON.stringify([jwksUri, jti ?? fingerprint(signedPart(text))]);
  return { claims, name, endsAt };
};

/** Excludes the signature, since one text can have several valid ones. Source: RFC 7515 §3.1. */
const signedPart = (jwt: string): string => jwt.slice(0, jwt.lastIndexOf('.'));

/** Verifies a signed GetCallerIdentity request by sending it to STS. */
const ofRole = async (
  { callerIdentities, clock, settings }: MachineSessionPorts,
  text: string,
): Promise<Shown> => {
  const { partition } = callerIdentities;
  const terms = { baseUrl: settings.baseUrl, now: clock.now(), partition };
  const request = readCallerIdentity(text, terms);
  const answer = await callerIdentities.ask(request).catch(unreachable('STS cannot be reached'));
  return { claims: roleIn(answer, partition), name: request.signature, endsAt: request.endsAt };
};

const unreachable =
  (why: string) =>
  (error: unknown): never => {
    if (error instanceof Fault) throw new InvalidToken(why);
    throw error;
  };

const failed = (
  { events }: Pick<EventsPorts, 'events'>,
  user: User,
  { name }: Trust,
  why: string,
): void => events.record(accountEvent('machine_refused', user, `${name}: ${why}`.slice(0, 300)));

const machineRefused = (description: string): ApiRefusal =>
  new ApiRefusal('machine_refused', description);
