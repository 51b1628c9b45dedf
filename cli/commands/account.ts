import { gunzipSync } from 'node:zlib';
import { isLoopback } from '../api/base-url.ts';
import { type Command, command, type Context } from '../command.ts';
import { EXIT, Failure, usageFailure } from '../failure.ts';
import { signInByBrowser } from '../sign-in/browser-sign-in.ts';
import { type OpenedSession, sessionIn } from '../sign-in/session-in.ts';
import { type Json, textOf } from '../json.ts';
import { plain } from '../text/plain.ts';
import { duration } from '../text/time.ts';
import { confirm, newSecretFrom, secretFrom } from '../input/ask.ts';
import { operationCommand } from './operation-command.ts';

const PASSWORD_STDIN = { help: 'read the password from standard input' } as const;

const signUp = command({
  name: 'signup',
  summary: 'Signs up for an account; the service mails a token',
  places: ['email?'],
  remembersService: true,
  run: async (context, places) => {
    const { api, accounts, output } = context;
    const email = await emailFrom(context, places.email);
    const answer = await api.callOpenly('POST /accounts', { json: { email } });
    await accounts.use(api.baseUrl);
    const verifying = 'verify TOKEN    with the token of the mail; there you choose the password';
    output.result(answer, mailed(context, email, verifying, 'login'));
  },
});

/** Next steps after a mail, which a service on this machine writes into a file. */
const mailed = ({ api, output }: Context, email: string, ...next: readonly string[]) => {
  const isHere = isLoopback(new URL(api.baseUrl).hostname);
  const where = isHere ? ': on this machine, a file in .local/outbox/' : '';
  return [
    `If ${plain(email)} can be used, a mail is on its way${where}. Next:`,
    ...output.again(next.map((line) => `  npx --no-install hosted-mcp ${line}`)),
  ];
};

const verify = command({
  name: 'verify',
  summary: 'Creates the account, with the token or link of the mail',
  places: ['token'],
  options: {
    name: { value: 'NAME', help: 'your name, for those who see what you did' },
    'password-stdin': PASSWORD_STDIN,
  },
  details: ['A password has 12 characters or more.'],
  run: async ({ api, ask, output }, { token }, { name, 'password-stdin': fromInput }) => {
    const password = await newSecretFrom(ask, fromInput, '--password-stdin', 'Password');
    const answer = await api
      .callOpenly('POST /accounts/verify', { json: { token: tokenIn(token), password, name } })
      .catch(mailedAgainBy('resend'));
    output.result(
      answer,
      output.again(['The account is ready. Next: npx --no-install hosted-mcp login']),
    );
  },
});

const logIn = command({
  name: 'login',
  summary: 'Signs in, for an hour',
  places: ['email?'],
  options: { 'password-stdin': PASSWORD_STDIN },
  details: [
    'Without an address it opens a page in your browser: sign in there with a password or with your company.',
    'The page asks for four letters that are shown here. The answer comes to this program on 127.0.0.1.',
    'Through SSH it says which port to forward.',
    'The session is kept in a file that only you can read: hosted-mcp/config.json in your configuration',
    'folder (XDG_CONFIG_HOME), or the file that HOSTED_MCP_CONFIG names. The base URL is kept there, too, and is',
    'that of commands which name none. With --profile NAME and --url URL both are kept under that name.',
  ],
  remembersService: true,
  run: async (context, places, { 'password-stdin': fromInput }) => {
    const { api, accounts, output } = context;
    const { deviceToken, seconds, ...session } =
      places.email === undefined && !fromInput
        ? await signInByBrowser(context)
        : await signInByPassword(context, await emailFrom(context, places.email), fromInput);
    const { email } = session;
    await accounts.keep(api.baseUrl, session, deviceToken);
    const { profile } = accounts;
    output.result({ email, url: api.baseUrl, expires_in: seconds, profile }, [
      `Signed in at ${api.baseUrl} as ${plain(email)}, for ${duration(seconds)}.`,
    ]);
    if (profile !== undefined) output.note(`Commands go there, with the profile ${profile}.`);
  },
});

/** A service may refuse addresses that belong to a company: then the browser opens instead. */
const signInByPassword = async (
  context: Context,
  email: string,
  fromInput: boolean,
): Promise<OpenedSession> => {
  const { accounts, api, ask, output, world } = context;
  const password = await secretFrom(ask, fromInput, '--password-stdin', 'Password');
  const startedAt = world.now();
  const known = await accounts.deviceToken(api.baseUrl, email);
  try {
    const answer = await api.callOpenly('POST /sessions', {
      json: { email, password, ...(known !== undefined && { device_token: known }) },
    });
    return sessionIn(answer, startedAt, email);
  } catch (error) {
    const isElsewhere = error instanceof Failure && error.code === 'use_company_sign_in';
    if (!isElsewhere || !ask.isPossible) throw error;
    output.note(error.message);
    return signInByBrowser(context);
  }
};

