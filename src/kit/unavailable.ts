/** The store does not answer: nothing was decided and the call can be repeated; `fix` says what may help. */
export class Unavailable extends Error {
  readonly fix: string;

  constructor(message: string, fix: string) {
    super(message);
    this.fix = fix;
  }
}
