import type { AccountPorts } from '../../accounts/steps/ports.ts';
import { canonicalEmail } from '../../accounts/rules/email.ts';
import {
  MAX_PASSWORD_CHARACTERS,
  MIN_PASSWORD_CHARACTERS,
} from '../../platform/rules/password-length.ts';
import { PLANS } from '../../limits/rules/plan.ts';
import { timeOf } from '../../platform/rules/time.ts';
import { provisionAccount } from '../../accounts/steps/operator/provision-account.ts';
import { setOperator } from '../../accounts/steps/operator/set-operator.ts';
import { setPlan } from '../../accounts/steps/operator/set-plan.ts';
import { identityBody, personInWords } from '../../identity/rules/person.ts';
import { checkPeople } from '../../identity/steps/check-people.ts';
import { prepareProviders } from '../../identity/steps/prepare-providers.ts';
import { allowLink } from '../../identity/steps/allow-link.ts';
import {
  accountsOf,
  prepareBreakGlass,
  type PreparedPasswords,
  preparePasswords,
} from '../../identity/steps/passwords.ts';
import type { User } from '../../accounts/rules/user.ts';
import { operated, operatorCommand, theService } from '../../api/operator.ts';
import { endAccount, endClient, endSessions, endTokens } from '../steps/tokens/end-tokens.ts';
import { forgetIdentities } from '../steps/tokens/forget-identities.ts';
import { retireSigningKey } from '../steps/signing-keys/retire-signing-key.ts';
import { rotateSigningKey, type Rotation } from '../steps/signing-keys/rotate-signing-key.ts';
import * as z from 'zod';
import type { PortsOf } from '../../platform/ports.ts';

const ProvisionAccountCommand = z.strictObject({
  email: z.string().min(3).max(254),
  password: z.string().min(MIN_PASSWORD_CHARACTERS).max(MAX_PASSWORD_CHARACTERS).optional(),
  byMail: z.literal(true).optional(),
  withoutPassword: z.literal(true).optional(),
  name: z.string().max(200).optional(),
  plan: z.enum(PLANS),
});

const SetPlanCommand = z.strictObject({
  email: z.string().min(3).max(254),
  plan: z.enum(PLANS),
});

const EmailCommand = z.strictObject({ email: z.string().min(3).max(254) });
const EndClientCommand = z.strictObject({ clientId: z.string().min(1).max(2048) });
const LinkCommand = EmailCommand.extend({ provider: z.string().min(2).max(32) });
const BreakGlassCommand = EmailCommand.extend({ end: z.boolean().default(false) });
const ForgetIdentitiesCommand = z.strictObject({
  email: z.string().min(3).max(254),
  issuer: z.string().min(1).max(2048).optional(),
});

export type OperatorPorts = PortsOf<
  | typeof retireSigningKey
  | typeof endClient
  | typeof endAccount
  | typeof forgetIdentities
  | typeof allowLink
  | typeof setOperator
  | typeof operated
  | typeof rotateSigningKey
  | typeof prepareProviders
  | typeof checkPeople
  | typeof preparePasswords
> &
  AccountPorts;