const logOut = command({
  name: 'logout',
  summary: 'Ends the session and forgets it',
  run: async ({ api, accounts, output }) => {
    const ended = await api.call('DELETE /sessions/current').then(
      () => undefined,
      (error: unknown) => error,
    );
    const wasThere = await accounts.forget(api.baseUrl);
    const isOver = ended instanceof Failure && ended.exitCode === EXIT.notSignedIn;
    // The session is forgotten here in any case, but may still be alive at the service.
    if (ended !== undefined && !isOver) throw ended;
    output.result({ signed_out: wasThere }, [
      wasThere ? `Signed out at ${api.baseUrl}.` : `You were not signed in at ${api.baseUrl}.`,
    ]);
  },
});

const mailCommand = (
  name: string,
  summary: string,
  at: 'POST /accounts/resend-verification' | 'POST /accounts/password-reset',
  next: string,
): Command =>
  command({
    name,
    summary,
    places: ['email?'],
    run: async (context, places) => {
      const email = await emailFrom(context, places.email);
      const answer = await context.api.callOpenly(at, { json: { email } });
      context.output.result(answer, mailed(context, email, next));
    },
  });

const setPassword = command({
  name: 'password set',
  summary: 'Sets a new password with the token of that mail; every session ends',
  places: ['token'],
  options: { 'password-stdin': PASSWORD_STDIN },
  run: async ({ api, ask, output }, { token }, { 'password-stdin': fromInput }) => {
    const password = await newSecretFrom(ask, fromInput, '--password-stdin', 'New password');
    const answer = await api
      .callOpenly('POST /accounts/password-reset/confirm', {
        json: { token: tokenIn(token), password },
      })
      .catch(mailedAgainBy('password reset'));
    output.result(
      answer,
      output.again(['The password is changed. Next: npx --no-install hosted-mcp login']),
    );
  },
});

const removeAccount = command({
  name: 'account rm',
  summary: 'Removes your account and all it owns',
  options: { yes: { help: 'do not ask' } },
  details: ['Servers with all that belongs to them go with it. There is no way back.'],
  run: async ({ api, accounts, ask, output }, _, { yes }) => {
    const { email } = await accounts.session(api.baseUrl);
    if (!yes) await confirm(ask, 'the account', email);
    await api.call('DELETE /account');
    await accounts.forget(api.baseUrl);
    output.result({ removed: email }, [`The account of ${plain(email)} is removed.`]);
  },
});

const changeAccount = operationCommand({
  name: 'account set',
  summary: 'Changes your name, which others see beside what you did',
  at: 'PATCH /account',
  options: { name: { value: 'NAME', help: 'your name; an empty one takes it away' } },
  sends: ({ name }) => {
    if (name === undefined) throw usageFailure('Nothing is changed: give --name.');
    return { json: { name } };
  },
  lines: ({ name: now }) => [
    now === undefined ? 'You have no name here now.' : `Your name is ${plain(now)} now.`,
  ],
});

const exportAccount = command({
  name: 'account export',
  summary: 'Prints all that the service tells of you and of what you made, as JSON',
  details: [
    'Account, sessions, grants, servers with all their files, tokens without their values, your calls, and what',
    'happened to the account. No secret is in it. As in: account export > me.json',
  ],
  run: async ({ api, output, world }) => {
    const [answers, sessions] = await Promise.all([
      api.list('GET /account/export'),
      api.list('GET /sessions'),
    ]);
    const items = [...answers.map(withFile), { path: '/sessions', body: { items: sessions } }];
    const at = new Date(world.now() * 1000).toISOString();
    const exported = { service: api.baseUrl, at, items };
    output.result(exported, [JSON.stringify(exported, undefined, 2)]);
  },
});

export const withFile = ({ content, ...answer }: Json): Json => {
  const packed = textOf(content);
  if (packed === undefined) return answer;
  return { ...answer, text: gunzipSync(Buffer.from(packed, 'base64')).toString() };
};

export const accountCommands = [
  signUp,
  verify,
  mailCommand(
    'resend',
    'Sends the mail of the signup again',
    'POST /accounts/resend-verification',
    'verify TOKEN',
  ),
  logIn,
  logOut,
  mailCommand(
    'password reset',
    'Mails a link to set a new password',
    'POST /accounts/password-reset',
    'password set TOKEN',
  ),
  setPassword,
  changeAccount,
  exportAccount,
  removeAccount,
];

/** @throws Failure usage if there is none, and nobody to ask */
const emailFrom = async (
  { accounts, api, ask }: Context,
  given: string | undefined,
): Promise<string> => {
  if (given !== undefined) return given;
  const last = await accounts.email(api.baseUrl);
  if (!ask.isPossible) {
    if (last) return last;
    throw usageFailure('The email is missing.');
  }
  const typed = await ask.line(last ? `E-mail address [${last}]` : 'E-mail address');
  const email = typed.trim() || last;
  if (!email) throw usageFailure('The email is missing.');
  return email;
};

/** @param given - the token or the mailed link; copying may have added a line end */
const tokenIn = (given: string): string => {
  const text = given.trim();
  return (URL.canParse(text) ? new URL(text).searchParams.get('token') : undefined) ?? text;
};

/** Adds to a refused token the command that mails a new one. */
const mailedAgainBy =
  (command: string) =>
  (error: unknown): never => {
    if (!(error instanceof Failure) || error.code !== 'invalid_token') throw error;
    const { exitCode, code, message, details } = error;
    const hint = `npx --no-install hosted-mcp ${command} EMAIL mails another one.`;
    throw new Failure(exitCode, code, message, { ...details, hint });
  };
