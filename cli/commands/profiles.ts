import { noProfile, profileIn, usualUrl } from '../accounts.ts';
import { command, type Context } from '../command.ts';
import { settingsFile } from '../settings.ts';
import { plain } from '../text/plain.ts';
import { moment } from '../text/time.ts';

const list = command({
  name: 'profile ls',
  summary: 'Lists the profiles: services and sessions under a name',
  details: [
    'npx --no-install hosted-mcp login --profile NAME --url URL makes one. --profile NAME or HOSTED_MCP_PROFILE uses it for one',
    'command; profile use for all that name none.',
  ],
  isLocal: true,
  run: async ({ output, world }) => {
    const { profiles = {}, ...settings } = await settingsFile(world).read();
    const items = Object.entries(profiles).map(([name, { url, session }]) => ({
      name,
      in_use: name === settings.profile,
      url,
      email: session?.email ?? null,
      expires_at: session ? new Date(session.expiresAt * 1000).toISOString() : null,
    }));
    output.rows(
      items,
      {
        name: 'name',
        'in use': (one) => (one.in_use ? 'yes' : ''),
        url: 'url',
        account: 'email',
        session: ({ expires_at: end }) => sessionText(end, world.now()),
      },
      'There is no profile: npx --no-install hosted-mcp login --profile NAME --url URL makes one.',
    );
    if (items.length > 0 && settings.profile === undefined) {
      output.note(`Commands without --profile go to ${usualUrl(settings)}.`);
    }
  },
});

const sessionText = (end: string | null, now: number): string => {
  if (end === null) return 'none';
  const at = Date.parse(end) / 1000;
  return at > now ? `until ${moment(at)}` : 'ended';
};

const use = command({
  name: 'profile use',
  summary: 'Sets the profile of commands that name none',
  places: ['name'],
  isLocal: true,
  run: async (context, { name }) => {
    const { file, settings, known } = await found(context, name);
    await file.write({ ...settings, profile: name });
    context.output.result({ name, url: known.url }, [
      `Commands go to ${plain(known.url)}, with the profile ${name}.`,
    ]);
  },
});

const remove = command({
  name: 'profile rm',
  summary: 'Forgets a profile and its session',
  places: ['name'],
  details: [
    'At the service nothing changes. Its session ends there within an hour; logout --profile NAME, before, ends it',
    'at once.',
  ],
  isLocal: true,
  run: async (context, { name }) => {
    const { file, settings } = await found(context, name);
    const { profile, profiles: { [name]: _, ...profiles } = {}, ...others } = settings;
    const isUsed = profile === name;
    await file.write({ ...others, profiles, ...(!isUsed && profile !== undefined && { profile }) });
    context.output.result({ removed: name }, [`The profile ${name} is forgotten.`]);
    if (isUsed) {
      context.output.note(`Commands without --profile go to ${usualUrl(others)}.`);
    }
  },
});

const found = async ({ world }: Context, name: string) => {
  const file = settingsFile(world);
  const settings = await file.read();
  const known = profileIn(settings, name);
  if (!known) throw noProfile(settings, name);
  return { file, settings, known };
};

export const profileCommands = [list, use, remove];
