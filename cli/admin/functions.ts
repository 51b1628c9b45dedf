export const OUTPUTS = {
  oauth: 'AccountsFunction',
  identity: 'IdentityFunction',
  management: 'PublishFunction',
  maintenance: 'MaintenanceFunction',
  tally: 'TallyFunction',
} as const;

export const stackNameOf = (stage: string): string => `HostedMcp-${stage}-Service`;

export type OperatorFunction = keyof typeof OUTPUTS;

/** Which function takes which command of operators; a test compares this with the functions themselves. */
export const FUNCTION_OF = {
  'provision-account': 'oauth',
  'set-plan': 'oauth',
  'forget-identities': 'oauth',
  'prepare-providers': 'oauth',
  'show-providers': 'oauth',
  'show-person': 'oauth',
  'prepare-passwords': 'oauth',
  'prepare-break-glass': 'oauth',
  'allow-link': 'oauth',
  'make-operator': 'oauth',
  'end-operator': 'oauth',
  'rotate-signing-key': 'oauth',
  'retire-signing-key': 'oauth',
  'end-tokens': 'oauth',
  'end-sessions': 'oauth',
  'end-client': 'oauth',
  'end-account': 'oauth',
  'set-provider-secret': 'identity',
  'check-provider': 'identity',
  publish: 'management',
  'mint-token': 'management',
  'revoke-token': 'management',
  'set-owner-plan': 'management',
  'provider-outlook': 'management',
  'ended-people': 'management',
  'export-account': 'management',
  'erase-account': 'management',
  'stop-deployment': 'management',
  'release-deployment': 'management',
  'prepare-transfer': 'management',
  'transfer-deployment': 'management',
  'list-blocked': 'maintenance',
  'unblock-ip': 'maintenance',
  'mail-status': 'maintenance',
  'allow-mails': 'maintenance',
  sweep: 'maintenance',
  'restore-check': 'maintenance',
  'move-credentials': 'maintenance',
  'apply-providers': 'maintenance',
  'apply-passwords': 'maintenance',
  'find-person': 'maintenance',
  'export-records': 'maintenance',
  'erase-records': 'maintenance',
  'list-failed': 'maintenance',
  redrive: 'maintenance',
  recount: 'tally',
} as const satisfies Readonly<Record<string, OperatorFunction>>;

export type OperatorCommandName = keyof typeof FUNCTION_OF;
