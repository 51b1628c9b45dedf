import { type PageBasics, pageTemplate } from './layout.ts';

export interface LoginView extends PageBasics {
  readonly ticket: string;
  /** As people may see it. */
  readonly client: string;
  /** Absent: the consent page asks. */
  readonly server?: string | undefined;
  readonly email: string;
  readonly failed: boolean;
  /** Whether there is a page to make an account. */
  readonly canSignUp: boolean;
}

/**
 * Where a person signs in on the way to the consent page.
 * Source: docs/protocol.md, "Login and consent pages".
 */
export const loginPage = pageTemplate<LoginView>(`{{#> layout title="Sign in"}}
<h1>Sign in</h1>
<p class="lead">to connect <strong><bdi>{{client}}</bdi></strong>{{#if server}} to <strong><bdi>{{server}}</bdi></strong>{{/if}}</p>
{{#if failed}}<div class="note bad" role="alert" id="failed">
<p><strong>That did not work.</strong></p>
<p>The e-mail address or the password is wrong, or the account is locked for a while after too many attempts.</p>
</div>{{/if}}
<form method="post" action="{{root}}/login">
<input type="hidden" name="ticket" value="{{ticket}}">
{{#if failed}}
{{> field name="email" label="E-mail address" type="email" autocomplete="username" typed=email}}
{{> field name="password" label="Password" type="password" autocomplete="current-password" first=true}}
{{else}}
{{> field name="email" label="E-mail address" type="email" autocomplete="username" typed=email first=true}}
{{> field name="password" label="Password" type="password" autocomplete="current-password"}}
{{/if}}
<button class="wide">Sign in</button>
</form>
<ul class="more">
<li><a href="{{root}}/reset?ticket={{ticket}}">Forgot your password?</a></li>
{{#if canSignUp}}<li>New here? <a href="{{root}}/signup?ticket={{ticket}}">Create an account</a></li>{{/if}}
</ul>
{{/layout}}`);
