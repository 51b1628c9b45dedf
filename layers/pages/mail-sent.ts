import { type AfterSignIn, type PageBasics, pageTemplate } from './layout.ts';

export interface MailSentView extends PageBasics {
  readonly action: '/signup' | '/reset';
  readonly email: string;
  readonly afterSignIn: AfterSignIn | undefined;
  /** Whether this is a local service, which writes mails into a folder. */
  readonly isLocal: boolean;
}

/** Same text whether or not an account exists. Source: docs/decisions/accounts.md, "Accounts and mails". */
export const mailSentPage = pageTemplate<MailSentView>(`{{#> layout title="Check your e-mail"}}
<h1>Check your e-mail</h1>
<p class="lead">A mail to <strong>{{email}}</strong> is on its way, if that address can be used. It can take a minute or two.</p>
{{#if isLocal}}<p>This service runs on your own machine and sends nothing. The mail is the newest file in the folder that npm start has printed behind “Mails”. Open the link in it.</p>
{{else}}<p>Open the link in the mail, in this browser: then you go on where you began. If no mail comes, check your spam folder and the address above.</p>
{{/if}}<form method="post" action="{{root}}{{action}}">
{{> afterSignIn}}
<input type="hidden" name="email" value="{{email}}">
<button class="wide second">Send the mail again</button>
</form>
<ul class="more">
<li><a href="{{root}}{{action}}{{#if afterSignIn}}?{{afterSignIn.name}}={{afterSignIn.encoded}}{{/if}}">Use another address</a></li>
{{#if afterSignIn}}<li><a href="{{afterSignIn.signIn}}">Back to sign in</a></li>{{/if}}
</ul>
{{/layout}}`);
