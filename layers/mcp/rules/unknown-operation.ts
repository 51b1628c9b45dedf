import { ToolRefusal } from '../../platform/rules/refusal/tool-refusal.ts';

/** A call of search mode for an operation that is not there. */
export class UnknownOperation extends ToolRefusal {
  /** @param message - names those that are alike */
  constructor(message: string) {
    super(
      'arguments',
      'invalid_params',
      message,
      { errors: [{ path: '/name', message: 'names no operation of this server' }] },
      'unknown operation',
    );
  }
}
