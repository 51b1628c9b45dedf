export interface ProviderPreset {
  readonly issuer: string;
  readonly members?: Readonly<Record<string, unknown>>;
  readonly signIn?: Readonly<Record<string, unknown>>;
  readonly says: readonly string[];
}

/** Placeholders for a person's own values: a list that still has one is refused. */
export const OWN = {
  domain: 'COMPANY_DOMAIN',
  clientId: 'CLIENT_ID',
  tenant: 'TENANT',
} as const;

const scopes = (...more: readonly string[]) => ['openid', 'email', ...more];

/** Source: docs/access.md, "Settings by provider". */
export const PROVIDER_PRESETS = {
  entra: {
    issuer: `https://login.microsoftonline.com/${OWN.tenant}/v2.0`,
    members: { subject_claim: 'oid', email_rule: 'edov' },
    signIn: { scopes: scopes('offline_access') },
    says: [
      'App registrations, New registration: single tenant, platform Web, with the redirect URI.',
      'Token configuration, optional claims of the ID token: email, xms_edov, auth_time.',
      'Enterprise applications, Properties: assignment required, and assign who may sign in.',
      'Certificates & secrets: the secret ends; write its day into secret_ends.',
    ],
  },
  okta: {
    issuer: `https://${OWN.tenant}/oauth2/default`,
    members: { email_rule: 'verified' },
    signIn: { scopes: scopes('offline_access') },
    says: [
      'Applications, Create App Integration: OIDC, Web Application, with the redirect URI.',
      'Grant types: Authorization Code and Refresh Token.',
      'The issuer is that of the authorization server; without one of your own, https://YOUR_ORG.okta.com.',
      'Where addresses are not said to be verified and people cannot change theirs: email_rule trusted.',
    ],
  },
  google: {
    issuer: 'https://accounts.google.com',
    members: { email_rule: 'hosted_domain' },
    signIn: { authorize: { access_type: 'offline', prompt: 'consent' } },
    says: [
      'OAuth consent screen: user type Internal.',
      'Credentials, OAuth client ID: Web application, with the redirect URI.',
      'Google refuses the scope offline_access: access_type says it in its place.',
    ],
  },
  keycloak: {
    issuer: `https://${OWN.tenant}`,
    members: { email_rule: 'verified' },
    signIn: { scopes: scopes('offline_access') },
    says: [
      'The issuer is https://HOST/realms/REALM.',
      'Clients, Create client: OpenID Connect, Client authentication on, with the redirect URI.',
      'Whoever signs in needs the role offline_access.',
      'Addresses from LDAP count as verified where the federation has Trust Email.',
    ],
  },
  cognito: {
    issuer: `https://cognito-idp.${OWN.tenant}`,
    members: { email_rule: 'verified' },
    signIn: { broker: true },
    says: [
      'The issuer is https://cognito-idp.REGION.amazonaws.com/USER_POOL_ID.',
      'App client: confidential, Authorization code grant, with the redirect URI.',
      'Map email and email_verified from your SAML provider.',
      'A user pool does not ask your directory when a token is renewed: broker has people sign in every 12 hours.',
    ],
  },
} as const satisfies Readonly<Record<string, ProviderPreset>>;

export type ProviderKind = keyof typeof PROVIDER_PRESETS;
export const PROVIDER_KINDS = Object.keys(PROVIDER_PRESETS) as readonly ProviderKind[];
