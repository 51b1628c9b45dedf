import { type PageBasics, pageTemplate } from './layout.ts';

export interface NoticeView extends PageBasics {
  readonly heading: string;
  readonly text: string;
  readonly next: string;
  readonly link?: { readonly address: string; readonly label: string } | undefined;
}

export const noticePage = pageTemplate<NoticeView>(`{{#> layout title=heading}}
<h1>{{heading}}</h1>
<p class="lead">{{text}}</p>
<p>{{next}}</p>
{{#if link}}<ul class="more"><li><a href="{{link.address}}">{{link.label}}</a></li></ul>{{/if}}
{{/layout}}`);
