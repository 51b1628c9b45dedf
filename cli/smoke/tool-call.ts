import { failed, ok, skipped, type Step } from '../doctor/step.ts';
import { statusFault, type Visit } from '../doctor/visit.ts';
import { jsonOf, listOf, numberOf, textOf } from '../json.ts';

const CALL = {
  jsonrpc: '2.0',
  id: 4,
  method: 'tools/call',
  params: { name: 'getPage', arguments: {} },
};

/** One call of the one tool of the description that was uploaded. */
export const toolCall = async (
  visit: Visit,
  messages: string,
  token: string | undefined,
): Promise<Step> => {
  const name = 'tool call';
  if (token === undefined) return skipped(name, 'there is no token');
  const answer = await visit.rpc(messages, CALL, { authorization: `Bearer ${token}` });
  const wrong = statusFault(answer, [200]);
  if (wrong) return failed(name, wrong);
  const { result, error } = answer.json ?? {};
  const text = textOf(listOf(jsonOf(result)['content'])[0]?.['text']) ?? '';
  const isGood = error === undefined && text !== '' && jsonOf(result)['isError'] !== true;
  if (isGood) return ok(name, `a tool answers, ${text.length} characters`);
  const message = textOf(jsonOf(error)['message']) ?? (text || 'nothing');
  const code = numberOf(jsonOf(error)['code']);
  return failed(name, {
    what: `it ends with ${code === undefined ? '' : `${code}: `}${message.slice(0, 200)}`,
    cause: 'The API behind it does not answer, or functions cannot reach it.',
    hint: 'Choose another page with --target; it must answer a GET without a login.',
  });
};
