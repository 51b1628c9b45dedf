import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dynamoAccessTokens } from '../../../layers/tokens/store/access-tokens.ts';
import { dynamoGrants } from '../../../layers/oauth/store/grants.ts';
import { dynamoRefreshTokens } from '../../../layers/oauth/store/grant-items.ts';
import { OAuthRefusal } from '../../../layers/platform/rules/refusal/oauth-refusal.ts';
import { HOUR } from '../../../layers/platform/rules/time.ts';
import { refresh } from '../../../layers/oauth/steps/tokens/refresh.ts';
import { redeem } from '../../support/oauth/oauth-requests.ts';
import { anOAuthService, NOON, type TestCode, type TestOAuth } from '../../support/oauth/oauth.ts';
import { runs } from '../../support/generated/runs.ts';
import type { PortsOf } from '../../../layers/platform/ports.ts';

let service: TestOAuth;
/** Two that share nothing but the tables. */
let instances: readonly PortsOf<typeof refresh>[];
beforeAll(async () => {
  service = await anOAuthService();
  const { store, ports } = service;
  const table = store.tableName('oauth');
  const another = store.instance();
  const second = {
    ...ports,
    grants: dynamoGrants(another, table, ports.settings.limits),
    refreshTokens: dynamoRefreshTokens(another, table),
    accessTokens: dynamoAccessTokens(another, table),
  };
  instances = [ports, second];
});
afterAll(() => service.stop());

/** What somebody does with a refresh token, after a while. */
interface Act {
  /** Of the ones that a thief has; a client has one. */
  readonly pick: number;
  readonly answer: 'arrives' | 'is lost' | 'comes twice, for two requests at once';
  readonly instance: number;
  readonly afterSeconds: number;
}
interface Turn extends Act {
  readonly who: 'client' | 'thief';
  /** As the one before has not ended yet. */
  readonly meanwhile: boolean;
}
/** Rounds are an hour apart: as long as an access token lives. */
type Round = readonly Turn[];

const act = {
  pick: fc.nat(20),
  answer: fc.constantFrom<Act['answer']>(
    'arrives',
    'arrives',
    'is lost',
    'comes twice, for two requests at once',
  ),
  instance: fc.nat(1),
  afterSeconds: fc.constantFrom(0, 1, 59, 60, 61, 600),
};
const roundsOf = (who: fc.Arbitrary<Turn['who']>): fc.Arbitrary<readonly Round[]> =>
  fc.array(
    fc.array(fc.record<Turn>({ who, ...act, meanwhile: fc.boolean() }), {
      minLength: 1,
      maxLength: 4,
    }),
    { minLength: 2, maxLength: 5 },
  );

const undefinedIfInvalid = (error: unknown): undefined => {
  if (!(error instanceof OAuthRefusal) || error.code !== 'invalid_grant') throw error;
};

/** Somebody who holds refresh tokens of a grant. */
const aHolder = (code: TestCode, ...tokens: readonly string[]) => {
  const held = [...tokens];
  const show = async (token: string, instance: number): Promise<string | undefined> => {
    const request = {
      sent: new Map([
        ['refresh_token', [token]],
        ['client_id', [code.grant.clientId]],
      ]),
      authorization: undefined,
      sourceIp: '192.0.2.1',
    };
    const issued = await refresh(instances[instance]!, request).catch(undefinedIfInvalid);
    return issued?.refreshToken;
  };
  return {
    held,
    /** @returns the tokens that came, none if it was refused */
    use: async ({ answer, instance }: Act, token: string): Promise<readonly string[]> => {
      const asked =
        answer === 'comes twice, for two requests at once' ? [instance, 1 - instance] : [instance];
      const came = await Promise.all(asked.map((one) => show(token, one)));
      return came.filter((one) => one !== undefined);
    },
  };
};

/** Plays rounds on a grant of its own. @returns what each round came to */
const play = async (rounds: readonly Round[]) => {
  const code = await service.code();
  const { refresh_token } = await redeem(service, code);
  const client = aHolder(code, refresh_token);
  // Stolen before the first round.
  const thief = aHolder(code, refresh_token);
  const isOver = async () => (await service.ports.grants.find(code.grant.id)) === undefined;

  /** A client goes on with one of the answers that it got, and knows of no other. */
  const clientActs = async (turn: Turn) => {
    const came = await client.use(turn, client.held[0]!);
    const next = came[turn.pick % Math.max(came.length, 1)];
    if (next !== undefined && turn.answer !== 'is lost') client.held[0] = next;
    return { refused: came.length === 0, answered: came.length > 0 && turn.answer !== 'is lost' };
  };
  /** A thief tries any that he has ever seen. */
  const thiefActs = async (turn: Turn) => {
    const came = await thief.use(turn, thief.held[turn.pick % thief.held.length]!);
    thief.held.push(...came);
    return { refused: came.length === 0, answered: came.length > 0 };
  };

  const played = [];
  for (const [number, round] of rounds.entries()) {
    service.clock.time = NOON + number * HOUR;
    const outcomes: Promise<{ who: Turn['who']; refused: boolean; answered: boolean }>[] = [];
    for (const turn of round) {
      if (!turn.meanwhile) await Promise.all(outcomes);
      service.clock.time += turn.afterSeconds;
      const outcome = turn.who === 'client' ? clientActs(turn) : thiefActs(turn);
      outcomes.push(outcome.then((one) => ({ who: turn.who, ...one })));
    }
    const all = await Promise.all(outcomes);
    const some = (who: Turn['who'], what: 'refused' | 'answered') =>
      all.some((one) => one.who === who && one[what]);
    played.push({
      bothTookPart: new Set(all.map(({ who }) => who)).size === 2,
      bothWereAnswered: some('client', 'answered') && some('thief', 'answered'),
      clientWasRefused: some('client', 'refused'),
      isOver: await isOver(),
    });
  }
  service.clock.time = NOON;
  return played;
};

const MODEL = { seed: 20_261_120, numRuns: runs(60), endOnFailure: true } as const;

describe('the refresh tokens of a public client', () => {
  test('never strand it, whatever is lost or sent twice', async () => {
    // A client waits for its answers: what it sends at once, it sends with one token.
    const honest = roundsOf(fc.constant('client')).map((rounds) =>
      rounds.map((round) => round.map((turn) => ({ ...turn, meanwhile: false }))),
    );
    await fc.assert(
      fc.asyncProperty(honest, async (rounds) => {
        for (const { clientWasRefused, isOver } of await play(rounds)) {
          expect({ clientWasRefused, isOver }).toEqual({ clientWasRefused: false, isOver: false });
        }
      }),
      MODEL,
    );
  });

  test('tell of a thief in the second round at the latest in which both take part', async () => {
    let seconds = 0;
    await fc.assert(
      fc.asyncProperty(roundsOf(fc.constantFrom('client', 'thief')), async (rounds) => {
        const played = await play(rounds);
        const first = played.findIndex(({ bothWereAnswered }) => bothWereAnswered);
        const second = played.findIndex(
          ({ bothTookPart }, number) => first >= 0 && number > first && bothTookPart,
        );
        if (second < 0) return;
        seconds += 1;
        expect(played[second]?.isOver).toBe(true);
      }),
      MODEL,
    );
    expect(seconds).toBeGreaterThan(runs(5));
  });
});
