export type Neighbour =
  | 'dynamodb'
  | 's3'
  | 'kms'
  | 'secrets-manager'
  | 'ses'
  | 'sqs'
  | 'lambda'
  | 'target-api'
  | 'web';

/** A neighbour failed. Keeps the cause; never shown to clients. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly neighbour: Neighbour;

  constructor(neighbour: Neighbour, message: string, cause?: unknown) {
    super(`${neighbour}: ${message}`, { cause });
    this.neighbour = neighbour;
  }
}

/** A neighbour that failed recently and is not asked again yet. */
export class Paused extends Fault {
  readonly retryAfterSeconds: number;

  constructor(fault: Fault, retryAfterSeconds: number) {
    const { neighbour, message, cause } = fault;
    super(neighbour, message.slice(`${neighbour}: `.length), cause);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The function's remaining time does not suffice for the neighbour. */
export class DeadlineExceeded extends Fault {
  constructor(neighbour: Neighbour) {
    super(neighbour, 'too little time was left');
  }
}
