import { type Description, isObject, member, resolved } from '../document.ts';

/**
 * Tells the parameters that carry the API's credential: those of every `apiKey` scheme of the
 * description. The service fills them in, so no tool shows them.
 *
 * Source: tools.md, "inputSchema"; OpenAPI 3.1.1 §4.8.27.
 */
export const credentialParameters = ({
  root,
}: Description): ((name: string, place: string) => boolean) => {
  const components = member(root, 'components');
  const declared = [
    member(root, 'securityDefinitions'),
    isObject(components) ? member(components, 'securitySchemes') : undefined,
  ];
  const keys = new Set(
    declared
      .filter(isObject)
      .flatMap((schemes) => Object.values(schemes))
      .map((scheme) => resolved(root, scheme))
      .filter(isObject)
      .filter((scheme) => scheme['type'] === 'apiKey')
      .map((scheme) => identity(String(scheme['name']), String(scheme['in']))),
  );
  return (name, place) => keys.has(identity(name, place));
};

/** Header names have no case. */
const identity = (name: string, place: string): string =>
  `${place} ${place === 'header' ? name.toLowerCase() : name}`;
