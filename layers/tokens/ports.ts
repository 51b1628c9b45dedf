import type { EventsPorts } from '../events/ports.ts';
import type { LimitsPorts } from '../limits/ports.ts';
import type { NotBeforeRegister, NotBeforeTimes } from './rules/not-before.ts';
import type { SigningKeyRegister, SigningKeys } from './rules/signing-keys.ts';
import type { AccessTokens } from './store/access-tokens.ts';
import type { GoodTokens } from './store/good-tokens.ts';
import type { IssuerKeys } from './store/issuer-keys.ts';
import type { JwtSignatures } from './store/jose-signatures.ts';
import type { MintedTokens } from './store/minted-tokens.ts';
import type { Signer } from './store/signer.ts';
import type { UsedMachineTokens } from './store/used-assertions.ts';

export interface TokensPorts extends EventsPorts, LimitsPorts {
  readonly accessTokens: AccessTokens;
  readonly goodTokens: GoodTokens;
  readonly mintedTokens: MintedTokens;
  readonly notBefore: NotBeforeTimes;
  readonly notBeforeRegister: NotBeforeRegister;
  readonly usedMachineTokens: UsedMachineTokens;
  readonly signer: Signer;
  readonly signingKeys: SigningKeys;
  /** Keys that sign minted tokens only: sessions signed by one are refused. */
  readonly mintingKeys: SigningKeys;
  readonly signingKeyRegister: SigningKeyRegister;
  readonly jwtSignatures: JwtSignatures;
  readonly issuerKeys: IssuerKeys;
}
