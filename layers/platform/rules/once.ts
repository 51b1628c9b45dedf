/** What is made when it is first asked for, and then remembered. */
export const once = <Value>(make: () => Value): (() => Value) => {
  let made: Value | undefined;
  return () => (made ??= make());
};
