import type { AnswerOf, BodyOf } from '../../api/operation.ts';
import { quoted } from '../../kit/copy.tsx';
import { type fieldsOf, Select, TextArea, TextField } from '../../kit/form.tsx';
import { linesOf } from '../../kit/words.ts';

type Credential = AnswerOf<'GET /deployments/{slug}/credential'>;
type Place = 'header' | 'query' | 'cookie';

/** As many APIs have it. */
const RECIPE = JSON.stringify(
  {
    algorithm: 'sha256',
    signed: '{timestamp}.{method}.{target}.{body}',
    headers: { 'X-Timestamp': '{timestamp}', 'X-Signature': '{signature}' },
  },
  null,
  2,
);

/** What is typed, without what is secret. */
export interface CredentialDraft {
  readonly type: Credential['type'];
  readonly name: string;
  readonly in: Place;
  readonly username: string;
  readonly issuer: string;
  readonly tokenUrl: string;
  readonly clientAuth: 'basic' | 'post' | 'private_key_jwt';
  readonly clientId: string;
  /** Between spaces. */
  readonly scopes: string;
  readonly certificate: string;
  /** JSON. */
  readonly recipe: string;
  readonly login: string;
  readonly loginToken: string;
  readonly roleArn: string;
  readonly region: string;
  readonly service: string;
  /** What it is called among several. */
  readonly credential: string;
  /** Of the description, between spaces. */
  readonly schemes: string;
  readonly origins: string;
  /** Checked hosts among the description's other ones. */
  readonly others: readonly string[];
}

export const NOTHING: CredentialDraft = {
  type: 'bearer',
  name: 'X-Api-Key',
  in: 'header',
  username: '',
  issuer: '',
  tokenUrl: '',
  clientAuth: 'basic',
  clientId: '',
  scopes: '',
  certificate: '',
  recipe: RECIPE,
  login: '',
  loginToken: '/token',
  roleArn: '',
  region: '',
  service: 'execute-api',
  credential: 'main',
  schemes: '',
  origins: '',
  others: [],
};

export const KINDS = {
  bearer: ['Bearer token', 'Authorization: Bearer …'],
  api_key: ['API key', 'In a header, the query or a cookie'],
  basic: ['User and password', 'Authorization: Basic …'],
  oauth_client: ['OAuth client', 'Tokens by client credentials, renewed'],
  session: ['Login', 'A login operation of the API gives a token, renewed'],
  mutual_tls: ['Client certificate', 'The connection shows it (mutual TLS)'],
  hmac: ['Signature', 'An HMAC of each request, by a recipe of the API'],
  aws: ['AWS role', 'Calls are signed (SigV4) with keys of a role'],
} as const satisfies Readonly<Record<Credential['type'], readonly [string, string]>>;

/** What is asked of a kind beside its secret. */
export const KindFields = ({
  draft,
  field,
}: {
  readonly draft: CredentialDraft;
  readonly field: ReturnType<typeof fieldsOf<CredentialDraft>>;
}) => (
  <>
    {draft.type === 'api_key' && (
      <div class="columns two">
        <TextField label="Name of the key" required {...field('name')} />
        <Select
          label="Sent in"
          {...field('in')}
          options={{ header: 'a header', query: 'the query', cookie: 'a cookie' }}
        />
      </div>
    )}
    {draft.type === 'basic' && <TextField label="User name" required {...field('username')} />}
    {draft.type === 'oauth_client' && (
      <>
        <TextField
          label="Token endpoint"
          hint="Where the authorization server gives tokens. The secret goes to this host and to no other."
          required={draft.issuer === ''}
          {...field('tokenUrl', '/token_url')}
        />
        <TextField
          label="Or the issuer"
          hint="Its metadata name the token endpoint."
          required={draft.tokenUrl === ''}
          {...field('issuer')}
        />
        <Select
          label="The client proves who it is by"
          options={{
            basic: 'its secret in Authorization',
            post: 'its secret in the body',
            private_key_jwt: 'a signature (private_key_jwt)',
          }}
          {...field('clientAuth', '/client_auth')}
        />
        <div class="columns two">
          <TextField label="Client ID" required {...field('clientId', '/client_id')} />
          <TextField label="Scopes" {...field('scopes')} />
        </div>
      </>
    )}
    {draft.type === 'aws' && (
      <>
        <TextField
          label="Role"
          hint="Its ARN. Your operator lists which roles may be assumed; the role has to trust this service, as it is told once it is set."
          required
          {...field('roleArn', '/role_arn')}
        />
        <div class="columns two">
          <TextField label="Region" required {...field('region')} />
          <TextField
            label="Service"
            hint="execute-api, lambda, appsync, es, aoss or s3"
            required
            {...field('service')}
          />
        </div>
      </>
    )}
    {draft.type === 'hmac' && (
      <TextArea
        label="Recipe"
        hint="In JSON: what is signed, and which headers say what. Parts of a request stand in braces."
        rows={8}
        required
        {...field('recipe', '/signed')}
      />
    )}
    {draft.type === 'mutual_tls' && (
      <TextArea
        label="Certificate"
        hint="In PEM, with those that it depends on behind it."
        rows={3}
        required
        {...field('certificate')}
      />
    )}
    {draft.type === 'session' && (
      <div class="columns two">
        <TextField
          label="Login operation"
          hint="As in POST /sessions. It is taken out of the tools."
          required
          {...field('login')}
        />
        <TextField
          label="Token in the answer"
          hint="A JSON pointer (/data/access_token), header:Name or cookie:name"
          required
          {...field('loginToken', '/token')}
        />
      </div>
    )}
  </>
);

