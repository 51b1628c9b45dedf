import { describe, expect, test } from '@jest/globals';
import type { ModelCall, ModelChoice, Turn } from '../../layers/openapi/model-apis/protocols.ts';
import { operationsAskedFor } from '../../layers/search/asked-operation.ts';

const calling = (tool: string, args: ModelCall['arguments']): ModelChoice => ({
  calls: [{ id: '1', tool, arguments: args }],
  text: '',
  said: {},
  inputTokens: 10,
  outputTokens: 1,
});

/** A model that answers so, one answer after the other. */
const asked = async (...answers: readonly ModelChoice[]) => {
  const looks: ModelCall[] = [];
  let turns: readonly Turn[] = [];
  const rest = [...answers];
  const choice = await operationsAskedFor(
    'Which pets are there?',
    async (sent) => {
      turns = sent;
      return rest.shift() ?? { why: 'the script has ended', ends: true };
    },
    async (call) => {
      looks.push(call);
      return { call, text: 'Give the name of an operation.', isError: true };
    },
  );
  return { choice, looks, turns };
};

describe('which operation a model calls in search mode', () => {
  test('is the first that it calls, after whatever searches, with the tokens of all answers', async () => {
    const { choice, looks } = await asked(
      calling('search_operations', { query: 'pets' }),
      calling('call_operation', { name: 'listPets', arguments: { limit: 3 } }),
    );

    expect(choice).toMatchObject({
      calls: [{ tool: 'listPets', arguments: { limit: 3 } }],
      inputTokens: 20,
      outputTokens: 2,
    });
    expect(looks.map(({ tool }) => tool)).toEqual(['search_operations']);
  });

  test.each([{}, { name: 7 }, { name: null, arguments: {} }])(
    'is none where a call names none (%j): the service says so, and the model goes on',
    async (nameless) => {
      const { choice, looks, turns } = await asked(
        calling('call_operation', nameless),
        calling('call_operation', { name: 'listPets' }),
      );

      expect(choice).toMatchObject({ calls: [{ tool: 'listPets', arguments: {} }] });
      expect(looks.map(({ tool }) => tool)).toEqual(['call_operation']);
      expect(turns.at(-1)).toMatchObject({ results: [{ isError: true }] });
    },
  );
});
