import { member } from '../../layers/platform/rules/json/json.ts';
import { exchange } from '../api/exchange.ts';
import type { World } from '../world.ts';

/** A page of the service, or an address elsewhere to which the browser was sent. */
export interface Page {
  readonly url: URL;
  readonly status: number;
  readonly html: string;
  readonly forms: readonly PageForm[];
  /** Whether it is outside the service, and was not requested. */
  readonly left: boolean;
}

interface PageForm {
  readonly action: string;
  /** Values of the form, with hidden fields and checked choices. */
  readonly fields: Readonly<Record<string, string>>;
}

/** A browser without JavaScript: it handles cookies, redirects and forms. */
export interface FormBrowser {
  open(url: string | URL): Promise<Page>;
  /** Submits the form whose address ends in `action`. @throws Error if the page has no such form */
  submit(page: Page, action: string, filled?: Readonly<Record<string, string>>): Promise<Page>;
  cookies(): string;
}

export const formFor = ({ forms }: Page, end: string): PageForm | undefined =>
  forms.find(({ action }) => action.endsWith(end));

const TIMEOUT_SECONDS = 30;
const MAX_REDIRECTS = 5;

/** @param origin - of the service; redirects are followed within it */
export const formBrowser = ({ fetch: send }: Pick<World, 'fetch'>, origin: string): FormBrowser => {
  const jar = new Map<string, string>();
  const cookies = () => [...jar].map((pair) => pair.join('=')).join('; ');

  const go = async (
    url: URL,
    sent: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string } = {},
    redirects = 0,
  ): Promise<Page> => {
    if (url.origin !== origin) return { url, status: 0, html: '', forms: [], left: true };
    const answer = await exchange(send, {
      method: sent.body === undefined ? 'GET' : 'POST',
      url: url.href,
      headers: { accept: 'text/html', ...sent.headers, ...(jar.size > 0 && { cookie: cookies() }) },
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
    submit: (page, action, filled) => {
      const form = formFor(page, action);
      if (!form) throw new Error(`no form for ${action} at ${page.url.pathname}: ${page.html}`);
      return go(new URL(form.action, page.url), {
        // Same headers as a browser on a page with `Referrer-Policy: no-referrer`.
        headers: {
          origin: 'null',
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({ ...form.fields, ...filled }).toString(),
      });
    },
    cookies,
  };
};

const keep = (jar: Map<string, string>, line: string): void => {
  const [pair = '', ...attributes] = line.split('; ');
  const equals = pair.indexOf('=');
  const name = pair.slice(0, equals);
  if (attributes.some((one) => /^max-age=0$/i.test(one))) jar.delete(name);
  else jar.set(name, pair.slice(equals + 1));
};

const formsIn = (html: string): readonly PageForm[] =>
  [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, start = '', content = '']) => ({
    action: attribute(start, 'action') ?? '',
    fields: Object.fromEntries(
      [...content.matchAll(/<input\b([^>]*)>/g)]
        .map(([, input = '']) => input)
        .filter((input) => attribute(input, 'type') !== 'radio' || / checked\b/.test(input))
        .map((input) => [attribute(input, 'name') ?? '', attribute(input, 'value') ?? '']),
    ),
  }));

const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return found?.replace(/&(?:#x([\da-f]+)|(\w+));/gi, (whole, hex?: string, named?: string) =>
    hex === undefined
      ? (member(NAMED, named ?? '') ?? whole)
      : String.fromCodePoint(parseInt(hex, 16)),
  );
};

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };
