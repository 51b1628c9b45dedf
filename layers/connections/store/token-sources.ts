import type { Clock } from '../../platform/system/clock.ts';
import type { GuardedFetch } from '../../target/client/guarded-fetch.ts';
import type { Web } from '../../target/client/web.ts';
import type { TokenSources } from '../rules/token-source.ts';
import type { AwsAccess } from '../../platform/aws/access.ts';
import { sessions } from './session-login.ts';
import { roleKeys } from './role-keys.ts';
import { oauthClientTokens } from './oauth-client.ts';
import { tokenEndpoints } from './token-endpoints.ts';

export interface TokenGround {
  readonly clock: Clock;
  /** Guarded client for requests that carry secrets of owners. */
  readonly fetch: GuardedFetch;
  readonly web: Web;
  /** ARNs that may be assumed, as the operator lists them. */
  readonly roles: readonly string[];
  readonly sts: AwsAccess;
}

export const tokenSources = ({ clock, fetch, web, roles, sts }: TokenGround): TokenSources => ({
  oauth_client: oauthClientTokens({ clock, fetch, endpoints: tokenEndpoints({ clock, web }) }),
  session: sessions({ clock, fetch }),
  aws: roleKeys({ access: sts, roles }),
});
