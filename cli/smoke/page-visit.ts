import { exchange } from '../api/exchange.ts';
import type { World } from '../world.ts';

/** A page of the service, or an address elsewhere that the browser was sent to. */
export interface Page {
  readonly url: URL;
  readonly status: number;
  readonly html: string;
  readonly forms: readonly PageForm[];
  /** Whether it is an address outside of the service: nothing was asked there. */
  readonly left: boolean;
}

interface PageForm {
  readonly action: string;
  /** What is filled in, hidden fields among it. */
  readonly fields: Readonly<Record<string, string>>;
}

/** A browser without JavaScript: cookies, redirects, and forms as the page has them. */
export interface PageBrowser {
  open(url: string | URL): Promise<Page>;
  submit(page: Page, form: PageForm, filled: Readonly<Record<string, string>>): Promise<Page>;
}

const TIMEOUT_SECONDS = 30;
const MAX_REDIRECTS = 5;

/** @param origin - of the service; redirects are followed within it */
export const pageBrowser = ({ fetch: send }: Pick<World, 'fetch'>, origin: string): PageBrowser => {
  const jar = new Map<string, string>();

  const go = async (
    url: URL,
    sent: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string } = {},
    redirects = 0,
  ): Promise<Page> => {
    if (url.origin !== origin) return { url, status: 0, html: '', forms: [], left: true };
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    const answer = await exchange(send, {
      method: sent.body === undefined ? 'GET' : 'POST',
      url: url.href,
      headers: { accept: 'text/html', ...sent.headers, ...(cookie !== '' && { cookie }) },
      ...(sent.body !== undefined && { body: sent.body }),
      timeoutSeconds: TIMEOUT_SECONDS,
    });
    for (const line of answer.headers.getSetCookie()) keep(jar, line);
    const location = answer.headers.get('location');
    if (location !== null && redirects < MAX_REDIRECTS) {
      return go(new URL(location, url), {}, redirects + 1);
    }
    const { status, text: html } = answer;
    return { url, status, html, forms: formsIn(html), left: false };
  };

  return {
    open: (url) => go(new URL(url)),
    submit: ({ url }, { action, fields }, filled) =>
      go(new URL(action, url), {
        // What browsers send from a page with `Referrer-Policy: no-referrer`.
        headers: {
          origin: 'null',
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({ ...fields, ...filled }).toString(),
      }),
  };
};

const keep = (jar: Map<string, string>, line: string): void => {
  const [pair = ''] = line.split('; ');
  const equals = pair.indexOf('=');
  jar.set(pair.slice(0, equals), pair.slice(equals + 1));
};

const formsIn = (html: string): readonly PageForm[] =>
  [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, start = '', content = '']) => ({
    action: attribute(start, 'action') ?? '',
    fields: Object.fromEntries(
      [...content.matchAll(/<input\b([^>]*)>/g)].map(([, input = '']) => [
        attribute(input, 'name') ?? '',
        attribute(input, 'value') ?? '',
      ]),
    ),
  }));

const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return found?.replace(/&(?:#x([\da-f]+)|(\w+));/gi, (whole, hex?: string, named?: string) =>
    hex === undefined ? (NAMED[named ?? ''] ?? whole) : String.fromCodePoint(parseInt(hex, 16)),
  );
};

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };
