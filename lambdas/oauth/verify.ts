import { expectMailToken, verifyEmail } from '@hosted-mcp/core/accounts';
import { type Endpoint, queryParameters } from '@hosted-mcp/core/http';
import { formEndpoint, show, type Site, type SitePorts, tokenIn } from './site.ts';

/** Behind the link of a mail: a page with a button. Source: management-api.md, GET /accounts/verify. */
export const verifyForm =
  (ports: SitePorts, { basics }: Site): Endpoint =>
  async (event) => {
    const { sourceIp } = event.requestContext.http;
    const token = tokenIn(queryParameters(event));
    const { user } = await expectMailToken(ports, token, 'verify_email', sourceIp);
    return show(200, (pages) => pages.verifyPage({ ...basics, token, email: user.email }));
  };

/** The page's way to POST /accounts/verify. */
export const verify = (ports: SitePorts, site: Site): Endpoint =>
  formEndpoint(site, async (event, fields) => {
    await verifyEmail(ports, fields('token'), event.requestContext.http.sourceIp);
    return show(200, (pages) =>
      pages.noticePage({
        ...site.basics,
        heading: 'Your address is confirmed',
        text: 'Your account is ready.',
        next: 'Go back to the page where you wanted to sign in, or to your application, and sign in.',
      }),
    );
  });
