import { pathOf } from '../api/api.ts';
import { type Command, command } from '../command.ts';
import { jsonOf, listOf, textOf } from '../json.ts';
import { CHOICE_OPTIONS, choicesFrom } from '../input/choices.ts';
import { deploymentLines } from './deployments.ts';
import { confirmOpening, namingAllowed, YES } from '../input/opening.ts';
import { searchedIfTooLarge } from '../input/too-large.ts';
import { findingsIn } from '../text/findings.ts';

const list = command({
  name: 'gallery',
  summary: 'Lists ready descriptions of public APIs',
  places: [],
  options: {},
  run: async ({ api, output }) => {
    const gallery = await api.callOpenly('GET', '/gallery');
    output.rows(
      gallery,
      listOf(gallery['items']),
      {
        id: (one) => one['id'],
        name: (one) => one['name'],
        credential: (one) => one['credential'],
        description: (one) => one['description'],
      },
      'The gallery is empty.',
    );
  },
});

/** All that can be chosen but for what the gallery has chosen. */
const { 'api-base': _, overrides: __, ...OPTIONS } = CHOICE_OPTIONS;

const deploy = command({
  name: 'gallery deploy',
  summary: 'Deploys one of them',
  places: ['id'],
  options: {
    slug: { value: 'NAME', help: 'its name in its address; otherwise made from the title' },
    ...OPTIONS,
    ...YES,
  },
  run: async (context, { id }, { slug, yes, ...options }) => {
    const { api, ask, output } = context;
    const choices = await choicesFrom(ask, {
      ...options,
      'api-base': undefined,
      overrides: undefined,
    });
    await confirmOpening(context, { wanted: { ...choices, gallery_id: id }, yes });
    const deployment = await searchedIfTooLarge(output, choices, (chosen) =>
      namingAllowed(choices, () =>
        api.make(`${pathOf('gallery', id)}/deployments`, { json: { slug, ...chosen } }),
      ),
    );
    output.result(deployment, deploymentLines(deployment));
    output.warnings(findingsIn(deployment));
    const help = textOf(jsonOf(deployment['gallery'])['credential_help']);
    if (help !== undefined) output.note(`Credential: ${help}`);
  },
});

export const galleryCommands: readonly Command[] = [list, deploy];