export const operatorCommands = (ports: OperatorPorts) =>
  operated(ports, {
    'provision-account': operatorCommand(ProvisionAccountCommand, theAccount, async (command) => {
      const { user, created } = await provisionAccount(ports, command);
      const { id, email, plan } = user;
      return { account: { id, email, plan }, created };
    }),
    // The management function's `set-owner-plan` then updates the account's deployments.
    'set-plan': operatorCommand(SetPlanCommand, theAccount, async (command) => {
      const { id, email, plan } = await setPlan(ports, command);
      return { account: { id, email, plan } };
    }),
    'forget-identities': operatorCommand(
      ForgetIdentitiesCommand,
      theAccount,
      async ({ email, issuer }) => ({ issuers: await forgetIdentities(ports, email, issuer) }),
    ),
    'prepare-providers': operatorCommand(
      z.strictObject({ providers: z.unknown() }),
      theService,
      ({ providers }) => prepareProviders(ports, providers),
    ),
    'show-providers': operatorCommand(z.strictObject({}), theService, async () => {
      const believed = await ports.identityProviderRegister.find();
      const kept = await accountsOf(ports, believed.breakGlass);
      return { ...believed, breakGlass: kept.map(named) };
    }),
    'prepare-passwords': operatorCommand(
      z.strictObject({ passwords: z.enum(['off', 'on']) }),
      theService,
      async ({ passwords }) => prepared(await preparePasswords(ports, passwords)),
    ),
    'prepare-break-glass': operatorCommand(BreakGlassCommand, theAccount, async (command) =>
      prepared(await prepareBreakGlass(ports, command)),
    ),
    'allow-link': operatorCommand(LinkCommand, theAccount, async (command) => ({
      account: named(await allowLink(ports, command)),
    })),
    'show-person': operatorCommand(EmailCommand, theAccount, (command) =>
      showPerson(ports, canonicalEmail(command.email)),
    ),
    'check-people': operatorCommand(z.strictObject({}), theService, () => checkPeople(ports)),
    'make-operator': operatorCommand(EmailCommand, theAccount, async ({ email }) => ({
      account: operatorBody(await setOperator(ports, email, true)),
    })),
    'end-operator': operatorCommand(EmailCommand, theAccount, async ({ email }) => ({
      account: operatorBody(await setOperator(ports, email, false)),
    })),
    'rotate-signing-key': operatorCommand(z.strictObject({}), theService, async () =>
      rotationBody(await rotateSigningKey(ports)),
    ),
    'retire-signing-key': operatorCommand(z.strictObject({}), theService, async () => ({
      refusedFrom: timeOf((await retireSigningKey(ports)).refusedFrom),
    })),
    'end-tokens': operatorCommand(z.strictObject({}), theService, async () => ({
      issuedBefore: timeOf((await endTokens(ports)).tokens),
    })),
    'end-sessions': operatorCommand(z.strictObject({}), theService, async () => ({
      begunBefore: timeOf((await endSessions(ports)).sessions),
    })),
    'end-client': operatorCommand(
      EndClientCommand,
      ({ clientId }) => clientId,
      ({ clientId }) => endClient(ports, clientId),
    ),
    'end-account': operatorCommand(EmailCommand, theAccount, async ({ email: wanted }) => {
      const { id, email, plan } = await endAccount(ports, wanted);
      return { account: { id, email, plan } };
    }),
  });

/** Reads only, and returns no secrets. Source: docs/access.md, "Why somebody does not get in". */
const showPerson = async (
  { clock, identityProviderRegister, operatorMarks, settings, users }: OperatorPorts,
  email: string,
) => {
  const [user, believed] = await Promise.all([
    users.findByEmail(email),
    identityProviderRegister.find(),
  ]);
  const isOperator = user !== undefined && (await operatorMarks.has(user.id));
  return {
    email,
    ...(user && {
      account: {
        id: user.id,
        plan: user.plan,
        operator: isOperator,
        createdAt: timeOf(user.createdAt),
      },
    }),
    identities: (user?.identities ?? []).map((one) => identityBody(one, believed.providers)),
    says: personInWords({
      email,
      user,
      isOperator,
      believed,
      baseUrl: settings.baseUrl,
      now: clock.now(),
    }),
  };
};

const named = ({ id, email }: Pick<User, 'email' | 'id'>) => ({ id, email });

const prepared = (passwords: PreparedPasswords) => ({
  ...passwords,
  accounts: passwords.accounts.map(named),
});

const theAccount = ({ email }: { readonly email: string }) => canonicalEmail(email);

const operatorBody = ({ id, email, operator }: User) => ({
  id,
  email,
  operator: operator === true,
});

const rotationBody = (rotation: Rotation) =>
  rotation.step === 'rotated'
    ? { step: rotation.step, formerKeyEndsAt: timeOf(rotation.formerEndsAt) }
    : { step: rotation.step, nextKeySignsFrom: timeOf(rotation.signsFrom) };
