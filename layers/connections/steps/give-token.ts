import { CredentialUnavailable } from '../../credentials/rules/credential-access.ts';
import type { Retrieval } from '../../credentials/rules/retrieval.ts';
import { accessEvent } from '../../credentials/steps/account-for-retrieval.ts';
import { TOKEN_FAILURES } from '../../platform/rules/metrics/metrics.ts';
import { Fault } from '../../platform/rules/fault.ts';
import { type Fingerprint, fingerprint } from '../../platform/rules/fingerprint.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { ConnectionsPorts } from '../ports.ts';
import {
  type ConnectedCredential,
  type ConnectedKind,
  isConnected,
} from '../../target/rules/credential.ts';
import type { Trust } from '../../target/rules/target.ts';
import { TokenUnavailable } from '../rules/token-failure.ts';
import { endOf, givenOutUntil, LEASE_SECONDS, PAUSE_SECONDS } from '../rules/token-life.ts';
import {
  type GivenToken,
  isPerCaller,
  tokenFingerprint,
  type TokenSource,
  type TokenUse,
} from '../rules/token-source.ts';
import type { StoredToken, TokenItem, TokenPlace } from '../store/tokens.ts';
import { nameCaller } from './name-caller.ts';
import type { PortsOf } from '../../platform/ports.ts';

type GiveTokenPorts = PortsOf<typeof nameCaller> &
  Pick<
    ConnectionsPorts,
    'counters' | 'credentialReader' | 'events' | 'pause' | 'random' | 'tokenSources' | 'tokens'
  >;

export interface TokenRequest extends Retrieval {
  readonly kind: ConnectedKind;
  readonly perCaller: boolean;
  /** Fingerprint of the access token that the caller presented. */
  readonly token?: Fingerprint | undefined;
  /** Fingerprint of a token that the target refused: another one is wanted. */
  readonly not?: Fingerprint | undefined;
  readonly trust?: Trust | undefined;
}

/** A request whose caller has been named, if the credential needs that. */
interface NamedRequest extends TokenRequest {
  readonly use: TokenUse;
}

/**
 * Gives the router the token of a credential: the stored one, or a new one. Of all concurrent requests, on all
 * instances, one asks the issuer under a lease; the others wait for what it stores. Each retrieval records one event,
 * whatever its outcome.
 *
 * @throws TokenUnavailable
 * Source: docs/decisions/credentials.md, "Tokens that others give".
 */
export const giveToken = async (ports: GiveTokenPorts, asked: TokenRequest) => {
  const ended = accessEvent(ports, asked, asked.kind);
  try {
    const caller = asked.perCaller ? await nameCaller(ports, asked) : undefined;
    const request = { ...asked, use: { ...asked.use, caller } };
    await countRetrieval(ports, request);
    const { sent, givenAt, expiresAt, scopes, clientAuth } = await tokenFor(ports, request);
    ended('ok');
    const until = givenOutUntil(givenAt, expiresAt);
    return { credential: sent, until, expiresAt, scopes, clientAuth };
  } catch (error) {
    const failure = failureOf(error);
    ended(failure.reason, failure);
    throw failure;
  }
};

/** Callers with tokens of their own have allowances of their own, so that none exhausts that of the others. */
const countRetrieval = (ports: GiveTokenPorts, { ref, use }: NamedRequest): Promise<void> =>
  count(
    ports,
    'connection_ceiling_per_minute',
    use.caller === undefined
      ? ref.deploymentId
      : `${ref.deploymentId}#caller#${fingerprint(use.caller)}`,
  );

/** Counts a request to the issuer: stored tokens are free. */
const countAsking = (ports: GiveTokenPorts, { ref, use, instance }: NamedRequest): Promise<void> =>
  count(
    ports,
    'connection_retrievals_per_minute',
    use.caller === undefined
      ? `${ref.deploymentId}#${instance}`
      : `${ref.deploymentId}#caller#${ref.name}#${fingerprint(use.caller)}`,
  );

/** @throws TokenUnavailable where the limit is used up */
const count = async (
  { clock, counters }: GiveTokenPorts,
  limit: 'connection_ceiling_per_minute' | 'connection_retrievals_per_minute',
  subject: string,
): Promise<void> => {
  const { allowed } = await counters.take(limit, subject, clock.now());
  if (!allowed) throw new TokenUnavailable('limited', limit);
};

/** Milliseconds: how long a request waits for another that holds the lease, and how often it looks. */
const WAIT_MS = 9000;
const LOOK_MS = 200;

const tokenFor = async (ports: GiveTokenPorts, request: NamedRequest): Promise<StoredToken> => {
  const { clock, pause, random, tokens } = ports;
  const place = placeOf(request);
  const holder = random.id();
  const startedMs = clock.elapsedMs();
  for (;;) {
    const now = clock.now();
    const item = await tokens.find(place);
    const stored = await usable(ports, request, item, now);
    if (stored) return stored;
    throwIfPaused(request, item, now);
    const generation = item?.generation ?? 0;
    const lease = { holder, generation, now, until: now + LEASE_SECONDS };
    if (!isLeased(item, now) && (await tokens.lease(place, lease))) {
      const worked = item?.credentialVersion === request.ref.version ? item.clientAuth : undefined;
      const asking = { ...request, use: { ...request.use, worked } };
      const given = await askAndStore(ports, asking, { holder, generation });
      if (given) return given;
      // The lease ran out, and another instance has asked since.
      continue;
    }
    if (clock.elapsedMs() - startedMs >= WAIT_MS) {
      throw new TokenUnavailable('unavailable', 'somebody else has been asking for too long');
    }
    await pause(LOOK_MS);
  }
};

