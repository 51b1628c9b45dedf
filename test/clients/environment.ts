/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9';

/**
 * What every client is started with, and nothing of the shell that runs it: a home of its own, proxies that
 * lead nowhere for all but this machine, and every switch known that turns telemetry and updates off.
 */
export const environmentOf = (home: string): Readonly<Record<string, string>> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  XDG_CONFIG_HOME: `${home}/.config`,
  XDG_DATA_HOME: `${home}/.local/share`,
  TMPDIR: home,
  ...Object.fromEntries(
    ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'].flatMap((name) => [
      [name, NOWHERE],
      [name.toLowerCase(), NOWHERE],
    ]),
  ),
  NO_PROXY: '127.0.0.1,localhost,::1',
  no_proxy: '127.0.0.1,localhost,::1',
  DO_NOT_TRACK: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_AUTOUPDATER: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  GEMINI_TELEMETRY_ENABLED: 'false',
  OTEL_SDK_DISABLED: 'true',
  NO_UPDATE_NOTIFIER: '1',
  NO_COLOR: '1',
  CI: '1',
  // Nobody opens a window: whoever would writes the address instead.
  BROWSER: '/bin/false',
  // These trust a folder by asking.
  GEMINI_CLI_TRUST_WORKSPACE: 'true',
});
