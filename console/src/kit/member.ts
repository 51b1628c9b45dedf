/** A member that somebody has named, never one of `Object.prototype`: `constructor` is a name like any other. */
export const member = <Value>(
  members: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined =>
  members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;