const placeOf = ({ ref: { deploymentId, name }, use: { caller } }: NamedRequest): TokenPlace => ({
  deploymentId,
  name,
  subject: caller && fingerprint(caller),
});

const usable = async (
  { tokens }: GiveTokenPorts,
  request: NamedRequest,
  item: TokenItem | undefined,
  now: EpochSeconds,
): Promise<StoredToken | undefined> => {
  const { ref, not } = request;
  // Compared before the token is decrypted, which costs a call to KMS.
  if (item?.credentialVersion !== ref.version) return undefined;
  const { givenAt = 0, expiresAt = 0 } = item;
  if (now < givenAt || now >= givenOutUntil(givenAt, expiresAt)) return undefined;
  const stored = await tokens.open(placeOf(request), item);
  if (!stored || tokenFingerprint(stored.sent) !== not) return stored;
  // A target that refuses every token would otherwise have us ask the issuer with each call.
  return now < givenAt + PAUSE_SECONDS ? stored : undefined;
};

/** An issuer that has just refused is not asked again for a moment. */
const throwIfPaused = (
  { ref }: NamedRequest,
  item: TokenItem | undefined,
  now: EpochSeconds,
): void => {
  const { failedAt, failure, failureCode, failedVersion } = item ?? {};
  if (failure === undefined || failedAt === undefined || failedVersion !== ref.version) return;
  if (now < failedAt || now >= failedAt + PAUSE_SECONDS) return;
  throw new TokenUnavailable(failure, 'as a moment ago', failureCode);
};

const isLeased = (item: TokenItem | undefined, now: EpochSeconds): boolean =>
  item?.leaseUntil !== undefined && now < item.leaseUntil;

/** @returns undefined if another instance has taken the lease */
const askAndStore = async (
  ports: GiveTokenPorts,
  request: NamedRequest,
  lease: { readonly holder: string; readonly generation: number },
): Promise<StoredToken | undefined> => {
  const { clock, credentialReader, tokens } = ports;
  const { ref, kind } = request;
  const place = placeOf(request);
  const now = clock.now();
  try {
    const [credential, key] = await Promise.all([
      credentialReader.read(ref),
      tokens.newKey(place),
      countAsking(ports, request),
    ]);
    if (!credential || !isConnected(credential) || credential.type !== kind) {
      throw new TokenUnavailable('missing', 'no such version');
    }
    // A token in a caller's name goes to that caller alone.
    if (isPerCaller(credential) !== (request.use.caller !== undefined)) {
      throw new TokenUnavailable('denied', 'asked for with no caller, or for one in vain');
    }
    const given = await ask(ports, credential, request);
    const stored = {
      sent: { ...given.sent, origins: credential.origins },
      credentialVersion: ref.version,
      givenAt: now,
      expiresAt: endOf(given.lifeSeconds, now),
      scopes: given.scopes,
      clientAuth: given.works,
    };
    const end = await tokens.put(place, lease, key, stored);
    if (end === 'too_large') {
      throw new TokenUnavailable('token_endpoint_failed', 'the token is too large');
    }
    return end === 'stored' ? stored : undefined;
  } catch (error) {
    await endLease(ports, request, lease, error);
    throw error;
  }
};

const ask = (
  { tokenSources }: GiveTokenPorts,
  credential: ConnectedCredential,
  { ref, use, trust = {} }: NamedRequest,
): Promise<GivenToken> => {
  const source = tokenSources[credential.type] as TokenSource<ConnectedKind>;
  return source.ask(credential, use, ref, trust);
};

/** Releases the lease of a failed request, so that nobody waits for it. If this fails, the lease runs out. */
const endLease = async (
  { clock, tokens }: GiveTokenPorts,
  request: NamedRequest,
  lease: { readonly holder: string },
  error: unknown,
): Promise<void> => {
  const place = placeOf(request);
  const reason =
    error instanceof TokenUnavailable
      ? TOKEN_FAILURES.find((one) => one === error.reason)
      : undefined;
  const noted =
    reason === undefined
      ? tokens.release(place, lease)
      : tokens.fail(place, lease, {
          at: clock.now(),
          version: request.ref.version,
          reason,
          code: (error as TokenUnavailable).code,
        });
  await noted.catch(() => undefined);
};

const failureOf = (error: unknown): TokenUnavailable => {
  if (error instanceof TokenUnavailable) return error;
  if (error instanceof CredentialUnavailable) return new TokenUnavailable(error.reason, error.why);
  if (error instanceof Fault) return new TokenUnavailable('unavailable', error.message);
  throw error;
};
