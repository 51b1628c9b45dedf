import { type PageBasics, pageTemplate } from './layout.ts';

export interface CommandLineView extends PageBasics {
  readonly request: { readonly port: string; readonly challenge: string; readonly state: string };
  /** Address of this page itself, to return to after signing in as another account. */
  readonly returnTo: string;
  readonly csrf: string;
  readonly email: string;
  /** Error above the form: why the page is shown again. */
  readonly again?: string;
  /** Error beside the field for the four letters. */
  readonly fault?: string;
}

/**
 * Asks whether the command line on this machine may sign in as the person; its form redirects to that program.
 * Source: docs/decisions/accounts.md, "The command line signs in with a browser".
 */
export const commandLinePage = pageTemplate<CommandLineView>(
  `{{#> layout title="Sign in at the command line"}}
<h1>Sign in at the command line?</h1>
{{#if again}}<div class="note bad" role="alert"><p>{{again}}</p></div>{{/if}}
{{#if fault}}<div class="note bad" role="alert"><p><a href="#letters">{{fault}}</a></p></div>{{/if}}
<p class="lead">A terminal on this machine waits for you. It will act here as you do, for an hour at most.</p>
<dl>
<div><dt>You are signed in as</dt><dd><strong><bdi>{{email}}</bdi></strong> <form method="post" action="{{root}}/logout"><input type="hidden" name="return_to" value="{{returnTo}}"><button class="as-link small">Not you? Sign out</button></form></dd></div>
<div><dt>Your answer goes to</dt><dd>a program on this device<span class="small soft">127.0.0.1:{{request.port}}</span></dd></div>
</dl>
<form method="post" action="{{root}}/sign-in/command-line">
<input type="hidden" name="port" value="{{request.port}}">
<input type="hidden" name="challenge" value="{{request.challenge}}">
<input type="hidden" name="state" value="{{request.state}}">
<input type="hidden" name="csrf" value="{{csrf}}">
{{> field name="letters" label="The four letters that your terminal shows" type="text" autocomplete="off" fault=fault first=true hint="Did somebody send you a link, or tell you what to type? Then close this page."}}
<div class="decide">
<button name="decision" value="sign_in">Sign in</button>
<button name="decision" value="cancel" class="second" formnovalidate>Cancel</button>
</div>
</form>
{{/layout}}`,
  'through',
);
