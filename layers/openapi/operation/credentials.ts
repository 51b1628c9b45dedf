import { isObject, member, textMember } from '../../platform/rules/json/json.ts';
import { type Description, resolved } from '../document.ts';

/**
 * Tells the parameters that carry the API's credential: those of every `apiKey` scheme of the
 * description. The service fills them in, so no tool shows them.
 *
 * Source: docs/tools.md, "Parameters as arguments"; OpenAPI 3.1.1 §4.8.27.
 */
export const credentialParameters = ({
  root,
}: Description): ((name: string, location: string) => boolean) => {
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
      .map((scheme) => identity(textMember(scheme, 'name'), textMember(scheme, 'in'))),
  );
  return (name, location) => keys.has(identity(name, location));
};

/** Header names have no case. */
const identity = (name: string, location: string): string =>
  `${location} ${location === 'header' ? name.toLowerCase() : name}`;
