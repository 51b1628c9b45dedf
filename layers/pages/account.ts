import { MIN_PASSWORD_CHARACTERS } from '../platform/rules/password-length.ts';
import {
  type FieldFault,
  faultOf,
  type AfterSignIn,
  type PageBasics,
  pageTemplate,
} from './layout.ts';

interface AccountView extends PageBasics {
  /** The login page that the person came from, for the link back. */
  readonly afterSignIn: AfterSignIn | undefined;
  readonly faults: readonly FieldFault[];
}

const BACK = `{{#if afterSignIn}}<ul class="more"><li><a href="{{afterSignIn.signIn}}">Back to sign in</a></li></ul>{{/if}}`;

const PASSWORD_FIELDS = `{{> field name="password" label="Password" type="password" autocomplete="new-password" hint="At least ${MIN_PASSWORD_CHARACTERS} characters. Several unrelated words make a good one." fault=passwordFault}}
{{> field name="repeated" label="Password again" type="password" autocomplete="new-password" fault=repeatedFault}}`;

const withFaults = <View extends AccountView>(view: View) => ({
  ...view,
  emailFault: faultOf(view.faults, 'email'),
  passwordFault: faultOf(view.faults, 'password'),
  repeatedFault: faultOf(view.faults, 'repeated'),
});

export interface AddressView extends AccountView {
  readonly email: string;
}

/** Form that asks for a sign-up mail. Source: docs/decisions/accounts.md, "Accounts and mails". */
export const signUpPage = (view: AddressView) => signUp(withFaults(view));

const signUp = pageTemplate<
  ReturnType<typeof withFaults<AddressView>>
>(`{{#> layout title="Create an account"}}
<h1>Create an account</h1>
<p class="lead">We send you a mail with a link to choose your password. The newest mail is the one to use.</p>
{{> faults}}
<form method="post" action="{{root}}/signup">
{{> afterSignIn}}
{{> field name="email" label="E-mail address" type="email" autocomplete="username" typed=email fault=emailFault}}
<button class="wide">Send mail</button>
</form>
${BACK}
{{/layout}}`);

/** Form that asks for a password reset mail. Source: docs/decisions/accounts.md, "Accounts and mails". */
export const resetPage = (view: AddressView) => reset(withFaults(view));

const reset = pageTemplate<
  ReturnType<typeof withFaults<AddressView>>
>(`{{#> layout title="Forgot your password"}}
<h1>Forgot your password?</h1>
<p class="lead">We send you a mail with a link to choose a new one.</p>
{{> faults}}
<form method="post" action="{{root}}/reset">
{{> afterSignIn}}
{{> field name="email" label="E-mail address" type="email" autocomplete="username" typed=email fault=emailFault}}
<button class="wide">Send mail</button>
</form>
${BACK}
{{/layout}}`);

export interface NewPasswordView extends PageBasics {
  readonly token: string;
  readonly email: string;
  readonly faults: readonly FieldFault[];
}

/** Target of the link in a password reset mail. Source: docs/decisions/accounts.md, "Accounts and mails". */
export const newPasswordPage = (view: NewPasswordView) =>
  newPassword(withFaults({ ...view, afterSignIn: undefined }));

const newPassword = pageTemplate<
  ReturnType<typeof withFaults<NewPasswordView & AccountView>>
>(`{{#> layout title="New password"}}
<h1>Choose a new password</h1>
<p class="lead">for <strong>{{email}}</strong>. All your sessions and connected applications are signed out.</p>
{{> faults}}
<form method="post" action="{{root}}/reset/confirm">
<input type="hidden" name="token" value="{{token}}">
<input type="text" name="username" autocomplete="username" value="{{email}}" hidden>
${PASSWORD_FIELDS}
<button class="wide">Save password</button>
</form>
{{/layout}}`);

export interface NewAccountView extends NewPasswordView {
  readonly fullName: string;
  /** Slug of the server that the person was invited to; empty for none. */
  readonly server: string;
}

/** Target of the link in a sign-up or invitation mail. Source: docs/decisions/accounts.md, "Accounts and mails". */
export const newAccountPage = (view: NewAccountView) =>
  newAccount(withFaults({ ...view, afterSignIn: undefined }));

const newAccount = pageTemplate<
  ReturnType<typeof withFaults<NewAccountView & AccountView>>
>(`{{#> layout title="Choose your password"}}
<h1>Choose your password</h1>
<p class="lead">for a new account of <strong>{{email}}</strong>.{{#if server}} Then you go on to <strong>{{server}}</strong>.{{/if}}</p>
{{> faults}}
<form method="post" action="{{root}}/verify">
{{#if server}}<input type="hidden" name="server" value="{{server}}">{{/if}}
<input type="hidden" name="token" value="{{token}}">
<input type="text" name="username" autocomplete="username" value="{{email}}" hidden>
{{> field name="name" label="Name (optional)" type="text" autocomplete="name" typed=fullName optional=true}}
${PASSWORD_FIELDS}
<button class="wide">Create account</button>
</form>
<p class="small soft">If you did not ask for an account, close this page: nothing happens.</p>
{{/layout}}`);
