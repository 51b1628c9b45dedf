import type { OwnCallsPorts } from '../../activity/steps/own-calls.ts';
import { operated, operatorCommand, theService } from '../../api/operator.ts';
import { canonicalEmail } from '../../accounts/rules/email.ts';
import { eraseAccount } from '../steps/account/remove-account.ts';
import type { mintToken, revokeToken } from '../../servers/steps/access/minted-tokens.ts';
import { personTrace } from '../../maintenance/steps/persons.ts';
import { PLANS } from '../../limits/rules/plan.ts';
import type { PublishPorts } from '../../servers/steps/deployments/publish.ts';
import {
  releaseDeployment,
  stopDeployment,
} from '../../servers/steps/deployments/stop-deployment.ts';
import { readKnownProviders } from '../../identity/rules/providers.ts';
import { endedPeople } from '../steps/operator/ended-people.ts';
import { providerOutlook } from '../steps/operator/provider-outlook.ts';
import { prepareTransfer, transferServer } from '../steps/operator/transfer.ts';
import { setOwnerPlan } from '../steps/account/set-owner-plan.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import * as z from 'zod';
import { exportPage } from './account/export.ts';
import type { ApiRoute } from '../../api/route.ts';
import { PublishCommand, publishCommand } from '../../servers/routes/publish.ts';
import {
  MintTokenCommand,
  mintTokenCommand,
  RevokeTokenCommand,
  revokeTokenCommand,
} from '../../servers/routes/access/minted-tokens.ts';
import type { PortsOf } from '../../platform/ports.ts';

export type OperatorPorts = PortsOf<
  | typeof endedPeople
  | typeof mintToken
  | typeof revokeToken
  | typeof setOwnerPlan
  | typeof operated
  | typeof providerOutlook
  | typeof eraseAccount
  | typeof stopDeployment
  | typeof transferServer
> &
  PublishPorts &
  OwnCallsPorts;

const after = z.string().min(1).max(8192).optional();
const SetOwnerPlanCommand = z.strictObject({
  ownerId: z.string().min(1).max(128),
  plan: z.enum(PLANS),
});

const Believed = z.strictObject({
  providers: z.unknown(),
  passwords: z.enum(['off', 'on']),
  breakGlass: z.array(z.string()),
});
const ProviderOutlookCommand = z.strictObject({
  before: Believed,
  next: Believed,
  after,
});

/** @throws ApiRefusal invalid_request */
const believed = ({ providers: sent, ...rest }: z.output<typeof Believed>) => {
  const read = readKnownProviders(sent);
  if (!read.faults) return { ...rest, providers: read.providers };
  throw new ApiRefusal('invalid_request', 'This is no list of identity providers.', read.faults);
};

const email = z.string().min(3).max(254);
const ExportAccountCommand = z.strictObject({
  email,
  after,
});
const EndedPeopleCommand = z.strictObject({ after });
const EraseAccountCommand = z.strictObject({ email });

const slug = z.string().min(1).max(63);
const SlugCommand = z.strictObject({ slug });

const from = z.string().min(1).max(254);
const PrepareTransferCommand = z.strictObject({
  from,
  to: email,
  slugs: z.array(slug).max(100).optional(),
});
const TransferCommand = z.strictObject({ from, to: email, slug });

/** @param routes - of the API; an export contains their answers to the owner */
export const operatorCommands = (ports: OperatorPorts, routes: readonly ApiRoute[]) =>
  operated(ports, {
    publish: operatorCommand(
      PublishCommand,
      ({ slug, ownerId }) => slug ?? ownerId,
      ofAccount(ports, publishCommand(ports)),
    ),
    'mint-token': operatorCommand(
      MintTokenCommand,
      ({ slug }) => slug,
      ofAccount(ports, mintTokenCommand(ports)),
    ),
    'revoke-token': operatorCommand(
      RevokeTokenCommand,
      ({ slug, jti }) => `${slug} ${jti}`,
      ofAccount(ports, revokeTokenCommand(ports)),
    ),
    'set-owner-plan': operatorCommand(
      SetOwnerPlanCommand,
      ({ ownerId }) => ownerId,
      (command) => setOwnerPlan(ports, command),
    ),
    'provider-outlook': operatorCommand(
      ProviderOutlookCommand,
      theService,
      async ({ before, next, after }) =>
        providerOutlook(ports, { before: believed(before), next: believed(next) }, after),
    ),
    'ended-people': operatorCommand(EndedPeopleCommand, theService, ({ after }) =>
      endedPeople(ports, after),
    ),
    'export-account': operatorCommand(
      ExportAccountCommand,
      personTrace,
      async ({ email: address, after }) => {
        const user = await ports.users.findByEmail(canonicalEmail(address));
        return user ? exportPage(ports, routes, user, after) : NOTHING;
      },
    ),
    'erase-account': operatorCommand(EraseAccountCommand, personTrace, async (command) => {
      const id = await eraseAccount(ports, command.email);
      return { removed: id !== undefined };
    }),
    'stop-deployment': operatorCommand(
      SlugCommand,
      ({ slug }) => slug,
      async ({ slug }) => ({ status: (await stopDeployment(ports, slug)).status }),
    ),
    'release-deployment': operatorCommand(
      SlugCommand,
      ({ slug }) => slug,
      async ({ slug }) => ({ status: (await releaseDeployment(ports, slug)).status }),
    ),
    'prepare-transfer': operatorCommand(
      PrepareTransferCommand,
      ({ from: owner }) => (owner.includes('@') ? canonicalEmail(owner) : owner),
      ({ slugs, ...transfer }) => prepareTransfer(ports, transfer, slugs),
    ),
    'transfer-deployment': operatorCommand(
      TransferCommand,
      ({ slug: name }) => name,
      async (transfer) => ({ transferred: await transferServer(ports, transfer) }),
    ),
  });

/**
 * Translates an owner given as an e-mail address into the account's id: nobody could sign in as an owner named like an
 * address, and exports and erasures would find nothing.
 * @throws ApiRefusal invalid_request where no account has the address
 */
const ofAccount =
  <Command extends { readonly ownerId?: string | undefined }, Answer>(
    { users }: Pick<OperatorPorts, 'users'>,
    run: (command: Command) => Promise<Answer>,
  ) =>
  async (command: Command): Promise<Answer> => {
    const { ownerId } = command;
    if (!ownerId?.includes('@')) return run(command);
    const account = await users.findByEmail(canonicalEmail(ownerId));
    if (!account) {
      throw new ApiRefusal('invalid_request', 'There is no account of the owner’s address.', {
        where: '/ownerId',
        what: 'the e-mail address of nobody here',
        hint: 'Make the account first (`hosted-mcp admin account`), or name an owner without an @.',
      });
    }
    return run({ ...command, ownerId: account.id });
  };

/** Export of an address without an account. */
const NOTHING = { items: [] };
