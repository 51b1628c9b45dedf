import { command } from '../command.ts';
import { findingsOf } from '../failure.ts';
import { jsonOf, textOf } from '../json.ts';
import { CHOICE_OPTIONS, choicesFrom } from '../input/choices.ts';
import { deploymentLines } from './deployments.ts';
import { confirmOpening, namingAllowed, YES } from '../input/opening.ts';
import { searchedIfTooLarge } from '../input/too-large.ts';

const list = command({
  name: 'gallery',
  summary: 'Lists ready descriptions of public APIs',
  run: async ({ api, output }) => {
    const gallery = await api.callOpenly('GET /gallery');
    const columns = {
      id: 'id',
      name: 'name',
      credential: 'credential',
      description: 'description',
    } as const;
    output.rows(gallery.items, columns, 'The gallery is empty.', gallery);
  },
});

/** All choices except those that the gallery makes. */
const { 'api-base': _, overrides: __, ...OPTIONS } = CHOICE_OPTIONS;

const deploy = command({
  name: 'gallery deploy',
  summary: 'Deploys one of them',
  places: ['id'],
  options: {
    slug: { value: 'NAME', help: 'its URL name; otherwise made from the title' },
    ...OPTIONS,
    ...YES,
  },
  run: async (context, { id }, { slug, yes, ...options }) => {
    const { api, ask, output } = context;
    const none = { 'api-base': undefined, overrides: undefined };
    const choices = await choicesFrom(ask, { ...options, ...none });
    await confirmOpening(context, { wanted: { ...choices, gallery_id: id }, yes });
    const deployment = await searchedIfTooLarge(output, choices, (chosen) =>
      namingAllowed(choices, () =>
        api.make('POST /gallery/{id}/deployments', { path: { id }, json: { slug, ...chosen } }),
      ),
    );
    output.result(deployment, deploymentLines(deployment));
    output.warnings(findingsOf(deployment.warnings));
    const help = textOf(jsonOf(deployment.gallery).credential_help);
    if (help !== undefined) output.note(`Credential: ${help}`);
  },
});

export const galleryCommands = [list, deploy];
