/** A page, or an address outside of the site that the browser was sent to. */
export interface Visit {
  readonly url: URL;
  readonly status: number;
  readonly html: string;
  readonly forms: readonly PageForm[];
  /** True if it is an address outside of the site: nothing was asked there. */
  readonly left: boolean;
}

interface PageForm {
  readonly action: string;
  /** What is filled in, hidden fields and checked choices among it. */
  readonly fields: Readonly<Record<string, string>>;
}

/** A browser without JavaScript: cookies, redirects, and forms as the page has them. */
export interface FormBrowser {
  open(url: string | URL): Promise<Visit>;
  /**
   * Fills in the form of a page that is posted to this end of a path, and submits it.
   *
   * @throws Error if the page has no such form
   */
  submit(page: Visit, action: string, filled?: Readonly<Record<string, string>>): Promise<Visit>;
  /** The cookies it has, as it would send them. */
  cookies(): string;
}

const MAX_REDIRECTS = 5;

/** @param origin - of the site; redirects are followed within it */
export const aFormBrowser = (origin: string, send: typeof fetch = fetch): FormBrowser => {
  const jar = new Map<string, string>();
  const cookies = () => [...jar].map((pair) => pair.join('=')).join('; ');

  const go = async (url: URL, init: RequestInit = {}, redirects = 0): Promise<Visit> => {
    if (url.origin !== origin) return { url, status: 0, html: '', forms: [], left: true };
    const headers = {
      ...init.headers,
      accept: 'text/html',
      ...(jar.size > 0 && { cookie: cookies() }),
    };
    const answer = await send(url, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) keep(jar, line);
    const location = answer.headers.get('location');
    const html = await answer.text();
    if (location !== null && redirects < MAX_REDIRECTS) {
      return go(new URL(location, url), {}, redirects + 1);
    }
    return { url, status: answer.status, html, forms: formsIn(html), left: false };
  };

  return {
    open: (url) => go(new URL(url)),
    submit: (page, action, filled = {}) => {
      const form = page.forms.find((one) => one.action.endsWith(action));
      if (!form) throw new Error(`no form for ${action} at ${page.url.pathname}: ${page.html}`);
      return go(new URL(form.action, page.url), {
        method: 'POST',
        // What Chromium sends from a page with `Referrer-Policy: no-referrer`.
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
    hex === undefined ? (NAMED[named ?? ''] ?? whole) : String.fromCodePoint(parseInt(hex, 16)),
  );
};

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

export interface SignIn {
  readonly email: string;
  readonly password: string;
}

export interface Decision {
  readonly decision?: 'approve' | 'deny';
  /** The deployment's slug, where the page asks. */
  readonly server?: string;
}

/**
 * What a person does who is sent to the authorization server: signs in, unless they are signed in,
 * and decides.
 *
 * @returns the address that the client gets its answer at
 * @throws Error with the page that it ended on instead
 */
export const authorize = async (
  browser: FormBrowser,
  url: string | URL,
  person: SignIn,
  { decision = 'approve', server }: Decision = {},
): Promise<URL> => {
  const first = await browser.open(url);
  const { email, password } = person;
  const page = first.forms.some(({ action }) => action.endsWith('/login'))
    ? await browser.submit(first, '/login', { email, password })
    : first;
  const end = await browser.submit(page, '/authorize', {
    decision,
    ...(server !== undefined && { server }),
  });
  if (!end.left) throw new Error(`${end.status} at ${end.url.pathname}: ${end.html}`);
  return end.url;
};