export const SECRETS = {
  bearer: 'Token',
  api_key: 'Key',
  basic: 'Password',
  oauth_client: 'Client secret',
  hmac: 'Secret',
} as const;

const wordsOf = (text: string): string[] => text.split(/\s/).filter((word) => word !== '');
const scopesOf = ({ scopes }: CredentialDraft): string[] => wordsOf(scopes);

export const nameOf = ({ credential }: CredentialDraft): string => credential.trim() || 'main';
export const schemesOf = ({ schemes }: CredentialDraft): string[] => wordsOf(schemes);

/** What is sent. @param secret - a value, or lines of `name=value` of a login */
export const credentialOf = (
  draft: CredentialDraft,
  secret: string,
  origins: readonly string[],
): BodyOf<'PUT /deployments/{slug}/credential'> => {
  const schemes = schemesOf(draft);
  const bound = {
    ...(origins.length > 0 && { origins: [...origins] }),
    ...(schemes.length > 0 && { schemes }),
  };
  switch (draft.type) {
    case 'bearer':
      return { type: 'bearer', token: secret, ...bound };
    case 'basic':
      return { type: 'basic', username: draft.username, password: secret, ...bound };
    case 'api_key':
      return { type: 'api_key', name: draft.name, in: draft.in, value: secret, ...bound };
    case 'oauth_client': {
      const scopes = scopesOf(draft);
      return {
        type: 'oauth_client',
        ...(draft.issuer !== '' && { issuer: draft.issuer }),
        ...(draft.tokenUrl !== '' && { token_url: draft.tokenUrl }),
        client_id: draft.clientId,
        client_auth: draft.clientAuth,
        ...(scopes.length > 0 && { scopes }),
        ...(signs(draft) ? { private_jwk: objectIn(secret) } : { client_secret: secret }),
        ...bound,
      };
    }
    case 'aws':
      return {
        type: 'aws',
        role_arn: draft.roleArn,
        region: draft.region,
        service: draft.service,
        ...bound,
      };
    case 'hmac':
      return { type: 'hmac', ...recipeIn(draft.recipe), secret, ...bound };
    case 'mutual_tls':
      return {
        type: 'mutual_tls',
        certificate: draft.certificate,
        private_key: secret,
        ...bound,
      };
    case 'session':
      return {
        type: 'session',
        login: draft.login,
        token: draft.loginToken,
        fields: fieldsIn(secret),
        ...bound,
      };
  }
};

/** Whether a key stands in place of a secret. */
export const signs = ({ type, clientAuth }: CredentialDraft): boolean =>
  type === 'oauth_client' && clientAuth === 'private_key_jwt';

/** What is no key, the API says. */
const objectIn = (text: string): Record<string, unknown> => {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
};

/** What is no recipe, the API says. */
const recipeIn = (text: string): Omit<Hmac, 'secret' | 'type'> => {
  try {
    return JSON.parse(text) as Hmac;
  } catch {
    return { algorithm: 'sha256', signed: '', headers: {} };
  }
};

type Hmac = Extract<BodyOf<'PUT /deployments/{slug}/credential'>, { type: 'hmac' }>;

const fieldsIn = (lines: string): Record<string, string> =>
  Object.fromEntries(
    linesOf(lines).map((line) => {
      const [name = '', ...value] = line.split('=');
      return [name.trim(), value.join('=')];
    }),
  );

/** Of the command that sets the same. */
export const optionsOf = (draft: CredentialDraft): readonly string[] => [
  ...(draft.type === 'api_key' ? [`--name ${quoted(draft.name)} --in ${draft.in}`] : []),
  ...(draft.type === 'basic' ? [`--username ${quoted(draft.username || 'USER')}`] : []),
  ...(draft.type === 'oauth_client'
    ? [
        draft.issuer === ''
          ? `--token-url ${quoted(draft.tokenUrl || 'URL')}`
          : `--issuer ${quoted(draft.issuer)}`,
        `--client-id ${quoted(draft.clientId || 'ID')} --client-auth ${draft.clientAuth}`,
        ...scopesOf(draft).map((scope) => `--scope ${quoted(scope)}`),
      ]
    : []),
  ...(draft.type === 'aws'
    ? [
        `--role-arn ${quoted(draft.roleArn || 'ARN')} --region ${quoted(draft.region || 'REGION')} --service ${quoted(draft.service)}`,
      ]
    : []),
  ...(draft.type === 'hmac' ? ['--recipe-file FILE'] : []),
  ...(draft.type === 'mutual_tls' ? ['--certificate-file FILE --key-file FILE'] : []),
  ...(draft.type === 'session'
    ? [
        `--login ${quoted(draft.login || 'POST /sessions')} --token-at ${quoted(draft.loginToken)} --field username --field password`,
      ]
    : []),
];
