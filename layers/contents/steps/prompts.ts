import { checkValues, type GivenValues } from '../rules/check-values.ts';
import type { Prompt } from '../rules/contents.ts';
import { checkPrompt } from '../prompts/check-prompt.ts';
import { type RenderedPrompt, renderPrompt } from '../prompts/prompt.ts';
import { ApiRefusal, type Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { RpcRefusal } from '../../platform/rules/refusal/rpc-refusal.ts';
import type { Ports } from '../../ports.ts';
import { type ContentPorts, contentsOf } from './contents.ts';
import { type Owned, ownedDeployment } from '../../servers/steps/deployments/owned-deployment.ts';

export type PromptPorts = ContentPorts & Pick<Ports, 'prompts'>;

/** An owner's prompts. Source: docs/protocol.md, "Prompts". */
export const ownPrompts = (ports: PromptPorts) => {
  const check = (prompt: Prompt): void => {
    const { limits } = ports.settings;
    checkPrompt(prompt, limits.prompt_template_max_bytes);
    checkValues(valuesOf(prompt), limits);
  };
  const prompts = contentsOf<Prompt>(ports, ports.prompts, {
    what: 'prompt',
    countLimit: 'prompts_per_deployment',
    check,
  });

  return {
    ...prompts,

    /**
     * What a client of the deployment would get.
     *
     * @throws ApiRefusal not_found, invalid_request naming each argument that is wrong
     */
    render: async (owned: Owned, name: string, args: unknown): Promise<RenderedPrompt> =>
      rendered(await prompts.find(owned, name), args),

    /**
     * What a client would get of a prompt that is not stored, nor stored by this.
     *
     * @throws ApiRefusal not_found, and whatever storing it would be refused with
     */
    preview: async (owned: Owned, prompt: Prompt, args: unknown): Promise<RenderedPrompt> => {
      await ownedDeployment(ports, owned);
      check(prompt);
      return rendered(prompt, args);
    },
  };
};

const rendered = (prompt: Prompt, args: unknown): RenderedPrompt => {
  try {
    return renderPrompt(prompt, args);
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error;
    throw new ApiRefusal('invalid_request', error.description, findingsOf(error), error.why);
  }
};

const valuesOf = ({ arguments: declared }: Prompt): readonly GivenValues[] =>
  declared.map(({ values = [] }, index) => ({ at: ['arguments', index, 'values'], values }));

const findingsOf = ({ data }: RpcRefusal): readonly Finding[] => {
  const errors = (data?.['errors'] ?? []) as readonly { path: string; message: string }[];
  return errors.map(({ path, message }) => ({
    where: path,
    what: message,
    hint: 'Send a text for each argument that the prompt requires.',
  }));
};
