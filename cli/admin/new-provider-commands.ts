import { command } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { OUT, STANDARD, writeNew } from '../files.ts';
import { plain } from '../text/plain.ts';
import { OWN, PROVIDER_KINDS, PROVIDER_PRESETS, type ProviderPreset } from './provider-presets.ts';

export const adminNewProviderCommand = command({
  name: 'admin new-provider',
  summary: 'Writes the entry of an identity provider, to be applied, and says what to do there',
  places: ['kind'],
  isLocal: true,
  options: {
    id: { value: 'ID', help: 'its short name, in the redirect URI; company if omitted' },
    name: { value: 'NAME', help: 'what people call it' },
    domain: { value: 'DOMAIN', multiple: true, help: 'of its addresses; may be repeated' },
    issuer: { value: 'URL', help: 'exactly as the provider has it' },
    tenant: { value: 'ID', help: 'of Entra: the id of the directory, in place of --issuer' },
    'client-id': { value: 'ID', help: 'of the application that you registered there' },
    out: { ...OUT, help: 'write it there; - is standard output' },
  },
  details: [
    `KIND is one of ${PROVIDER_KINDS.join(', ')}.`,
    'What is not said is a word in capitals, in whose place you put your own. Nothing is sent.',
  ],
  run: async ({ output }, { kind }, given) => {
    const preset = presetOf(kind);
    const id = given.id ?? 'company';
    const entry = entryOf(preset, { ...given, id, clientId: given['client-id'] });
    const text = JSON.stringify([entry], undefined, 2);
    const { out } = given;
    if (out !== undefined && out !== STANDARD) await writeNew(new Map([[out, `${text}\n`]]));
    for (const line of preset.says) output.note(line);
    output.note(
      `Redirect URI: https://YOUR_HOST/v1/mcp-oauth-server/sign-in/${plain(id)}/callback`,
    );
    output.note(
      'Then: npx --no-install hosted-mcp admin apply-providers, provider-secret, check-provider.',
    );
    const isFile = out !== undefined && out !== STANDARD;
    output.result(
      { providers: [entry], says: preset.says },
      isFile ? [`${plain(out)} is written.`] : [text],
    );
  },
});

const presetOf = (kind: string): ProviderPreset => {
  const found = PROVIDER_KINDS.find((one) => one === kind);
  if (found) return PROVIDER_PRESETS[found];
  throw usageFailure(
    `There is no preset "${plain(kind)}".`,
    `Write one of ${PROVIDER_KINDS.join(', ')}; docs/access.md has the members of any other.`,
  );
};

interface Given {
  readonly id: string;
  readonly name?: string | undefined;
  readonly domain?: readonly string[] | undefined;
  readonly issuer?: string | undefined;
  readonly tenant?: string | undefined;
  readonly clientId?: string | undefined;
}

const entryOf = (
  { issuer, members, signIn }: ProviderPreset,
  { id, name, domain = [], issuer: said, tenant, clientId = OWN.clientId }: Given,
) => ({
  id,
  name: name ?? id,
  issuer: said ?? (tenant === undefined ? issuer : issuer.replace(OWN.tenant, tenant)),
  email_domains: domain.length === 0 ? [OWN.domain] : domain,
  ...members,
  create_accounts: true,
  deployments: 'all',
  sign_in: { client_id: clientId, ...signIn },
});
