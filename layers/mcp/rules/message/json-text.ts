import { RpcRefusal } from '../../../platform/rules/refusal/rpc-refusal.ts';
import { nestsDeeperThan } from '../../../platform/rules/json/nesting.ts';

const MAX_NESTING = 200;

/**
 * The value that a body is.
 *
 * @param text - undefined if the body's bytes are not valid UTF-8
 * @throws RpcRefusal parse_error; invalid_request if it nests too deeply
 *
 * Source: docs/protocol.md, "Error codes", "Bytes and sizes".
 */
export const readJson = (text: string | undefined): unknown => {
  if (text === undefined || !text.isWellFormed()) {
    throw new RpcRefusal('parse_error', 'Parse error: the body is not valid UTF-8.');
  }
  if (nestsDeeperThan(text, MAX_NESTING)) {
    const description = `Invalid Request: the body nests deeper than ${MAX_NESTING} levels.`;
    throw new RpcRefusal('invalid_request', description);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new RpcRefusal('parse_error', 'Parse error: the body is not valid JSON.');
  }
};
