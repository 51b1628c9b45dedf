import * as z from 'zod/mini';
import { readSetting } from '../../../platform/rules/setting.ts';

/**
 * A private-use scheme, which must not be one that browsers or systems act on (a code must not become a script), and
 * the characters of a URI without a fragment.
 */
const PRIVATE_USE =
  /^(?!(?:about|blob|data|file|ftp|https?|javascript|mailto|vbscript|wss?):)[a-z][a-z0-9+.-]*:[\x21\x24-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+$/i;

/** The operator's private-use redirect URIs. Source: RFC 8252 §7.1; docs/decisions/oauth.md, "Redirect URIs". */
export const PrivateUseUris = z.array(
  z
    .string()
    .check(
      z.regex(
        PRIVATE_USE,
        'write a URI with a scheme of an app of its own, such as com.example.app:/callback',
      ),
    ),
  'write a list of URIs',
);

/** @param text - JSON; none if empty @throws Error in words for the operator */
export const readPrivateUseUris = (text = ''): readonly string[] =>
  text === '' ? [] : readSetting(PrivateUseUris, text);
