import { describe, expect, test } from '@jest/globals';
import {
  checkPrompt,
  checkResponseType,
  checkState,
  readCodeChallenge,
  readRequestedScopes,
} from '../../../../layers/oauth/rules/authorization/authorization.ts';
import { readResource } from '../../../../layers/oauth/rules/parameters.ts';
import type { Scope } from '../../../../layers/tokens/rules/oauth-records.ts';

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const BOTH = ['mcp.tools.read', 'mcp.tools.execute'];

type Sent = Readonly<Record<string, string | readonly string[] | undefined>>;

const wish = (over: Sent = {}, state?: string, registered: readonly Scope[] = []) => {
  const all: Sent = {
    response_type: 'code',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...over,
  };
  const sent = new Map(
    Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat()] as const],
    ),
  );
  checkState(sent, state);
  checkResponseType(sent);
  readResource(sent);
  checkPrompt(sent);
  return { codeChallenge: readCodeChallenge(sent), scopes: readRequestedScopes(sent, registered) };
};

describe('an authorization request', () => {
  test('needs only a response type and a code challenge', () => {
    expect(wish()).toEqual({ codeChallenge: CHALLENGE, scopes: BOTH });
  });

  test('may contain unknown parameters, even repeated ones, which are ignored', () => {
    expect(wish({ nonce: ['a', 'b'], display: 'popup', login_hint: 'ada' })).toMatchObject({
      scopes: BOTH,
    });
  });

  test.each([
    ['response_type', undefined, 'invalid_request'],
    ['response_type', '', 'invalid_request'],
    ['response_type', 'token', 'unsupported_response_type'],
    ['response_type', 'code id_token', 'unsupported_response_type'],
    ['response_type', 'CODE', 'unsupported_response_type'],
    ['response_type', ['code', 'code'], 'invalid_request'],
    ['code_challenge', undefined, 'invalid_request'],
    ['code_challenge', '', 'invalid_request'],
    ['code_challenge', CHALLENGE.slice(1), 'invalid_request'],
    ['code_challenge', `${CHALLENGE}a`, 'invalid_request'],
    ['code_challenge', CHALLENGE.replace('E', '+'), 'invalid_request'],
    ['code_challenge', `${CHALLENGE}=`, 'invalid_request'],
    ['code_challenge', [CHALLENGE, CHALLENGE], 'invalid_request'],
    ['code_challenge_method', undefined, 'invalid_request'],
    ['code_challenge_method', 'plain', 'invalid_request'],
    ['code_challenge_method', 's256', 'invalid_request'],
    ['code_challenge_method', ['S256', 'S256'], 'invalid_request'],
    ['state', ['a', 'b'], 'invalid_request'],
    ['scope', ['openid', 'openid'], 'invalid_request'],
    ['resource', ['https://a.example', 'https://b.example'], 'invalid_target'],
    ['prompt', 'none', 'interaction_required'],
    ['prompt', ['login', 'login'], 'invalid_request'],
  ])('is refused where %s is %p, with the error code %s', (name, value, code) => {
    expect(() => wish({ [name]: value })).toThrow(expect.objectContaining({ code }));
  });

  test('may have a state of 4,096 characters, but not of 4,097', () => {
    expect(() => wish({ state: 'a' }, 'a'.repeat(4097))).toThrow(
      expect.objectContaining({ code: 'invalid_request', why: 'The state is too long.' }),
    );
    expect(wish({ state: 'a' }, 'a'.repeat(4096))).toMatchObject({ codeChallenge: CHALLENGE });
  });

  test.each(['login', 'consent', 'select_account', 'login consent'])(
    'with prompt=%s is accepted, since the user is asked at every request anyway',
    (prompt) => {
      expect(wish({ prompt })).toMatchObject({ scopes: BOTH });
    },
  );
});

describe('the scopes of an authorization request', () => {
  test.each([
    ['the request has no scope parameter', undefined, BOTH],
    ['the scope parameter is empty', '', BOTH],
    ['the scope names only identity scopes', 'email openid', ['openid', 'email', ...BOTH]],
    ['the scope names only the reading of tools', 'mcp.tools.read', ['mcp.tools.read']],
    ['names are separated by pluses', 'openid+mcp.tools.execute', ['openid', 'mcp.tools.execute']],
    ['names are separated by spaces', '  openid   profile ', ['openid', 'profile', ...BOTH]],
    ['a name is repeated', 'openid openid', ['openid', ...BOTH]],
    ['a name is one of OpenID Connect alone', 'openid offline_access', ['openid', ...BOTH]],
    ['all names are of OpenID Connect alone', ' offline_access', BOTH],
    ['a name is unknown', 'openid repo', ['openid', ...BOTH]],
    ['all names are unknown', 'repo user mcp.tools.write', BOTH],
    ['a name is written otherwise', 'email OPENID', ['email', ...BOTH]],
  ])('are read where %s', (_, scope, scopes) => {
    expect(wish({ scope })).toMatchObject({ scopes });
  });

  test('are those of the client registration where the request names none', () => {
    expect(wish({}, undefined, ['openid', 'mcp.tools.read'])).toMatchObject({
      scopes: ['openid', 'mcp.tools.read'],
    });
  });

  test('are at most those that the client has registered', () => {
    const registered = ['openid', 'mcp.tools.read'] as const;
    const all = 'openid email mcp.tools.read mcp.tools.execute';

    expect(wish({ scope: all }, undefined, registered)).toMatchObject({ scopes: registered });
    expect(wish({ scope: 'email openid' }, undefined, registered)).toMatchObject({
      scopes: registered,
    });
    expect(wish({ scope: all }, undefined, [])).toMatchObject({
      scopes: ['openid', 'email', ...BOTH],
    });
  });

  test('are refused where the client has registered none of them', () => {
    expect(() => wish({ scope: 'mcp.tools.execute' }, undefined, ['openid'])).toThrow(
      expect.objectContaining({ code: 'invalid_scope' }),
    );
  });
});
