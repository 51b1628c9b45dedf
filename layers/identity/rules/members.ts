import * as z from 'zod/mini';

const MAX_LIST = 100;

export const text = (most: number) => {
  const what = `write a text of 1 to ${most} characters`;
  return z.string(what).check(z.minLength(1, what), z.maxLength(most, what));
};

export const list = <Of extends z.ZodMiniType>(of: Of, what: string, most = MAX_LIST) => {
  const form = `write a list of 1 to ${most} ${what}`;
  return z.array(of, form).check(z.minLength(1, form), z.maxLength(most, form));
};

/** https, or http on the same machine. */
const ADDRESS = /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/])[^\s#]+$/;

export const address = text(2048).check(
  z.refine((value) => ADDRESS.test(value) && URL.canParse(value), 'write an https address'),
);
