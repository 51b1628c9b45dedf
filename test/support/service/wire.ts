/** A text that nobody but its owner may ever read. */
export interface Secret {
  readonly kind: string;
  readonly text: string;
}

/** What stands where, that should not. */
export interface Leak {
  readonly where: string;
  readonly kind: string;
}

/** All that went over HTTP in a test run. */
export interface Wire {
  /** As the global one; it remembers every answer, and every secret that came or went. */
  readonly fetch: typeof fetch;
  /** Adds a secret that is not seen to come or go. */
  plant(kind: string, text: string): void;
  secrets(): readonly Secret[];
  /** How many answers there were. */
  answers(): number;
  /** Secrets in answers other than the one place where each is given out. */
  leaks(): readonly Leak[];
}

interface RecordedAnswer {
  readonly where: string;
  readonly text: string;
}

/** Fields of forms and JSON bodies that hold secrets. */
const SENT_SECRETS = [
  'password',
  'code',
  'code_verifier',
  'client_secret',
  'access_token',
  'refresh_token',
  'token',
];
const ANSWERED_SECRETS = ['access_token', 'refresh_token', 'client_secret'];

/** Where a secret is given out: what is left of such an answer holds none. */
const GIVEN_OUT: readonly (readonly [RegExp, (answer: Heard) => Heard])[] = [
  [
    /^POST \S*\/(token|register|sessions)$/,
    (heard) => ({
      ...heard,
      body: heard.body.replace(/("(access_token|refresh_token|client_secret)":)"[^"]*"/g, '$1""'),
    }),
  ],
  [/^POST \S*\/login$/, (heard) => without(heard, 'set-cookie')],
  [
    /^POST \S*\/authorize$/,
    (heard) => ({ ...heard, headers: heard.headers.replace(/([?&]code=)[^&\s]*/, '$1') }),
  ],
  [/^GET \S*\/(verify|confirm)$/, (heard) => withoutTokenField(heard)],
];
/** The same of answers that refuse: a form is shown again after a mistake, with all it needs. */
const GIVEN_BACK: typeof GIVEN_OUT = [
  [/^POST \S*\/mcp-oauth-server\/(verify|reset\/confirm)$/, (heard) => withoutTokenField(heard)],
];

/** The pages behind the links of mails pass on what the link holds, in this one field. */
const withoutTokenField = (heard: Heard): Heard => ({
  ...heard,
  body: heard.body.replace(/name="token" value="[^"]*"/, ''),
});

interface Heard {
  readonly headers: string;
  readonly body: string;
}

export const recordWire = (send: typeof fetch = fetch): Wire => {
  const secrets = new Map<string, Secret>();
  const answers: RecordedAnswer[] = [];

  const plant = (kind: string, text: string): void => {
    // Shorter ones are words that may stand anywhere.
    if (text.length >= MIN_SECRET) secrets.set(text, { kind, text });
  };
  const plantFields = (body: string, names: readonly string[]): void => {
    for (const [name, value] of fieldsIn(body)) {
      if (names.includes(name) && typeof value === 'string') plant(name, value);
    }
  };
  const plantSent = async (request: Request): Promise<void> => {
    for (const [kind, text] of secretsInHeaders(request.headers)) plant(kind, text);
    plantFields(await request.text(), SENT_SECRETS);
  };
  const plantAnswered = (headers: Headers, body: string): void => {
    plantFields(body, ANSWERED_SECRETS);
    plant('code', URL.parse(headers.get('location') ?? '')?.searchParams.get('code') ?? '');
    for (const cookie of headers.getSetCookie()) plant('session', valueOf(cookie));
  };

  const recording: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    await plantSent(request.clone());

    const answer = await send(request);
    const body = await answer.clone().text();
    plantAnswered(answer.headers, body);

    const start = `${request.method} ${new URL(request.url).pathname}`;
    const headers = [...answer.headers].map((header) => header.join(': ')).join('\n');
    const places = answer.status < 400 ? GIVEN_OUT : GIVEN_BACK;
    const given = places.find(([pattern]) => pattern.test(start));
    const heard = given ? given[1]({ headers, body }) : { headers, body };
    answers.push({
      where: `${start}: ${answer.status}`,
      text: `${heard.headers}\n\n${heard.body}`,
    });
    return answer;
  };

  return {
    fetch: recording,
    plant,
    secrets: () => [...secrets.values()],
    answers: () => answers.length,
    leaks: () => {
      const known = [...secrets.values()];
      return answers.flatMap(({ where, text }) => leaksIn(where, text, known));
    },
  };
};

const MIN_SECRET = 12;
/** As much of the end of a secret as nothing else ends in. */
const TELLING = 20;

/** The secrets that stand in a text, as they are, in part, or in another spelling. */
export const leaksIn = (where: string, text: string, secrets: readonly Secret[]): readonly Leak[] =>
  secrets
    .filter((secret) => spellings(secret.text).some((spelling) => text.includes(spelling)))
    .map(({ kind }) => ({ where, kind }));

const spellings = (secret: string): readonly string[] => [
  secret.slice(-TELLING),
  encodeURIComponent(secret).slice(-TELLING),
  JSON.stringify(secret).slice(1, -1).slice(-TELLING),
  Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -2),
  Buffer.from(secret).toString('hex'),
];

function* secretsInHeaders(headers: Headers): Iterable<[kind: string, text: string]> {
  const [scheme = '', credentials = ''] = (headers.get('authorization') ?? '').split(' ');
  if (/^bearer$/i.test(scheme)) yield ['access_token', credentials];
  if (/^basic$/i.test(scheme)) {
    yield ['client_secret', credentials];
    const decoded = Buffer.from(credentials, 'base64').toString();
    yield ['client_secret', decoded.slice(decoded.indexOf(':') + 1)];
  }
  const cookies = (headers.get('cookie') ?? '').split('; ');
  for (const cookie of cookies) yield ['session', valueOf(cookie)];
}

/** Of a cookie, without its attributes. */
const valueOf = (cookie: string): string => {
  const [pair = ''] = cookie.split(';');
  return pair.slice(pair.indexOf('=') + 1);
};

const fieldsIn = (body: string): Iterable<readonly [string, unknown]> => {
  if (!body.startsWith('{')) return new URLSearchParams(body);
  try {
    return Object.entries(JSON.parse(body) as object);
  } catch {
    return [];
  }
};

const without = (heard: Heard, header: string): Heard => ({
  ...heard,
  headers: heard.headers
    .split('\n')
    .filter((line) => !line.startsWith(`${header}:`))
    .join('\n'),
});
