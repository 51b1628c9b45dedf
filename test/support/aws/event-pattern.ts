/**
 * Whether an event matches a pattern of EventBridge, as far as values and `exists` go: of what a pattern names, each has
 * to be there with one of its values, and of a list in an event any member will do.
 *
 * @param resolve - what a value is that the template leaves to CloudFormation
 * Source: Amazon EventBridge User Guide, "Creating Amazon EventBridge event patterns".
 */
export const matchesEvent = (
  pattern: object,
  event: unknown,
  resolve: (value: unknown) => string,
): boolean =>
  Object.entries(pattern).every(([name, wanted]) => {
    const found = membersOf(event).map((member) => (member as Record<string, unknown>)?.[name]);
    if (!Array.isArray(wanted)) {
      return found.some((member) => matchesEvent(wanted as object, member, resolve));
    }
    const [first] = wanted as readonly { readonly exists?: boolean }[];
    if (first?.exists === false) return found.every((member) => member === undefined);
    return found.some((member) => wanted.some((value) => resolve(value) === member));
  });

const membersOf = (event: unknown): readonly unknown[] => (Array.isArray(event) ? event : [event]);
