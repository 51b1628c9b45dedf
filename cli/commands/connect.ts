import { pathOf } from '../api/api.ts';
import { CLIENTS, configurationFor } from '../clients.ts';
import { type Command, command } from '../command.ts';
import { addressesOf } from '../doctor/addresses.ts';
import { examine } from '../doctor/examine.ts';
import { stepLines } from '../doctor/step-lines.ts';
import type { Step } from '../doctor/step.ts';
import { visiting } from '../doctor/visit.ts';
import { EXIT, Failure, usageFailure } from '../failure.ts';
import { textOf } from '../json.ts';
import { plainLines } from '../text/plain.ts';

const config = command({
  name: 'config',
  summary: 'Prints how a client is connected to a deployment',
  places: ['slug'],
  options: { client: { value: 'CLIENT', help: CLIENTS.join(', ') } },
  run: async ({ api, output }, { slug }, values) => {
    const client = CLIENTS.find((one) => one === values.client);
    if (!client) throw usageFailure(`--client must be one of ${CLIENTS.join(', ')}.`);
    const deployment = await api.call('GET', pathOf('deployments', slug));
    const url = textOf(deployment['mcp_url']) ?? '';
    if (!URL.canParse(url)) {
      throw new Failure(EXIT.refused, 'service_error', 'The service answered without an address.');
    }
    const needsToken = deployment['mcp_auth_method'] === 'jwt';
    const configured = configurationFor(client, { slug, url, needsToken });
    output.note(configured.where);
    output.result({ client, ...configured }, [plainLines(configured.paste)]);
    configured.notes.forEach(output.note);
  },
});

const doctor = command({
  name: 'doctor',
  summary: 'Connects to a deployment as a client does, and says what fails',
  places: ['mcp-url'],
  options: {
    register: { help: 'register a client that stays, as each new MCP client does' },
    'token-stdin': { help: 'go on with the token on standard input, where one is needed' },
  },
  details: ['It needs no settings and no sign-in. The address ends in /mcp-router/SLUG/messages.'],
  run: async ({ ask, output, world }, places, { register, 'token-stdin': fromInput }) => {
    const addresses = addressesOf(places['mcp-url']);
    const token = fromInput ? await ask.secretInput() : undefined;
    if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
      throw usageFailure('What standard input holds is no token.');
    }
    const { steps, exitCode } = await examine(
      visiting(world),
      addresses,
      { register, token },
      (step) => output.part(stepLines(step, output)),
    );
    const report = { url: addresses.messages, ok: exitCode === EXIT.ok, steps };
    output.result(report, ['', verdict(steps)]);
    return exitCode;
  },
});

const verdict = (steps: readonly Step[]): string => {
  const failed = steps.filter(({ outcome }) => outcome === 'failed');
  const [first] = failed;
  if (!first) return 'A client gets through all that was tried.';
  const more = failed.length > 1 ? `, and ${failed.length - 1} more` : '';
  return `A client is stopped at: ${first.step}${more}.`;
};

export const connectCommands: readonly Command[] = [config, doctor];
