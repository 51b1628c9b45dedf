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

/** A neighbour failed us. Names the neighbour and keeps the cause; never shown to a client. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly neighbour: Neighbour;

  constructor(neighbour: Neighbour, message: string, cause?: unknown) {
    super(`${neighbour}: ${message}`, { cause });
    this.neighbour = neighbour;
  }
}

/** A neighbour that has just failed, and is not asked again for a while. */
export class Paused extends Fault {
  readonly retryAfterSeconds: number;

  constructor(fault: Fault, retryAfterSeconds: number) {
    const { neighbour, message, cause } = fault;
    super(neighbour, message.slice(`${neighbour}: `.length), cause);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The function's own time is over: there is nothing more to wait for. */
export class DeadlineExceeded extends Fault {
  constructor(neighbour: Neighbour) {
    super(neighbour, 'too little time was left');
  }
}
