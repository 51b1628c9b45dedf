import { member } from '../../layers/platform/rules/json/json.ts';
import { EXIT, type ExitCode, Failure, findingsOf } from '../failure.ts';
import { isJson, type Json, parsed, stringOf, textOf } from '../json.ts';
import { duration } from '../text/time.ts';
import { withServers } from '../text/words.ts';
import type { Answer } from './exchange.ts';

/** Source: RFC 9457; docs/decisions/management.md, "Errors of the management API". */
export const failureOf = (answer: Answer, baseUrl: string): Failure => {
  const { status } = answer;
  const body = parsed(answer.text);
  if (isJson(body) && textOf(body.code) !== undefined) return problemFailure(answer, body);
  if (status >= 500 || status === 429) {
    const hint = retryHint(answer) ?? 'Try again in a moment.';
    const what = status === 429 ? 'asks for fewer requests' : 'has a problem of its own';
    return new Failure(EXIT.refused, 'service_error', `The service ${what} (HTTP ${status}).`, {
      status,
      hint,
    });
  }
  if (status === 413) {
    // API Gateway takes 10 MB, and says so before the service is asked.
    const what = 'This is more than the service takes at once (HTTP 413).';
    return new Failure(EXIT.refused, 'payload_too_large', what, {
      status,
      hint: 'Leave out what is not needed: operations, examples, schemas.',
    });
  }
  const where = answer.headers.get('location');
  return new Failure(
    EXIT.unreachable,
    'not_the_service',
    where === null
      ? `${baseUrl} answers, but not as the management API does (HTTP ${status}).`
      : `${baseUrl} redirects to ${where}, and what is sent is not for others.`,
    { status, hint: 'The base URL ends in /v1 as a rule: give the right one with --url.' },
  );
};

const problemFailure = (answer: Answer, body: Json): Failure => {
  const { status } = answer;
  const code = stringOf(body.code);
  const detail = withServers(textOf(body.detail) ?? textOf(body.title) ?? code);
  const limit = textOf(body.limit);
  const hint = member(HINTS, code) ?? retryHint(answer);
  return new Failure(
    exitCodeOf(status, code),
    code,
    limit === undefined ? detail : `${detail} (limit ${limit})`,
    {
      status,
      findings: findingsOf(body.findings ?? body.errors),
      retryAfterSeconds: retryAfter(answer),
      ...(hint !== undefined && { hint }),
    },
  );
};

const exitCodeOf = (status: number, code: string): ExitCode => {
  if (status === 401 && code !== 'invalid_credentials') return EXIT.notSignedIn;
  if (status === 404) return EXIT.notFound;
  return EXIT.refused;
};

const retryHint = (answer: Answer): string | undefined => {
  const seconds = retryAfter(answer);
  return seconds === undefined ? undefined : `Try again in ${duration(seconds)}.`;
};

const retryAfter = ({ headers }: Answer): number | undefined => {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return seconds >= 0 ? seconds : undefined;
};

const HINTS: Readonly<Record<string, string>> = {
  invalid_session: 'Sign in: npx --no-install hosted-mcp login',
  invalid_credentials:
    'Not verified yet? npx --no-install hosted-mcp verify TOKEN, with the token of the mail. Several wrong tries lock an account for a while.',
  slug_taken: 'Choose another name with --slug NAME.',
  machine_refused:
    'Mend the trust (npx --no-install hosted-mcp trust ls, by a person), or the workflow.',
  managed:
    'npx --no-install hosted-mcp release SLUG makes it yours to change again; --override-manager makes one change that the next apply undoes; apply --adopt takes over what is there.',
  stale:
    'It was changed from somewhere else while this command ran, and nothing is overwritten. Look at it, then try again.',
  plan_stale:
    'Nothing was changed. Look again, with the same command or with plan, and go on if it is still what you want.',
  idempotency_key_in_use:
    'The first try was cut off and goes on at the service: npx --no-install hosted-mcp ls shows what came of it.',
  too_many_operations:
    'Choose operations with --include and --exclude, or take all of them with --tool-mode search.',
};
