import { casesFile } from '../../layers/openapi/model-apis/cases.ts';
import { command } from '../command.ts';
import { textFrom } from '../input/ask.ts';
import { readCases } from '../models/cases.ts';
import { escaped } from '../text/plain.ts';
import { count } from '../text/words.ts';

const AT = '/deployments/{slug}/cases';

export const caseCommand = command({
  name: 'cases',
  summary: 'Shows the cases of a server as a file for eval, or replaces them by those of one',
  places: ['slug'],
  options: { set: { value: 'FILE', help: 'with all cases from now on; - reads standard input' } },
  details: [
    'The file is that of `eval`: `version: 1`, and `cases`, each with `wish`, `tool` (null: none) and, if you like,',
    '`arguments`. `eval --server SLUG` asks a model those that the service keeps.',
  ],
  run: async ({ api, ask, output }, { slug }, { set }) => {
    const path = { slug };
    const read = set === undefined ? undefined : readCases(set, await textFrom(ask, set), 0);
    const { body, headers } = await api.present(`GET ${AT}`, { path });
    if (!read) {
      if (body.cases.length === 0) output.note(`The service keeps no cases of ${slug}.`);
      return output.result(body, [escaped(casesFile(slug, body.cases))]);
    }
    const kept = await api.call(`PUT ${AT}`, { path, json: { cases: read.cases }, headers });
    output.result(kept, [`${slug} has ${count(kept.cases.length, 'case')} now.`]);
  },
});
