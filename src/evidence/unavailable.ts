/** What holds the histories does not answer just now: nothing was decided, and the same call may be sent again. `fix` says what may help. */
export class Unavailable extends Error {
  readonly fix: string;

  constructor(message: string, fix: string) {
    super(message);
    this.fix = fix;
  }
}
