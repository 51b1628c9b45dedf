import { bodyParameters } from '../../platform/http/event.ts';
import type { Endpoint } from '../../platform/http/endpoint.ts';
import { json } from '../../platform/http/reply.ts';
import { exchangeAssertion } from '../steps/tokens/exchange-assertion.ts';
import { exchangeCode } from '../steps/tokens/exchange-code.ts';
import { type GrantType, knownGrantType, readGrantType } from '../rules/parameters.ts';
import type { Issued, TokenRequest } from '../steps/tokens/token-request.ts';
import type { MachinePorts } from '../steps/ports.ts';
import { takesAssertions } from '../../identity/rules/providers.ts';
import type { SentParameters } from '../../platform/rules/sent-parameters.ts';
import { scopeText } from '../../tokens/rules/oauth-scopes.ts';
import { refresh } from '../steps/tokens/refresh.ts';

/** POST /token, form or JSON. Source: OAuth 2.1 §3.2. */
export const token =
  (ports: MachinePorts): Endpoint =>
  async (event) => {
    const { authorization } = event.headers;
    const { sourceIp } = event.requestContext.http;
    const sent = bodyParameters(event);
    const grant = GRANTS[await grantTypeOf(ports, sent)];
    const issued = await grant(ports, { sent, authorization, sourceIp });
    event.logged.slug = issued.slug;
    return json(
      200,
      {
        access_token: issued.accessToken,
        token_type: 'Bearer',
        expires_in: issued.expiresInSeconds,
        ...(issued.refreshToken !== undefined && { refresh_token: issued.refreshToken }),
        ...(issued.idToken !== undefined && { id_token: issued.idToken }),
        scope: scopeText(issued.scopes, issued.offlineAccess),
      },
      { pragma: 'no-cache' },
    );
  };

/** Reads the identity providers only for grant types that depend on them. @throws OAuthRefusal */
const grantTypeOf = async (
  { identityProviders }: Pick<MachinePorts, 'identityProviders'>,
  sent: SentParameters,
): Promise<GrantType> =>
  knownGrantType(sent) ?? readGrantType(sent, takesAssertions(await identityProviders.list()));

type Grant = (ports: MachinePorts, request: TokenRequest) => Promise<Issued>;

const GRANTS: Readonly<Record<GrantType, Grant>> = {
  authorization_code: exchangeCode,
  refresh_token: refresh,
  'urn:ietf:params:oauth:grant-type:jwt-bearer': exchangeAssertion,
};
