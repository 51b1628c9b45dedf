import type { AccountsPorts } from '../accounts/ports.ts';
import type { CredentialsPorts } from '../credentials/ports.ts';
import type { TokenSources } from './rules/token-source.ts';
import type { CachedTokens } from './store/cached-tokens.ts';
import type { TokenEndpoints } from './store/token-endpoints.ts';
import type { Tokens } from './store/tokens.ts';

export interface ConnectionsPorts extends AccountsPorts, CredentialsPorts {
  /** Tokens and temporary keys that calls carry for connected credentials: OAuth clients, logins and AWS roles. */
  readonly connectedTokens: CachedTokens;
  readonly tokens: Tokens;
  readonly tokenSources: TokenSources;
  readonly tokenEndpoints: TokenEndpoints;
}
