import { PERSONAL_TOKEN_PREFIX } from '../layers/accounts/rules/token-scopes.ts';
import { Failure } from './failure.ts';

interface Signing {
  readonly given: string | undefined;
  /** Whether HOSTED_MCP_TRUST has signed in. */
  readonly isMachine: boolean;
  /** Whether there is a terminal. */
  readonly isPerson: boolean;
}

const MAKE = 'npx --no-install hosted-mcp personal-token add NAME --scope SCOPE';

/** Adds to a refused sign-in the variable it came from, and what to do where nobody can sign in. */
export const tokenFault = (failure: Failure, signing: Signing): Failure => {
  const hint = hintFor(failure.code, signing);
  if (hint === undefined) return failure;
  const { exitCode, code, message, details } = failure;
  const variable = variableOf(signing);
  return new Failure(exitCode, code, variable === undefined ? message : `${variable}: ${message}`, {
    ...details,
    hint,
  });
};

const variableOf = ({ given, isMachine }: Signing): string | undefined => {
  if (given) return 'HOSTED_MCP_TOKEN';
  return isMachine ? 'HOSTED_MCP_TRUST' : undefined;
};

const hintFor = (code: string, { given, isMachine, isPerson }: Signing): string | undefined => {
  const isSignedOut = code === 'invalid_session';
  if (code === 'token_not_allowed') {
    if (given) return `A person makes one of another scope (${MAKE}) and sets HOSTED_MCP_TOKEN.`;
    return isMachine
      ? 'A person makes a trust of another scope: npx --no-install hosted-mcp trust add NAME --scope SCOPE'
      : undefined;
  }
  if (isSignedOut && given) {
    const isOther = given.startsWith(PERSONAL_TOKEN_PREFIX)
      ? ''
      : `It holds no personal access token (${PERSONAL_TOKEN_PREFIX}…). `;
    return `${isOther}Make one (${MAKE}), and set HOSTED_MCP_TOKEN to it.`;
  }
  if (isSignedOut && isMachine) {
    return 'A sign-in by a trust lasts a quarter of an hour. Start the job again.';
  }
  if (code === 'not_signed_in' && !isPerson && !isMachine) {
    return 'Sign in: npx --no-install hosted-mcp login. In CI set HOSTED_MCP_TOKEN or HOSTED_MCP_TRUST.';
  }
  return undefined;
};
