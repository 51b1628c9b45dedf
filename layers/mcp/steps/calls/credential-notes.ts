import type { Operation } from '../../../openapi/tool-index.ts';
import { isObject } from '../../../platform/rules/json/json.ts';
import type { ToolResult } from '../../../tools/answer/tool-result.ts';

interface CalledWith {
  /** Whether the call carried a credential that the owner set. */
  readonly isCarried: boolean;
  readonly slug: string;
  readonly security: Operation['security'];
  /** The API may refuse a password in these, instead of the owner's credential. */
  readonly args: unknown;
}

/**
 * Tells the model who can help where the target refuses the owner's credential, or needs one and none is set.
 * @returns undefined where the answer is not about credentials. Source: docs/decisions/mcp.md, "Failed calls".
 */
export const credentialNote = (
  status: number | undefined,
  { isCarried, slug, security, args }: CalledWith,
): string | undefined => {
  if (status !== 401 && status !== 403) return undefined;
  // A login or a public operation: a 401 or 403 there is about its arguments.
  const isPublic =
    security?.length === 0 || security?.some((alternative) => alternative.length === 0);
  if (isPublic && !isCarried) return undefined;
  if (status === 401 && hasPassword(args)) return PASSWORD_REFUSED;
  if (isCarried) return status === 401 ? REFUSED : NOT_ALLOWED;
  const named = (security ?? []).slice(0, MOST_NAMED).map((all) => all.join(' with '));
  const which = named.length === 0 ? '' : ` (its description calls it ${named.join(', or ')})`;
  const set = `with \`npx --no-install hosted-mcp credential set ${slug}\`, or under Credentials in the console`;
  return status === 401
    ? `[The target API wants a credential${which}, and this server has none set for this call. Calling again does not help, and you cannot mend it: the server's owner has to set one, ${set}.]`
    : `[The target API does not allow this call, which carried no credential${which}. If that is why, the server's owner has to set one, ${set}.]`;
};

const MOST_NAMED = 3;

/** For a 401 with a token that has been renewed since, where the call could not be repeated. */
export const RENEWED_NOTE =
  '[The target API refused the token that this server called it with, and the server has another one now. The call was not repeated, since it may have been carried out: look whether it was, and call again if not.]';

const PASSWORD_REFUSED =
  "[The target API refused the user name or password in the arguments, or it wants a credential that only this server's owner can set.]";

const REFUSED =
  "[The target API refused the credential that the owner of this server set: calling again does not help, and you cannot mend it. The server's owner has to set another one.]";

const NOT_ALLOWED =
  "[The target API does not allow this to the credential that the owner of this server set, or refuses it altogether. Other calls may be allowed; the server's owner can give it more rights.]";

export const withNote = (result: ToolResult, text: string | undefined): ToolResult =>
  text === undefined ? result : { ...result, content: [...result.content, { type: 'text', text }] };

/** Whether there is a password among arguments, three levels deep at most. */
const hasPassword = (args: unknown, depth = 0): boolean =>
  isObject(args) &&
  Object.entries(args).some(
    ([name, value]) => isPassword(name) || (depth < 2 && hasPassword(value, depth + 1)),
  );

const isPassword = (name: string): boolean =>
  ['password', 'passwd', 'passphrase'].some((end) => name.toLowerCase().endsWith(end));
