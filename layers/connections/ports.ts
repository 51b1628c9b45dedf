import type { AccountsPorts } from '../accounts/ports.ts';
import type { CredentialsPorts } from '../credentials/ports.ts';
import type { TokenSources } from './rules/token-source.ts';
import type { CachedTokens } from './store/cached-tokens.ts';
import type { TokenEndpoints } from './store/token-endpoints.ts';
import type { Tokens } from './store/tokens.ts';

export interface ConnectionsPorts extends AccountsPorts, CredentialsPorts {
  /** What calls carry for credentials that others give tokens for. */
  readonly connectedTokens: CachedTokens;
  readonly tokens: Tokens;
  readonly tokenSources: TokenSources;
  readonly tokenEndpoints: TokenEndpoints;
}
