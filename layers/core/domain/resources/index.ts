export {
  listResources,
  listResourceTemplates,
  readResource,
  type ResourceContents,
  unknownResource,
} from './resource.ts';
export { fill, MAX_FILLED_CHARACTERS } from './fill.ts';
export { matchTemplate, MAX_URI_LENGTH } from './match-template.ts';
export { isTemplate, parseUriTemplate } from './uri-template.ts';
export { checkResource } from './check-resource.ts';
