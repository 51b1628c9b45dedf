import { type PageBasics, pageTemplate } from './layout.ts';

export interface OpenView extends PageBasics {
  readonly link: string;
  readonly returnTo: string;
  readonly email: string;
  readonly signedInAs: string | undefined;
}

/** Target of a one-time link to the console. Source: docs/decisions/accounts.md, "Links to the console". */
export const openPage = pageTemplate<OpenView>(`{{#> layout title="Open the console"}}
<h1>Open the console</h1>
<p class="lead">You will be signed in here as <strong><bdi>{{email}}</bdi></strong>.</p>
{{#if signedInAs}}<p>Now <strong><bdi>{{signedInAs}}</bdi></strong> is signed in in this browser, and will be no more.</p>{{/if}}
<form method="post" action="{{root}}/open">
<input type="hidden" name="link" value="{{link}}">
<input type="hidden" name="return_to" value="{{returnTo}}">
<button class="wide">Open the console</button>
</form>
<p class="small soft">If you did not ask for this link, close the page: nothing happens.</p>
{{/layout}}`);
