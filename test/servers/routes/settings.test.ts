import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DEFAULT_LIMITS } from '../../../layers/limits/rules/limits.ts';
import {
  PUBLICATION_SETTINGS,
  SERVING_SETTINGS,
} from '../../../layers/deployments/rules/settings.ts';
import { certificate } from '../../support/target/target-server.ts';
import { aDescription } from '../../support/openapi/descriptions.ts';
import {
  aManagementService,
  type Owner,
  type TestManagement,
} from '../../support/service/management.ts';

let service: TestManagement;
let owner: Owner;
beforeAll(async () => {
  service = await aManagementService({ limits: { active_deployments_per_user: 100 } });
  owner = await service.owner({ plan: 'pro' });
});
afterAll(() => service.stop());

const call = (method: string, path: string, body?: object, query = '') =>
  service.call(method, path, { as: owner, query, ...(body && { body }) });

/** Of settings that have neither a list of values nor a limit. */
const OTHERS: Readonly<Record<string, unknown>> = {
  requestHeaders: { 'X-Tenant': 'acme' },
  certificateAuthorities: [certificate],
};

/** Of each setting: what holds at first, and another value. */
const SETTINGS = Object.entries({ ...SERVING_SETTINGS, ...PUBLICATION_SETTINGS }).map(
  ([name, setting]) => ({
    name: name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    initial:
      'initial' in setting
        ? setting.initial
        : setting.limit === undefined
          ? null
          : DEFAULT_LIMITS[setting.limit],
    other:
      'options' in setting.value
        ? setting.value.options[1]
        : 'initial' in setting
          ? OTHERS[name]
          : setting.limit === undefined
            ? 90
            : 12_345,
    isText: 'options' in setting.value,
  }),
);

describe.each(SETTINGS)('the setting $name', ({ name, initial, other, isText }) => {
  const slug = name.replaceAll('_', '-');
  const shown = async (of: string) => (await call('GET', `/deployments/${of}`)).body[name];

  test('has its first value until another is said, and goes back to it', async () => {
    await call('POST', '/deployments', { openapi: aDescription(), slug });
    expect(await shown(slug)).toEqual(initial);

    const changed = await call('PATCH', `/deployments/${slug}`, { [name]: other });
    expect(changed).toMatchObject({ status: 200, body: { [name]: other } });
    expect(await shown(slug)).toEqual(other);

    await call('PATCH', `/deployments/${slug}`, { name: 'Other' });
    expect(await shown(slug)).toEqual(other);

    await call('PATCH', `/deployments/${slug}`, { [name]: initial });
    expect(await shown(slug)).toEqual(initial);
  });

  test('is said when a deployment is made, in the body or in the query, and stands in lists', async () => {
    const body = { openapi: aDescription(), slug: `${slug}-body`, [name]: other };
    expect(await call('POST', '/deployments', body)).toMatchObject({ status: 201 });
    const said = isText ? String(other) : encodeURIComponent(JSON.stringify(other));
    const query = `slug=${slug}-query&${name}=${said}`;
    expect(await call('POST', '/deployments', aDescription(), query)).toMatchObject({
      status: 201,
    });

    const { body: list } = await call('GET', '/deployments', undefined, 'limit=100');
    for (const made of [`${slug}-body`, `${slug}-query`]) {
      expect(await shown(made)).toEqual(other);
      expect(list['items']).toContainEqual(
        expect.objectContaining({ slug: made, [name]: other }) as object,
      );
    }
  });

  test.each(['nonsense', 7.5, ['off']])('is refused as %j, by its name', async (value) => {
    const body = { openapi: aDescription(), slug: `${slug}-bad`, [name]: value };

    expect(await call('POST', '/deployments', body)).toMatchObject({
      status: 422,
      body: { findings: [{ where: `/${name}` }] },
    });
  });
});

describe('headers that go with each call', () => {
  const refusal = async (headers: object) => {
    const body = { openapi: aDescription(), slug: 'bad-headers', request_headers: headers };
    const { status, body: answer } = await call('POST', '/deployments', body);
    expect(status).toBe(422);
    const [finding] = answer['findings'] as { where: string; hint: string }[];
    return [finding?.where, finding?.hint];
  };

  test.each([
    ['a secret of the credential', 'Authorization', 'Bearer x', /Set Authorization as the cred/],
    ['cookies', 'cookie', 'a=b', /Set cookie as the credential/],
    ['the address', 'Host', 'other.example', /decides about the connection/],
    ['the form of the body', 'Content-Type', 'text/plain', /decides about the connection/],
    ['the coding of the body', 'Content-Encoding', 'gzip', /decides about the connection/],
    ['a signature', 'X-Amz-Security-Token', 'x', /decides about the connection/],
    ['the sender', 'X-Forwarded-For', '10.0.0.1', /decides about the connection/],
    ['a trace', 'traceparent', '00-1', /decides about the connection/],
    ['no name', 'X Tenant', 'x', /no name of a header/],
    ['a second header', 'X-Tenant', 'a\r\nX-Admin: 1', /printable ASCII/],
    ['nothing', 'X-Tenant', '', /needs 1 to 1000/],
    ['more than servers take', 'X-Tenant', 'x'.repeat(1001), /needs 1 to 1000/],
  ])('may not be %s', async (_, name, value, what) => {
    expect(await refusal({ [name]: value })).toEqual([
      `/request_headers/${name}`,
      expect.stringMatching(what),
    ]);
  });

  test('may not be there twice, nor more than twenty', async () => {
    expect(await refusal({ 'X-A': '1', 'x-a': '2' })).toEqual([
      '/request_headers/x-a',
      expect.stringMatching(/twice/),
    ]);
    const many = Object.fromEntries(Array.from({ length: 21 }, (__, n) => [`X-${n}`, 'x']));
    expect(await refusal(many)).toEqual(['/request_headers', expect.stringMatching(/at most 20/)]);
  });
});

describe('certificates that calls trust', () => {
  const refusal = async (certificates: readonly string[]) => {
    const body = {
      openapi: aDescription(),
      slug: 'bad-certificates',
      certificate_authorities: certificates,
    };
    const { status, body: answer } = await call('POST', '/deployments', body);
    expect(status).toBe(422);
    return (answer['findings'] as { where: string }[]).map(({ where }) => where);
  };

  test('are one each, and three at most', async () => {
    expect(await refusal(['none'])).toEqual(['/certificate_authorities']);
    expect(await refusal([certificate, certificate + certificate])).toEqual([
      '/certificate_authorities',
    ]);
    expect(await refusal(Array.from({ length: 4 }, () => certificate))).toEqual([
      '/certificate_authorities',
    ]);
  });

  test.each(['PRIVATE KEY', 'ENCRYPTED PRIVATE KEY', 'RSA PRIVATE KEY', 'TRUSTED CERTIFICATE'])(
    'hold no %s, which would be kept and shown with them',
    async (label) => {
      const beside = `-----BEGIN ${label}-----\nAAAA\n-----END ${label}-----\n`;

      for (const text of [certificate + beside, beside + certificate]) {
        expect(await refusal([text])).toEqual(['/certificate_authorities']);
      }
    },
  );
});
