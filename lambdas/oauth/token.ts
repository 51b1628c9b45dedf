import { bodyParameters, type Endpoint, json } from '@hosted-mcp/core/http';
import {
  authenticateClient,
  exchangeCode,
  type GrantType,
  type Issued,
  type MachinePorts,
  type ProvenClient,
  readCodeExchange,
  readGrantType,
  readPresentedClient,
  readRefreshing,
  refresh,
  type SentParameters,
} from '@hosted-mcp/core/oauth';

/** POST /token, form or JSON. Source: OAuth 2.1 §3.2; K1 to K7. */
export const token =
  (ports: MachinePorts): Endpoint =>
  async (event) => {
    const { sourceIp } = event.requestContext.http;
    const sent = bodyParameters(event);
    const grantType = readGrantType(sent);
    const presented = readPresentedClient(event.headers['authorization'], sent);
    const client = await authenticateClient(ports, presented, sourceIp);

    const issued = await GRANTS[grantType](ports, { client, sourceIp }, sent);
    event.notes.slug = issued.slug;
    return json(
      200,
      {
        access_token: issued.accessToken,
        token_type: 'Bearer',
        expires_in: issued.expiresInSeconds,
        ...(issued.refreshToken !== undefined && { refresh_token: issued.refreshToken }),
        scope: issued.scopes.join(' '),
      },
      { pragma: 'no-cache' },
    );
  };

interface Sender {
  readonly client: ProvenClient;
  readonly sourceIp: string;
}

type Grant = (ports: MachinePorts, sender: Sender, sent: SentParameters) => Promise<Issued>;

const GRANTS: Readonly<Record<GrantType, Grant>> = {
  authorization_code: async (ports, sender, sent) =>
    exchangeCode(ports, { ...sender, exchange: readCodeExchange(sent) }),
  refresh_token: async (ports, sender, sent) =>
    refresh(ports, { ...sender, refreshing: readRefreshing(sent) }),
};
