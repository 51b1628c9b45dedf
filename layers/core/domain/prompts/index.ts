export { checkPrompt } from './check-prompt.ts';
export { type ListedPrompt, listPrompts, type RenderedPrompt, renderPrompt } from './prompt.ts';
export { MAX_RENDERED_CHARACTERS, renderTemplate } from './render.ts';
export { MAX_NESTING, parseTemplate, type Template, unknownArguments } from './template.ts';
export { TemplateError } from './template-error.ts';
