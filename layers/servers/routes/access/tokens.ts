import { mintToken, type MintTokenPorts } from '../../steps/access/mint-token.ts';
import { revokeToken, type RevokeTokenPorts } from '../../steps/access/revoke-token.ts';
import * as z from 'zod';

/** What an operator sends to mint a token for a deployment of mode `jwt`. */
export const MintTokenCommand = z.strictObject({
  ownerId: z.string().min(1).max(128),
  slug: z.string(),
  expiresInSeconds: z.number().optional(),
  scope: z.string().max(200).optional(),
  name: z.string().min(1).max(200).optional(),
});

/** The answer holds the token: this is the one time that it is shown. */
export const mintTokenCommand =
  (ports: MintTokenPorts) => async (command: z.infer<typeof MintTokenCommand>) => {
    const { scopes, ...minted } = await mintToken(ports, command);
    return { ok: true as const, ...minted, scope: scopes.join(' ') };
  };

/** What an operator sends to end a minted token. */
export const RevokeTokenCommand = z.strictObject({
  ownerId: z.string().min(1).max(128).optional(),
  slug: z.string(),
  jti: z.string().min(1).max(128),
});

export const revokeTokenCommand =
  (ports: RevokeTokenPorts) => async (command: z.infer<typeof RevokeTokenCommand>) => {
    await revokeToken(ports, command);
    return { ok: true as const };
  };
