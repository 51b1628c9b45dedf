import { type AfterSignIn, type PageBasics, pageTemplate } from './layout.ts';

export interface LoginView extends PageBasics {
  readonly afterSignIn: AfterSignIn | undefined;
  readonly action: '/login' | '/sign-in';
  /** Client name by `shownName`; absent for a sign-in to the console. */
  readonly client?: string | undefined;
  /** Server name; absent where the client named none and the consent page asks. */
  readonly server?: string | undefined;
  readonly email: string;
  readonly failed: boolean;
  readonly canSignUp: boolean;
  /** Whether the person asked to switch to another account. */
  readonly another?: boolean;
  /** Identity provider that the page offers as a button. */
  readonly offered?: { readonly name?: string | undefined; readonly address: string } | undefined;
}

const LEAD = `<p class="lead">{{#if client}}to connect <strong><bdi>{{client}}</bdi></strong>{{#if server}} to <strong><bdi>{{server}}</bdi></strong>{{/if}}{{else}}to look after your servers{{/if}}</p>`;

const SIGN_UP = `{{#if canSignUp}}<li>New here? <a href="{{root}}/signup?{{afterSignIn.name}}={{afterSignIn.encoded}}">Create an account</a></li>{{/if}}`;

/** A link and not a form: so the Content-Security-Policy of the password page need not allow redirects of forms. */
const OFFERED = `{{#if offered}}<p><a class="button wide" href="{{offered.address}}">Continue with <bdi>{{offered.name}}</bdi></a></p>
<p class="soft">or</p>{{/if}}`;

/** Asks for the address, whose domain may sign in at a company; its form may redirect there, hence `through`. */
export const addressPage = pageTemplate<LoginView>(
  `{{#> layout title="Sign in"}}
<h1>Sign in</h1>
${LEAD}
${OFFERED}
<form method="post" action="{{root}}{{action}}">
{{> afterSignIn}}
{{#if another}}<input type="hidden" name="another" value="1">{{/if}}
{{> field name="email" label="E-mail address" type="email" autocomplete="username" typed=email first=true}}
<button class="wide">Continue</button>
</form>
<ul class="more">
{{#if afterSignIn}}<li><a href="{{afterSignIn.signIn}}&amp;local=1">Sign in with a password</a></li>{{/if}}
${SIGN_UP}
</ul>
{{/layout}}`,
  'through',
);

/** Login form on the way to the consent page or the console. Source: docs/protocol.md, "Login and consent pages". */
export const loginPage = pageTemplate<LoginView>(`{{#> layout title="Sign in"}}
<h1>Sign in</h1>
${LEAD}
{{#if failed}}<div class="note bad" role="alert" id="failed">
<p><strong>That did not work.</strong></p>
<p>The e-mail address or the password is wrong, or the account is locked for a while after too many attempts.</p>
</div>{{/if}}
${OFFERED}
<form method="post" action="{{root}}{{action}}">
{{> afterSignIn}}
{{#if email}}
{{> field name="email" label="E-mail address" type="email" autocomplete="username" typed=email}}
{{> field name="password" label="Password" type="password" autocomplete="current-password" first=true}}
{{else}}
{{> field name="email" label="E-mail address" type="email" autocomplete="username" typed=email first=true}}
{{> field name="password" label="Password" type="password" autocomplete="current-password"}}
{{/if}}
<button class="wide">Sign in</button>
</form>
<ul class="more">
<li><a href="{{root}}/reset?{{afterSignIn.name}}={{afterSignIn.encoded}}">Forgot your password?</a></li>
${SIGN_UP}
</ul>
{{/layout}}`);
