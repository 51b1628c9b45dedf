import { describe, expect, test } from '@jest/globals';
import { readWish, type Scope } from '../../../layers/core/domain/oauth/index.ts';

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
  const sent = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat()] as const],
  );
  return readWish(new Map(sent), state, registered);
};

describe('an authorization request', () => {
  test('needs a response type and a challenge, and no more', () => {
    expect(wish()).toEqual({ challenge: CHALLENGE, scopes: BOTH });
  });

  test('ignores what it does not know, twice and more', () => {
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
    ['scope', 'mcp.tools.write', 'invalid_scope'],
    ['scope', 'openid MCP.tools.read', 'invalid_scope'],
    ['scope', 'openid,email', 'invalid_scope'],
    ['resource', ['https://a.example', 'https://b.example'], 'invalid_target'],
    ['prompt', 'none', 'interaction_required'],
    ['prompt', ['login', 'login'], 'invalid_request'],
  ])('A1, D34 with %s %p is refused: %s', (name, value, code) => {
    expect(() => wish({ [name]: value })).toThrow(expect.objectContaining({ code }));
  });

  test('is refused with a state longer than any client needs, not one character earlier', () => {
    expect(() => wish({ state: 'a' }, 'a'.repeat(4097))).toThrow(
      expect.objectContaining({ code: 'invalid_request', why: 'The state is too long.' }),
    );
    expect(wish({ state: 'a' }, 'a'.repeat(4096))).toMatchObject({ challenge: CHALLENGE });
  });

  test.each(['login', 'consent', 'select_account', 'login consent'])(
    'asks a person anyway, so that prompt=%s changes nothing',
    (prompt) => {
      expect(wish({ prompt })).toMatchObject({ scopes: BOTH });
    },
  );
});

describe('D11 the scopes of an authorization request', () => {
  test.each([
    ['nothing is asked', undefined, BOTH],
    ['an empty scope is sent', '', BOTH],
    ['only identity is asked', 'email openid', ['openid', 'email', ...BOTH]],
    ['reading is asked', 'mcp.tools.read', ['mcp.tools.read']],
    ['names stand between pluses', 'openid+mcp.tools.execute', ['openid', 'mcp.tools.execute']],
    ['names stand between spaces', '  openid   profile ', ['openid', 'profile', ...BOTH]],
    ['a name is repeated', 'openid openid', ['openid', ...BOTH]],
  ])('%s', (_, scope, scopes) => {
    expect(wish({ scope })).toMatchObject({ scopes });
  });

  test('are those of the registration if the request names none', () => {
    expect(wish({}, undefined, ['openid', 'mcp.tools.read'])).toMatchObject({
      scopes: ['openid', 'mcp.tools.read'],
    });
  });

  test('are those of the request if it names some, whatever was registered', () => {
    expect(wish({ scope: 'mcp.tools.execute' }, undefined, ['openid'])).toMatchObject({
      scopes: ['mcp.tools.execute'],
    });
  });
});
