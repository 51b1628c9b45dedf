import type { OperationParameter } from '../../../layers/openapi/tool-index.ts';
import type { Random } from '../random.ts';
import type { SentTool } from './sent-calls.ts';

const NASTY = [
  ...'a B 9 , & = # % + / ? ; | [ ] " \' \\ < > . : @ ~ * ( ) ! $ { } ^ `'.split(' '),
  ' ',
  '\t',
  '\n',
  'é',
  '世',
  '😀',
  '%41',
  '{x}',
  '__proto__',
  '../',
  '\u0000',
  '\u2028',
];
const LATIN = [...'aB9&#%+/?;|[]"\'\\<>.:@~*()!${}^`é', ' '];

/**
 * Texts of characters that mean something in requests, as far as the argument's place can hold them
 * without a doubt: a header takes no control characters, and a list in it no comma; what RFC 6570 never
 * encodes would end an item of a label; with `allowReserved` the reserved ones are the caller's business.
 */
export const nastyTexts = ({ tool }: SentTool, random: Random): ((argument: string) => string) => {
  const parameters = new Map(tool.operation.parameters.map((one) => [one.argument, one]));
  return (argument) => {
    const parameter = parameters.get(argument);
    const pieces = piecesFor(parameter);
    const text = Array.from({ length: 1 + random.below(6) }, () => random.pick(pieces)).join('');
    // A header's ends are trimmed, and a path has no segments of dots.
    return parameter ? `x${text}x` : text;
  };
};

const piecesFor = (parameter: OperationParameter | undefined): readonly string[] => {
  if (!parameter) return NASTY;
  // Nothing may look as if it led out of its segment, JSON or not.
  const inPath = NASTY.filter((piece) => !/[./\\]/.test(piece));
  if (parameter.mediaType !== undefined) return parameter.in === 'path' ? inPath : NASTY;
  if (parameter.allowReserved) return ['a', 'B', '/', ':', '@', '!', 'é', ' '];
  // Nothing encodes the delimiter of a list in its items.
  if (parameter.style.endsWith('Delimited')) return ['a', ',', '&', '=', 'é', '#', '/'];
  if (parameter.in === 'header') return LATIN;
  if (parameter.style === 'label') return NASTY.filter((piece) => !piece.includes('.'));
  return parameter.in === 'path' ? inPath : NASTY;
};
