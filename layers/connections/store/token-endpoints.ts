import { cached } from '../../platform/cache/cache.ts';
import { MINUTE } from '../../platform/rules/time.ts';
import type { Clock } from '../../platform/system/clock.ts';
import type { Web } from '../../target/client/web.ts';
import { fingerprint } from '../../platform/rules/fingerprint.ts';
import { NoAnswer, type TargetAnswer, type Trust } from '../../target/rules/target.ts';
import { addressInMetadata, metadataUrls } from '../../tokens/rules/issuer-metadata.ts';
import { TokenUnavailable } from '../rules/token-failure.ts';

const LIMITS = { maxBytes: 65_536, timeoutSeconds: 3 };
const KEPT_SECONDS = 10 * MINUTE;

/**
 * Token endpoints of issuers, remembered for ten minutes. Each set of CA certificates has its own entries: metadata
 * from a server whose CA only one deployment trusts must not lead others.
 */
export const tokenEndpoints = ({
  clock,
  web,
}: {
  readonly clock: Clock;
  readonly web: Pick<Web, 'fetchExactly'>;
}) => {
  const known = cached<string>(clock, {
    keepSeconds: () => KEPT_SECONDS,
    weigh: () => 1,
    maxWeight: 1000,
  });

  const get = (url: string, trust: Trust): Promise<TargetAnswer> =>
    web.fetchExactly(url, { ...LIMITS, ...trust }).catch((error: unknown) => {
      throw unanswered(error);
    });

  const load = async (issuer: string, trust: Trust): Promise<string> => {
    for (const url of metadataUrls(issuer)) {
      const { status, body } = await get(url, trust);
      if (status >= 500) throw new TokenUnavailable('token_endpoint_failed', `status ${status}`);
      if (status !== 200) continue;
      const read = addressInMetadata(body, issuer, 'token_endpoint');
      if (read === 'another_issuer') {
        throw new TokenUnavailable('token_endpoint_refused', 'the metadata are of another issuer');
      }
      if (read !== 'unreadable') return read.address;
    }
    throw new TokenUnavailable('token_endpoint_failed', 'the issuer has no metadata');
  };

  return {
    /** @throws TokenUnavailable */
    of: (issuer: string, trust: Trust = {}): Promise<string> =>
      known(`${issuer} ${fingerprint(JSON.stringify(trust))}`, () => load(issuer, trust)),
  };
};

export type TokenEndpoints = ReturnType<typeof tokenEndpoints>;

/** Turns a request that had no answer into a failure of the token. Other errors pass unchanged. */
export const unanswered = (error: unknown): unknown => {
  if (!(error instanceof NoAnswer)) return error;
  return new TokenUnavailable(
    error.reason === 'blocked_address' ? 'token_endpoint_refused' : 'token_endpoint_failed',
    error.reason,
  );
};
