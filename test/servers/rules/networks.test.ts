import { describe, expect, test } from '@jest/globals';
import {
  checkNetwork,
  examinedNetwork,
  networkFor,
  networksOf,
} from '../../../layers/servers/rules/networks.ts';

const OPEN = { name: 'open', hosts: ['*.open.internal'], http: false };
const OURS = { name: 'ours', hosts: ['10.20.0.5'], http: true, domains: ['acme.com'] };
const NETWORKS = [OPEN, OURS];

describe('the networks of a service', () => {
  test('are those that somebody may use', () => {
    expect(networksOf(NETWORKS, 'ann@acme.com')).toEqual([OPEN, OURS]);
    expect(networksOf(NETWORKS, 'bob@other.example')).toEqual([OPEN]);
    expect(networksOf(undefined, 'ann@acme.com')).toEqual([]);
  });

  test('hide one that is not your own as one that is not there', () => {
    const refused = (name: string, email: string | undefined): unknown => {
      try {
        checkNetwork(NETWORKS, name, email);
        return undefined;
      } catch (error) {
        return JSON.stringify([error, (error as Error).message]);
      }
    };

    expect(refused('ours', 'ann@acme.com')).toBeUndefined();
    expect(refused('ours', undefined)).toBeUndefined();
    expect(refused('ours', 'bob@other.example')).toBeDefined();
    expect(refused('ours', 'bob@other.example')).toBe(refused('absent', 'bob@other.example'));
  });

  test('fetch what is on their hosts, and nothing else', () => {
    expect(networkFor(NETWORKS, 'open', 'https://a.open.internal/openapi.json')).toBe('open');
    expect(networkFor(NETWORKS, 'open', 'https://open.internal.example/')).toBeUndefined();
    expect(networkFor(NETWORKS, 'absent', 'https://a.open.internal/')).toBeUndefined();
    expect(networkFor(NETWORKS, undefined, 'https://a.open.internal/')).toBeUndefined();
  });

  test.each([
    ['open', 'https://a.open.internal/v1', 'ok'],
    ['open', 'http://a.open.internal/v1', 'failed'],
    ['open', 'https://elsewhere.example', 'failed'],
    ['ours', 'http://10.20.0.5', 'ok'],
    ['absent', 'https://a.open.internal', 'failed'],
  ])('are examined by the doctor: %s with %s is %s', (network, apiBaseUrl, outcome) => {
    expect(examinedNetwork(NETWORKS, { network, apiBaseUrl })).toMatchObject([{ outcome }]);
  });
});
