import type { Api, Report } from '../api/api.ts';
import type { Context } from '../command.ts';
import { Failure, type Finding, findingsOf, usageFailure } from '../failure.ts';
import { type Json, jsonOf, listOf, textOf, textsOf } from '../json.ts';
import { plain } from '../text/plain.ts';
import { sentence } from '../text/words.ts';
import type { Ask } from './ask.ts';

export const YES = {
  yes: { help: 'do not ask, also where people whom you cannot know are let in' },
} as const;

/** Members that decide who could call a tool, and which tools there are. */
const OPENING = ['mcp_auth_method', 'access', 'operations', 'overrides'];
const DESCRIPTIONS = ['openapi', 'openapi_url', 'gallery_id'];

interface Opening {
  /** The deployment before a change; undefined for a new one. */
  readonly before?: Json | undefined;
  readonly wanted: Json;
  readonly yes: boolean;
}

/**
 * A person confirms what a change opens to strangers. @throws Failure usage, also without a terminal
 * @returns members to send as well, so that exactly what was confirmed is published
 */
export const confirmOpening = async (
  { api, ask }: Pick<Context, 'api' | 'ask'>,
  { before, wanted, yes }: Opening,
): Promise<Looked> => {
  if (yes || !isOpen({ ...before, ...wanted })) return {};
  if (![...OPENING, ...DESCRIPTIONS].some((name) => Object.hasOwn(wanted, name))) return {};
  const deployment = before && { deployment: textOf(before.slug) };
  const sent = { ...wanted, ...deployment };
  const answer = await namingAllowed(sent, () => reportOf(api, sent));
  await confirmExposures(ask, findingsOf(answer.exposures), yes);
  return lookedAt(answer);
};

/** Digests of fetched URLs: the service refuses a change if one has new content. */
export type Looked = Partial<Pick<Report, 'fetched'>>;

export const lookedAt = ({ fetched }: Pick<Report, 'fetched'>): Looked =>
  listOf(fetched).length === 0 ? {} : { fetched };

/** Previews a description. @param wanted - with its choices, as the management API takes them */
export const reportOf = (api: Api, wanted: Json) =>
  api.call('POST /descriptions', { packed: wanted });

/** Whether people unknown to the owner could call it. */
const isOpen = (deployment: Json): boolean => {
  const { mcp_auth_method: method = 'oauth', access } = deployment;
  const { mode, domains } = jsonOf(access);
  return (
    method === 'none' ||
    (method === 'oauth' &&
      (mode === 'any_user' || (mode === 'allow_list' && textsOf(domains).length > 0)))
  );
};

/** @param exposures - what strangers could do @throws Failure usage if it is not confirmed, or without a terminal */
export const confirmExposures = async (
  ask: Ask,
  exposures: readonly Finding[],
  yes: boolean,
): Promise<void> => {
  if (yes || exposures.length === 0) return;
  const what = exposures.map((one) => sentence(capitalized(plain(one.what)))).join(' ');
  if (!ask.isPossible) {
    throw usageFailure(`${what} Not a terminal: pass --yes to confirm.`);
  }
  const typed = await ask.line(`${what} Go on? [y/N]`);
  if (!/^y(?:es)?$/i.test(typed.trim())) throw usageFailure('Nothing was changed.');
};

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Explains the entries of an allow list; empty for other policies. */
export const allowedLines = ({ access }: Json): readonly string[] => {
  const { mode, emails, domains } = jsonOf(access);
  if (mode !== 'allow_list') return [];
  return [
    ...textsOf(emails).map((email) => `${plain(email)}: this address`),
    ...textsOf(domains).map(
      (domain) => `${plain(domain)}: everybody with an address of it, not of its subdomains`,
    ),
  ];
};

/** Refused entries of an allow list are named by the option `--allow`. */
export const namingAllowed = async <Answer>(
  wanted: Json,
  send: () => Promise<Answer>,
): Promise<Answer> => {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { exitCode, code, message, details } = error;
    const findings = details.findings?.map((finding) => ({
      ...finding,
      where: optionOf(wanted, finding.where),
    }));
    throw new Failure(exitCode, code, message, { ...details, ...(findings && { findings }) });
  }
};

const optionOf = (wanted: Json, where: string): string => {
  const [, list, index] = /^\/access\/(emails|domains)\/(\d+)$/.exec(where) ?? [];
  const entry = textsOf(jsonOf(wanted.access)[list ?? ''])[Number(index)];
  return entry === undefined ? where : `--allow ${entry}`;
};
