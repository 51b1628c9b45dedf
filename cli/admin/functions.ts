/** The functions that operators may invoke, by the output of the stack that names each. */
export const OUTPUTS = {
  oauth: 'AccountsFunction',
  management: 'PublishFunction',
} as const;

/** The stack of a stage that holds the functions. */
export const stackNameOf = (stage: string): string => `HostedMcp-${stage}`;

export type OperatorFunction = keyof typeof OUTPUTS;

/** Which function takes which command of operators. A test holds this to the functions themselves. */
export const FUNCTION_OF = {
  'provision-account': 'oauth',
  'set-plan': 'oauth',
  'rotate-signing-key': 'oauth',
  'retire-signing-key': 'oauth',
  'end-tokens': 'oauth',
  'end-sessions': 'oauth',
  'end-client': 'oauth',
  'end-account': 'oauth',
  publish: 'management',
  'mint-token': 'management',
  'revoke-token': 'management',
  'set-owner-plan': 'management',
  'list-blocked': 'management',
  'unblock-ip': 'management',
  'stop-deployment': 'management',
  'release-deployment': 'management',
  sweep: 'management',
} as const satisfies Readonly<Record<string, OperatorFunction>>;

export type OperatorCommandName = keyof typeof FUNCTION_OF;
