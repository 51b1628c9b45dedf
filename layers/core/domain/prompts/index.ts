export { checkPrompt } from './check-prompt.ts';
export { listPrompts, type RenderedPrompt, renderPrompt } from './prompt.ts';
export { MAX_RENDERED_CHARACTERS, renderTemplate } from './render.ts';
export { MAX_NESTING, parseTemplate, unknownArguments } from './template.ts';
