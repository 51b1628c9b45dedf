import { describe, expect, test } from '@jest/globals';
import {
  mayUse,
  type AccessPolicy,
} from '../../../../layers/deployments/rules/access/access-policy.ts';

const ALLOW_LIST: AccessPolicy = {
  mode: 'allow_list',
  emails: ['Ann@Example.com', 'grüße@bücher.example', 'kim@corp.example', '"a@b"@quoted.example'],
  domains: ['Firm.example', 'münchen.example', 'xn--strae-oqa.example', 'faß.example'],
};
const EMPTY_LIST: AccessPolicy = { mode: 'allow_list', emails: [], domains: [] };

const decided = (access: AccessPolicy, email: string, userId = 'somebody') =>
  mayUse({ ownerId: 'owner', access }, { userId, email });

describe('the owner of a deployment', () => {
  test.each<AccessPolicy>([{ mode: 'owner' }, ALLOW_LIST, EMPTY_LIST, { mode: 'any_user' }])(
    'may use the deployment under the access policy %j',
    (access) => {
      expect(decided(access, 'owner@elsewhere.example', 'owner')).toBe(true);
    },
  );

  test('is recognized by id and not by email address', () => {
    expect(decided({ mode: 'owner' }, 'owner')).toBe(false);
    expect(decided({ mode: 'owner' }, 'owner@elsewhere.example', 'Owner')).toBe(false);
  });
});

describe('a user who is not the owner of a deployment', () => {
  test('may use a deployment that is open to any user', () => {
    expect(decided({ mode: 'any_user' }, 'ann@example.com')).toBe(true);
  });

  test.each(['ann@example.com', '', '@', 'ann@'])('is refused by an empty list: %p', (email) => {
    expect(decided(EMPTY_LIST, email)).toBe(false);
  });
});

describe('the allow-list of a deployment', () => {
  test.each([
    'ann@example.com',
    'ANN@EXAMPLE.COM',
    'grüße@bücher.example',
    'grüße@xn--bcher-kva.example',
    '"a@b"@quoted.example',
    'anybody@firm.example',
    'ANYBODY@FIRM.EXAMPLE',
    '"odd@elsewhere.example"@firm.example',
    'anybody@xn--mnchen-3ya.example',
    'anybody@MÜNCHEN.example',
    'anybody@straße.example',
    'anybody@xn--fa-hia.example',
  ])('admits %p', (email) => {
    expect(decided(ALLOW_LIST, email)).toBe(true);
  });

  test.each([
    ['another mailbox', 'anne@example.com'],
    ['another domain', 'ann@example.org'],
    ['a mailbox with a tag', 'ann+tag@example.com'],
    ['a longer domain', 'ann@example.com.evil.example'],
    ['a trailing dot', 'anybody@firm.example.'],
    ['a subdomain', 'anybody@sub.firm.example'],
    ['a domain that ends alike', 'anybody@evilfirm.example'],
    ['the domain in the mailbox', 'firm.example@evil.example'],
    ['the domain before the last @', 'anybody@firm.example@evil.example'],
    ['a mailbox in quotes', '"ann@example.com"@evil.example'],
    ['a Cyrillic look-alike', 'anybody@f\u0456rm.example'],
    ['the two letters that ß once stood for', 'anybody@fass.example'],
    ['a Kelvin sign for a k', '\u212Aim@corp.example'],
    ['another case outside ASCII', 'grÜße@bücher.example'],
    ['spaces', ' ann@example.com'],
    ['a tab in the domain', 'anybody@firm.\texample'],
    ['a URL for a domain', 'anybody@münchen.example/path'],
    ['a port', 'anybody@münchen.example:443'],
    ['percent signs', 'anybody@m%C3%BCnchen.example'],
    ['no mailbox', '@firm.example'],
    ['no domain', 'ann@'],
    ['no @', 'firm.example'],
    ['nothing', ''],
  ])('refuses %s', (_, email) => {
    expect(decided(ALLOW_LIST, email)).toBe(false);
  });

  test.each(['', '@', '@firm.example', '*', '*.example', '.example', 'example', 'xn--a\u00df'])(
    'matches nobody by the incomplete entry %p',
    (entry) => {
      const access: AccessPolicy = { mode: 'allow_list', emails: [entry], domains: [entry] };
      for (const email of ['ann@firm.example', 'ann@', '@', '', 'firm.example']) {
        expect(decided(access, email)).toBe(false);
      }
    },
  );
});
